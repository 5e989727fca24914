import * as client from '../../client/history.ts';
import { send } from './request.ts';

const limit = 100;

/** Reads a page of the deleted books, newest first. */
export function readTrash(after: string | undefined, signal?: AbortSignal): Promise<client.DeletedPage> {
  return client.readTrash(send, { limit, ...(after !== undefined && { after }) }, { signal });
}
