import { isId, toBook, type Book } from '../catalogue/book.ts';
import { unwrap, type Answer } from '../catalogue/envelope.ts';
import { hasCode, ShelflistError } from '../catalogue/errors.ts';

/** The data of a response. @throws {ShelflistError} The error of the service, or `bad_response`. */
export function open(answer: Answer): unknown {
  try {
    return unwrap(answer);
  } catch (cause) {
    if (!hasCode(cause, 'invalid_query')) throw cause;
    throw new ShelflistError('invalid_query', {
      message:
        'the service refuses the query: its value or cursor is not valid, or the service is older than the client',
      cause,
      requestId: cause.requestId,
    });
  }
}

/** The error of a response that refuses the token, or requires one. */
export function findRefusal(answer: Answer | object): ShelflistError | undefined {
  try {
    if ('text' in answer && answer.status >= 400) unwrap(answer);
  } catch (error) {
    if (hasCode(error, 'invalid_token', 'token_required')) return error;
  }
  return undefined;
}

/** A function that accepts the value, a list of one shape, or an object with some members. */
type Shape = ((value: unknown) => boolean) | readonly [Shape] | { readonly [name: string]: Shape };

type ValueOf<S> = S extends (value: unknown) => value is infer Value
  ? Value
  : S extends readonly [infer Element]
    ? ValueOf<Element>[]
    : { -readonly [Name in keyof S]: ValueOf<S[Name]> };

/** Data of a response, if it has a shape. @throws {ShelflistError} `bad_response` */
export function readAs<const S extends Shape>(expected: string, shape: S, data: unknown): ValueOf<S> {
  if (fits(shape, data)) return data as ValueOf<S>;
  throw unexpected(expected);
}

function fits(shape: Shape, value: unknown): boolean {
  if (typeof shape === 'function') return shape(value);
  if (isList(shape)) return Array.isArray(value) && value.every((each) => fits(shape[0], each));
  const members = Object(value) as Record<string, unknown>;
  return Object.entries(shape).every(([name, each]) => fits(each, members[name]));
}

const isList = (shape: Shape): shape is readonly [Shape] => Array.isArray(shape);

export const isAny = (value: unknown): value is unknown => value !== undefined;
export const isText = (value: unknown): value is string => typeof value === 'string';
export const isInteger = (value: unknown): value is number => Number.isSafeInteger(value);
export const isTime = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));
export const orNull =
  <Value>(isValue: (value: unknown) => value is Value) =>
  (value: unknown): value is Value | null =>
    value === null || isValue(value);
export const isCount = (value: unknown): value is number => value === 0 || isId(value);

export function readToken(data: unknown): string {
  return readAs('a token', { token: isText }, data).token;
}

export function readBook(data: unknown): Book {
  const book = toBook(data);
  if (book) return book;
  throw unexpected('a book');
}

export function readBookOf(id: number, data: unknown): Book {
  const book = readBook(data);
  if (book.id === id) return book;
  throw unexpected(`book ${id}`);
}

export function readBooks(data: unknown): Book[] {
  return readAs('a list of books', [isAny], data).map(readBook);
}

/** @throws {ShelflistError} The error of the service; or `bad_response`: the tag is missing or weak. */
export function readTagged(id: number, answer: Answer): { book: Book; tag: string } {
  const book = readBookOf(id, open(answer));
  const tag = answer.headers.get('ETag') ?? '';
  // A weak tag, from a proxy that has changed the response, never matches in `If-Match`.
  if (/^"[!#-~]*"$/.test(tag)) return { book, tag };
  throw unexpected('the tag of the book');
}

/** The cursor of the next page; `undefined` on the last page. */
export function nextOf({ headers }: Answer): string | undefined {
  return findNextCursor(headers.get('Link'));
}

/**
 * The cursor in the `Link` header of a page. The rest of the link is ignored: a response must not decide where the next request
 * goes.
 *
 * @throws {ShelflistError} `bad_response`: the link to the next page has no cursor.
 */
export function findNextCursor(header: string | null): string | undefined {
  const [, target] = /<([^<>]*)>\s*;\s*rel="?next"?\s*(?:[,;]|$)/i.exec(header ?? '') ?? [];
  if (target === undefined) return undefined;
  const cursor = new URLSearchParams(/^[^?#]*\?([^#]*)/.exec(target)?.[1]).get('after');
  if (cursor) return cursor;
  throw unexpected('the cursor of the next page');
}

/** The error for a response of an unexpected shape. */
export function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response does not contain ${expected}`,
  });
}
