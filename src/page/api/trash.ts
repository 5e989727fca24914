import type { DeletedBook } from '../../catalogue/changes.ts';
import { nextCursor } from './books.ts';
import { send } from './request.ts';

/** A deleted book; `deletedAt` is a time of RFC 3339. */
export type TrashedBook = Omit<DeletedBook, 'deletedAt'> & { readonly deletedAt: string };

export interface TrashPage {
  readonly books: readonly TrashedBook[];
  readonly next: string | undefined;
}

const limit = 100;

/** Reads a page of the deleted books, newest first. */
export async function readTrash(after: string | undefined, signal?: AbortSignal): Promise<TrashPage> {
  const cursor = after === undefined ? '' : `&after=${after}`;
  const { data, headers } = await send(`trash?limit=${limit}${cursor}`, { signal });
  return { books: data as TrashedBook[], next: nextCursor(headers.get('Link')) };
}
