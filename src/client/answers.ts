import { isBatch } from '../catalogue/batch.ts';
import { isId, toBook, type Book } from '../catalogue/book.ts';
import { unwrap, type Imported } from '../catalogue/envelope.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import { findNextCursor } from './links.ts';
import type { Answer } from './transport.ts';

export type { Imported } from '../catalogue/envelope.ts';

/** A page of the books that match a query. */
export interface BookPage {
  /** The books, in the order of the query. */
  books: Book[];
  /** The cursor of the next page, for `after` of the same query; `undefined` on the last page. It does not expire. */
  next: string | undefined;
  /** The number of books on all pages; `undefined` unless the query has `count`. */
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

/** The result of {@link Client.check}. */
export interface ServiceCheck {
  /** Whether the service accepts the token of the client. */
  accepted: boolean;
  /** The time of the service in whole seconds, if it sends it. */
  date: Date | undefined;
}

/** The data of a response. @throws {ShelflistError} The error of the service, or `bad_response`. */
export function open({ status, headers, text }: Answer): unknown {
  try {
    return unwrap(status, text, headers['retry-after']);
  } catch (cause) {
    if (!hasCode(cause, 'invalid_query')) throw cause;
    throw new ShelflistError('invalid_query', {
      message:
        'the service refuses the query: a value in it, or its cursor, is not valid; or the service is older than this client and does not support it',
      cause,
    });
  }
}

function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ShelflistError && codes.includes(error.code);
}

/** Whether the service refuses the token of a request, or requires one. */
export function isTokenRefused(answer: Answer | { status: number }): boolean {
  if (answer.status !== 401 || !('text' in answer)) return false;
  try {
    open(answer);
    return false;
  } catch (error) {
    return hasCode(error, 'invalid_token', 'token_required');
  }
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

/** Reads a book with this id. */
export function readBookOf(id: number, data: unknown): Book {
  const book = readBook(data);
  if (book.id === id) return book;
  throw unexpected(`book ${id}`);
}

export function readBooks(data: unknown): Book[] {
  if (Array.isArray(data)) return data.map(readBook);
  throw unexpected('a list of books');
}

/** @throws {ShelflistError} The error of the service; or `bad_response`: the tag is missing or weak. */
export function readTagged(id: number, answer: Answer): TaggedBook {
  const book = readBookOf(id, open(answer));
  const tag = answer.headers.etag;
  // A weak tag, from a proxy that has changed the response, never matches in `If-Match`.
  if (tag !== undefined && /^"[\x21\x23-\x7e]*"$/.test(tag)) return { book, tag };
  throw unexpected('the tag of the book; a service older than this client sends none');
}

/** @param isCounted Whether the query has `count`. */
export function readPage(answer: Answer, isCounted: boolean): BookPage {
  const books = readBooks(open(answer));
  const { link, 'x-total-count': total } = answer.headers;
  const count = /^[0-9]{1,15}$/.test(String(total)) ? Number(total) : undefined;
  if (isCounted && count === undefined) throw unexpected('the number of matching books');
  return {
    books,
    next: findNextCursor(typeof link === 'string' ? link : undefined),
    total: isCounted ? count : undefined,
  };
}

export function readDuplicates(answer: Answer): DuplicatesPage {
  const groups = open(answer);
  const { link } = answer.headers;
  if (!Array.isArray(groups)) throw unexpected('groups of books');
  return { groups: groups.map(readBooks), next: findNextCursor(typeof link === 'string' ? link : undefined) };
}

export function readImported(data: unknown): Imported {
  const { ids, rejected, import: batch } = Object(data) as Partial<Record<keyof Imported, unknown>>;
  const isList = Array.isArray(ids) && ids.every(isId);
  if (isList && Array.isArray(rejected) && rejected.every(isRejection) && isBatch(batch))
    return { ids, rejected, import: batch };
  throw unexpected('the result of an import');
}

function isRejection(value: unknown): value is Imported['rejected'][number] {
  const { line, message } = Object(value) as Record<string, unknown>;
  return isId(line) && typeof message === 'string';
}

/** Reads the response to a request for a book, which may not exist. */
export function readCheck(answer: Answer): ServiceCheck {
  const accepted = !isTokenRefused(answer);
  try {
    if (accepted) open(answer);
  } catch (error) {
    if (!hasCode(error, 'book_not_found')) throw error;
  }
  const time = Date.parse(answer.headers.date ?? '');
  return { accepted, date: Number.isNaN(time) ? undefined : new Date(time) };
}

function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response does not contain ${expected}`,
  });
}
