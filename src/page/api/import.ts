import type { BookFields } from '../../catalogue/book.ts';
import type { Imported } from '../../catalogue/envelope.ts';
import * as client from '../../client/books.ts';
import { send } from './request.ts';

/** Adds many books in one request. */
export function createBooks(
  books: readonly BookFields[],
  batch: string,
  signal?: AbortSignal,
): Promise<Imported> {
  return client.createBooks(send, books, { batch, signal });
}
