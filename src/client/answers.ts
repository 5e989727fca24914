import { isBatch } from '../catalogue/batch.ts';
import { isId, toBook, type Book } from '../catalogue/book.ts';
import { unwrap, type Answer, type Imported } from '../catalogue/envelope.ts';
import { ShelflistError } from '../catalogue/errors.ts';

/** The data of a response. @throws {ShelflistError} The error of the service, or `bad_response`. */
export function open(answer: Answer): unknown {
  try {
    return unwrap(answer);
  } catch (cause) {
    if (!hasCode(cause, 'invalid_query')) throw cause;
    throw new ShelflistError('invalid_query', {
      message:
        'the service refuses the query: a value or the cursor is not valid, or the service is older than this client',
      cause,
      requestId: (cause as ShelflistError).requestId,
    });
  }
}

export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof ShelflistError && codes.includes(error.code);
}

/** The error with which the service refuses the token of a request, or requires one; `undefined` for another response. */
export function findRefusal(answer: Answer | object): ShelflistError | undefined {
  try {
    if ('text' in answer) unwrap(answer);
  } catch (error) {
    if (hasCode(error, 'invalid_token', 'token_required')) return error as ShelflistError;
  }
  return undefined;
}

export function readToken(data: unknown): string {
  const { token } = membersOf(data);
  if (typeof token === 'string') return token;
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
  return readList('a list of books', data, readBook);
}

/** Reads each element of a list. */
export function readList<Item>(expected: string, data: unknown, readItem: (item: unknown) => Item): Item[] {
  if (Array.isArray(data)) return data.map(readItem);
  throw unexpected(expected);
}

export function readImported(data: unknown): Imported {
  const { ids, rejected, import: batch } = membersOf(data);
  if (Array.isArray(ids) && ids.every(isId) && isBatch(batch))
    return { ids, rejected: readList('the result of an import', rejected, readRejection), import: batch };
  throw unexpected('the result of an import');
}

function readRejection(data: unknown): Imported['rejected'][number] {
  const { line, message } = membersOf(data);
  if (isId(line) && typeof message === 'string') return { line, message };
  throw unexpected('the result of an import');
}

export function isCount(value: unknown): value is number {
  return value === 0 || isId(value);
}

/** The members of an object; none of any other value. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return Object(value) as Record<string, unknown>;
}

/** The error for a response that is from something else, or from a service that is not understood. */
export function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response does not contain ${expected}`,
  });
}
