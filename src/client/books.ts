import { isBatch, newBatch } from '../catalogue/batch.ts';
import { isId, type Book, type BookFields, type BookPatch } from '../catalogue/book.ts';
import { formatDuplicatesQuery, type DuplicatesQuery } from '../catalogue/duplicates.ts';
import type { Answer, Imported } from '../catalogue/envelope.ts';
import type { BookQuery } from '../catalogue/query.ts';
import { formatPageQuery, maxLimit, type PageQuery } from '../catalogue/query-string.ts';
import { isAny, isText, open, readAs, readBook, readBookOf, readBooks, unexpected } from './answers.ts';
import { findNextCursor } from './links.ts';
import { writeOf, type CallOptions, type CreateOptions, type WriteCondition } from './options.ts';
import type { Send } from './wire.ts';

/** A page of the books that match a query. */
export interface BookPage {
  /** The books, in the order of the query. */
  books: Book[];
  /** The cursor of the next page, for `after` of the same query; `undefined` on the last page. It does not expire. */
  next: string | undefined;
  /** The number of books on all pages; `undefined` without `count`, or if the service cannot count them in time. */
  total: number | undefined;
}

/** Groups of duplicates. */
export interface DuplicatesPage {
  /** Each group has at least two books, by id. */
  groups: Book[][];
  /** The cursor of the next page, for `after` of the same level; `undefined` on the last page. It does not expire. */
  next: string | undefined;
}

/** A book and the tag of its contents. */
export interface TaggedBook {
  /** The book as it was read. */
  book: Book;
  /** Changes whenever a field of the book changes. */
  tag: string;
}

/** The path of a book. @throws {TypeError} The id is not valid: as text, it could lead to another path. */
export function bookPath(id: number): string {
  if (!isId(id)) throw new TypeError('id: expected a whole number from 1 to 2^53-1');
  return `/book/${id}`;
}

/** A path with a query string. @throws {TypeError} As {@link formatPageQuery} does. */
export function queryPath(path: string, query: PageQuery = {}): string {
  return withQuery(path, formatPageQuery(query));
}

function withQuery(path: string, text: string): string {
  return text === '' ? path : `${path}?${text}`;
}

export async function listBooks(send: Send, query?: PageQuery, options?: CallOptions): Promise<Book[]> {
  return readBooks(open(await send({ path: queryPath('/books', query), ...options })));
}

export async function readPage(send: Send, query: PageQuery, options?: CallOptions): Promise<BookPage> {
  const { count } = query; // Throws without a query, before any request.
  const answer = await send({ path: queryPath('/books', query), ...options });
  const books = readBooks(open(answer));
  const header = count === true ? answer.headers.get('X-Total-Count') : null;
  if (header !== null && !/^[0-9]{1,15}$/.test(header)) throw unexpected('the number of matching books');
  return { books, next: nextOf(answer), total: header === null ? undefined : Number(header) };
}

/** The pages of a list, one after the other. A page may be shorter than requested without being the last. */
export async function* eachPage(
  send: Send,
  query?: BookQuery,
  options?: CallOptions,
): AsyncGenerator<Book[], void, undefined> {
  queryPath('/books', query); // Throws before a copy of something else could match other books.
  for (let after: string | undefined; ;) {
    const page = { ...query, limit: maxLimit, ...(after !== undefined && { after }) };
    const { books, next } = await readPage(send, page, options);
    yield books;
    if (next === undefined) return;
    if (next === after) throw unexpected('the next page');
    after = next;
  }
}

export async function readDuplicates(
  send: Send,
  query: DuplicatesQuery = {},
  options?: CallOptions,
): Promise<DuplicatesPage> {
  const path = withQuery('/duplicates', formatDuplicatesQuery(query));
  const answer = await send({ path, ...options });
  const groups = readAs('groups of books', [isAny], open(answer)).map(readBooks);
  return { groups, next: nextOf(answer) };
}

/** The cursor of the next page. */
export function nextOf({ headers }: Answer): string | undefined {
  return findNextCursor(headers.get('Link'));
}

export async function getBook(send: Send, id: number, options?: CallOptions): Promise<Book> {
  return readBookOf(id, open(await send({ path: bookPath(id), ...options })));
}

export async function getTagged(send: Send, id: number, options?: CallOptions): Promise<TaggedBook> {
  return readTagged(id, await send({ path: bookPath(id), ...options }));
}

export async function refreshBook(
  send: Send,
  tagged: TaggedBook,
  options?: CallOptions,
): Promise<TaggedBook> {
  const { id } = tagged.book;
  const path = bookPath(id);
  const headers = { 'If-None-Match': tagged.tag };
  const answer = await send({ path, ...options, headers });
  return answer.status === 304 ? tagged : readTagged(id, answer);
}

/** @throws {ShelflistError} The error of the service; or `bad_response`: the tag is missing or weak. */
function readTagged(id: number, answer: Answer): TaggedBook {
  const book = readBookOf(id, open(answer));
  const tag = answer.headers.get('ETag') ?? '';
  // A weak tag, from a proxy that has changed the response, never matches in `If-Match`.
  if (/^"[!#-~]*"$/.test(tag)) return { book, tag };
  throw unexpected('the tag of the book; an older service sends none');
}

export async function createBook(
  send: Send,
  fields: Partial<BookFields>,
  options?: CreateOptions,
): Promise<Book> {
  return readBook(await create(send, '/book', fields, options));
}

/** Sends a create that the service recognises when it is repeated; returns the data of the response. */
async function create(
  send: Send,
  path: string,
  body: unknown,
  options: CreateOptions = {},
): Promise<unknown> {
  const { idempotencyKey = newBatch() } = options;
  const write = writeOf({ ...options, idempotencyKey });
  return open(await send({ method: 'POST', path, body, isRepeatable: true, ...write }));
}

const importedShape = { ids: [isId], rejected: [{ line: isId, message: isText }], batch: isBatch } as const;

export async function createBooks(
  send: Send,
  books: readonly Partial<BookFields>[],
  options?: CreateOptions,
): Promise<Imported> {
  return readAs('the result of an import', importedShape, await create(send, '/books', books, options));
}

/** The book of each element: the one with its id, or with the same spelling; `undefined` without one. */
export async function lookUpBooks(
  send: Send,
  wanted: readonly ({ readonly id: number } | Partial<BookFields>)[],
  options?: CallOptions,
): Promise<(Book | undefined)[]> {
  const data = open(await send({ method: 'POST', path: '/books/lookup', body: wanted, ...options }));
  const found = readAs('a list of books', [isAny], data);
  if (found.length !== wanted.length) throw unexpected('a book for each element');
  return found.map((each) => (each === null ? undefined : readBook(each)));
}

export async function updateBook(
  send: Send,
  id: number,
  patch: BookPatch,
  options?: WriteCondition,
): Promise<Book> {
  return readBookOf(
    id,
    open(await send({ method: 'PUT', path: bookPath(id), body: patch, ...writeOf(options) })),
  );
}

export async function deleteBook(send: Send, id: number, options?: WriteCondition): Promise<void> {
  open(await send({ method: 'DELETE', path: bookPath(id), ...writeOf(options) }));
}
