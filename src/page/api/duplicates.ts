import type { Book } from '../../catalogue/book.ts';
import type { DuplicateLevel } from '../../catalogue/duplicates/duplicates.ts';
import { asBook, nextCursor } from './books.ts';
import { send } from './request.ts';

export interface DuplicatesPage {
  readonly groups: readonly (readonly Book[])[];
  readonly next: string | undefined;
}

const limit = 25;

/** Reads a page of the groups of books that are duplicates of each other. */
export async function readDuplicates(
  level: DuplicateLevel,
  after: string | undefined,
  signal?: AbortSignal,
): Promise<DuplicatesPage> {
  const query = new URLSearchParams({ level, limit: String(limit), ...(after !== undefined && { after }) });
  const { data, headers } = await send(`duplicates?${query.toString()}`, { signal });
  return {
    groups: (data as unknown[][]).map((group) => group.map(asBook)),
    next: nextCursor(headers.get('Link')),
  };
}
