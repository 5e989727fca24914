import { toBook, type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { formatPageQuery, maxLimit } from '../../catalogue/query-string.ts';
import { ApiError } from './api-error.ts';
import { send } from './request.ts';

/** A page of a list. */
export interface Page {
  readonly books: readonly Book[];
  /** The cursor of the next page; `undefined` on the last one. */
  readonly next: string | undefined;
  /** The number of books on all pages, if it was asked for. */
  readonly total: number | undefined;
}

export interface PageRequest {
  readonly limit: number;
  readonly after?: string | undefined;
  readonly count?: boolean;
}

/** Reads a page of the books that match a query. */
export async function readPage(
  query: BookQuery,
  { limit, after, count }: PageRequest,
  signal?: AbortSignal,
): Promise<Page> {
  const text = formatPageQuery({
    ...query,
    limit,
    ...(after !== undefined && { after }),
    ...(count === true && { count }),
  });
  const { data, headers } = await send(`books?${text}`, { signal });
  const books = (data as unknown[]).map(asBook);
  const total = headers.get('X-Total-Count');
  return { books, next: nextCursor(headers.get('Link')), total: total === null ? undefined : Number(total) };
}

/** Reads all books of a query, page by page. */
export async function* allBooks(query: BookQuery, signal?: AbortSignal): AsyncGenerator<readonly Book[]> {
  let after: string | undefined;
  do {
    const { books, next } = await readPage(query, { limit: maxLimit, after }, signal);
    yield books;
    after = next;
  } while (after !== undefined);
}

/** The cursor in `<…?after=CURSOR>; rel="next"`. */
export function nextCursor(link: string | null): string | undefined {
  const target = /<([^>]*)>;\s*rel="next"/.exec(link ?? '')?.[1];
  if (target === undefined) return undefined;
  return new URL(target, document.baseURI).searchParams.get('after') ?? undefined;
}

/** A book, and the tag of the state in which it was read. */
export interface TaggedBook {
  readonly book: Book;
  readonly tag: string;
}

export async function readBook(id: number, signal?: AbortSignal): Promise<TaggedBook> {
  const { data, headers } = await send(`book/${id}`, { signal });
  return { book: asBook(data), tag: headers.get('ETag') ?? '' };
}

export async function createBook(fields: BookFields, batch: string): Promise<Book> {
  const { data } = await send('book', { method: 'POST', body: fields, headers: { Batch: batch } });
  return asBook(data);
}

/** Changes a book. @param tag Of the state that was read: another state is not overwritten (`precondition_failed`). */
export async function updateBook(id: number, patch: BookPatch, tag: string, batch: string): Promise<Book> {
  const headers = { 'If-Match': tag, Batch: batch };
  const { data } = await send(`book/${id}`, { method: 'PUT', body: patch, headers });
  return asBook(data);
}

export async function deleteBook(id: number, tag: string, batch: string): Promise<void> {
  await send(`book/${id}`, { method: 'DELETE', headers: { 'If-Match': tag, Batch: batch } });
}

/** @throws {ApiError} `bad_response` */
export function asBook(value: unknown): Book {
  const book = toBook(value);
  if (book === undefined) throw new ApiError(502, 'not a book');
  return book;
}

/** Changes some fields of a book, whatever its state. */
export async function changeBook(id: number, patch: BookPatch, batch: string): Promise<void> {
  await send(`book/${id}`, { method: 'PUT', body: patch, headers: { Batch: batch } });
}

/** Deletes a book, whatever its state. */
export async function removeBook(id: number, batch: string): Promise<void> {
  await send(`book/${id}`, { method: 'DELETE', headers: { Batch: batch } });
}
