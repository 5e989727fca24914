import type { Book, BookFields, BookPatch } from '../../catalogue/book.ts';
import { open, readBookOf } from '../../client/answers.ts';
import * as client from '../../client/books.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { send } from './request.ts';

export type { BookPage as Page, TaggedBook } from '../../client/books.ts';

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly count?: boolean;
}

/** Reads a page of the books that match a query. */
export function readPage(
  query: BookQuery,
  { after, ...request }: PageRequest,
  signal?: AbortSignal,
): Promise<client.BookPage> {
  return client.readPage(send, { ...query, ...request, ...(after !== undefined && { after }) }, { signal });
}

/** Reads all books of a query, page by page. */
export function allBooks(query: BookQuery, signal?: AbortSignal): AsyncGenerator<readonly Book[]> {
  return client.eachPage(send, query, { signal });
}

/** Reads a book, also behind a proxy that takes its tag or makes it weak: then changes of it fail. */
export async function readBook(id: number, signal?: AbortSignal): Promise<client.TaggedBook> {
  const answer = await send({ path: client.bookPath(id), signal });
  return { book: readBookOf(id, open(answer)), tag: answer.headers.get('ETag') ?? 'W/""' };
}

export function createBook(fields: BookFields, batch: string): Promise<Book> {
  return client.createBook(send, fields, { batch });
}

/** Changes a book. @param tag Of the state that was read: another state is not overwritten (`precondition_failed`). */
export function updateBook(id: number, patch: BookPatch, tag: string, batch: string): Promise<Book> {
  return client.updateBook(send, id, patch, { ifMatch: tag, batch });
}

export function deleteBook(id: number, tag: string, batch: string): Promise<void> {
  return client.deleteBook(send, id, { ifMatch: tag, batch });
}

/** Changes some fields of a book, whatever its state. */
export async function changeBook(id: number, patch: BookPatch, batch: string): Promise<void> {
  await client.updateBook(send, id, patch, { batch });
}

/** Deletes a book, whatever its state. */
export function removeBook(id: number, batch: string): Promise<void> {
  return client.deleteBook(send, id, { batch });
}
