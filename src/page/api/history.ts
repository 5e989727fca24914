import type { Book, BookFields } from '../../catalogue/book.ts';
import type { EarlierState } from '../../catalogue/changes.ts';
import { asBook } from './books.ts';
import { send } from './request.ts';

/** An earlier state of a book; `at` is a time of RFC 3339. */
export type EarlierVersion = Omit<EarlierState, 'at'> & { readonly at: string } & Readonly<BookFields>;

/** The earlier states of a book, newest first. */
export async function readHistory(id: number, signal?: AbortSignal): Promise<readonly EarlierVersion[]> {
  const { data } = await send(`book/${id}/history`, { signal });
  return data as EarlierVersion[];
}

/** Gives a book an earlier state, if it is still the one with this tag. */
export function revertBook(id: number, version: string, tag: string, batch: string): Promise<Book> {
  return revert(id, { version }, { 'If-Match': tag, Batch: batch });
}

/** Brings a deleted book back, if nobody else has. */
export function restoreBook(id: number, batch: string): Promise<Book> {
  return revert(id, {}, { 'If-None-Match': '*', Batch: batch });
}

async function revert(id: number, body: object, headers: Record<string, string>): Promise<Book> {
  const { data } = await send(`book/${id}/revert`, { method: 'POST', body, headers });
  return asBook(data);
}
