import { isId, toBook, type Book } from '../book.ts';
import { unwrap } from '../envelope.ts';
import { ShelflistError } from '../errors.ts';
import { findNextCursor } from './links.ts';
import type { Answer } from './transport.ts';

/** A part of what a query fits. */
export interface BookPage {
  books: Book[];
  /** For `after` of the same query; `undefined` on the last page. It stays good whatever is stored or deleted. */
  next: string | undefined;
  /** How many books the query fits, on all pages; `undefined` unless it was asked for (`count`). */
  total: number | undefined;
}

/** A book, and what its contents are known by. */
export interface TaggedBook {
  book: Book;
  /** Changes with every change of title, author or year. */
  tag: string;
}

/** What became of many books that were sent together. */
export interface Imported {
  /** Of the books that were stored, in their order. */
  ids: number[];
  /** The others: `line` is the book's place, counted from 1. */
  rejected: { line: number; message: string }[];
}

/** What a service says of itself and of the client's token. */
export interface ServiceCheck {
  /** Whether it takes the token that the client sends. */
  accepted: boolean;
  /** The time that it has, by whole seconds; `undefined` when it does not say. */
  date: Date | undefined;
}

/** The data of an answer. @throws {ShelflistError} The service's own error, or `bad_response`. */
export function open({ status, headers, text }: Answer): unknown {
  try {
    return unwrap(status, text, headers['retry-after']);
  } catch (error) {
    throw error instanceof ShelflistError && error.code === 'invalid_query' ? refusedQuery(error) : error;
  }
}

/** The service says only that it refuses it. */
function refusedQuery(cause: ShelflistError): ShelflistError {
  return new ShelflistError('invalid_query', {
    message:
      'the service refuses the query: a value in it, or its cursor, is none of this query; or the service is older than this client and takes no query',
    cause,
  });
}

export function readToken(data: unknown): string {
  if (typeof data === 'object' && data !== null && 'token' in data && typeof data.token === 'string')
    return data.token;
  throw unexpected('a token');
}

export function readBook(data: unknown): Book {
  const book = toBook(data);
  if (book) return book;
  throw unexpected('a book');
}

/** The book that was asked for, and no other one. */
export function readBookOf(id: number, data: unknown): Book {
  const book = readBook(data);
  if (book.id === id) return book;
  throw unexpected(`book ${id}`);
}

export function readBooks(data: unknown): Book[] {
  if (Array.isArray(data)) return data.map(readBook);
  throw unexpected('a list of books');
}

/** @throws {ShelflistError} The service's own error, or `bad_response`: it has no tag that a write can name. */
export function readTagged(id: number, answer: Answer): TaggedBook {
  const book = readBookOf(id, open(answer));
  const tag = answer.headers.etag;
  // A weak tag (of a proxy that has changed the answer) is equal to none in `If-Match`.
  if (tag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(tag)) return { book, tag };
  throw unexpected('the tag of the book; a service older than this client has none');
}

/** @param isCounted Whether it was asked for the number of all books. @throws {ShelflistError} */
export function readPage(answer: Answer, isCounted: boolean): BookPage {
  const books = readBooks(open(answer));
  const { link, 'x-total-count': total } = answer.headers;
  const count = /^[0-9]{1,15}$/.test(String(total)) ? Number(total) : undefined;
  if (isCounted && count === undefined) throw unexpected('how many books fit');
  return {
    books,
    next: findNextCursor(typeof link === 'string' ? link : undefined),
    total: isCounted ? count : undefined,
  };
}

export function readImported(data: unknown): Imported {
  const { ids, rejected } = Object(data) as Partial<Record<keyof Imported, unknown>>;
  if (Array.isArray(ids) && ids.every(isId) && Array.isArray(rejected) && rejected.every(isRejection))
    return { ids, rejected };
  throw unexpected('what became of the books');
}

function isRejection(value: unknown): value is Imported['rejected'][number] {
  const { line, message } = Object(value) as Record<string, unknown>;
  return isId(line) && typeof message === 'string';
}

/** What an answer about a book, which may not be there, says of the service. */
export function readCheck(answer: Answer): ServiceCheck {
  const time = Date.parse(answer.headers.date ?? '');
  return { accepted: isAccepted(answer), date: Number.isNaN(time) ? undefined : new Date(time) };
}

function isAccepted(answer: Answer): boolean {
  try {
    open(answer);
    return true;
  } catch (error) {
    if (!(error instanceof ShelflistError) || error.code === 'bad_response') throw error;
    if (error.code === 'book_not_found') return true;
    if (error.code === 'token_required' || error.code === 'invalid_token') return false;
    throw error;
  }
}

function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', { message: `the server's answer does not hold ${expected}` });
}
