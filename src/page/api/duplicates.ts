import type { DuplicateLevel } from '../../catalogue/duplicates.ts';
import * as client from '../../client/books.ts';
import { send } from './request.ts';

export type { DuplicatesPage } from '../../client/books.ts';

const limit = 25;

/** Reads a page of the groups of books that are duplicates of each other. */
export function readDuplicates(
  level: DuplicateLevel,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<client.DuplicatesPage> {
  return client.readDuplicates(send, { level, limit, ...(after !== undefined && { after }) }, { signal });
}
