import type { BookFields } from '../../catalogue/book.ts';
import type { Imported } from '../../catalogue/envelope.ts';
import { send } from './request.ts';

/** Adds many books in one request. */
export async function createBooks(
  books: readonly BookFields[],
  batch: string,
  signal?: AbortSignal,
): Promise<Pick<Imported, 'rejected'>> {
  const { data } = await send('books', { method: 'POST', body: books, headers: { Batch: batch }, signal });
  return data as Imported;
}
