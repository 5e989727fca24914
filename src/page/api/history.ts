import type { Book } from '../../catalogue/book.ts';
import type { EarlierState } from '../../catalogue/changes.ts';
import * as client from '../../client/history.ts';
import { send } from './request.ts';

/** The earlier states of a book, newest first. */
export function readHistory(id: number, signal?: AbortSignal): Promise<readonly EarlierState[]> {
  return client.readHistory(send, id, { signal });
}

/** Gives a book an earlier state, if it is still the one with this tag. */
export function revertBook(id: number, version: string, tag: string, batch: string): Promise<Book> {
  return client.revertBook(send, id, { version, ifMatch: tag, batch });
}

/** Brings a deleted book back, if nobody else has. */
export function restoreBook(id: number, batch: string): Promise<Book> {
  return client.revertBook(send, id, { ifNoneMatch: '*', batch });
}
