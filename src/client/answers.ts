import { isId, toBook, type Book } from '../catalogue/book.ts';
import { unwrap, type Answer } from '../catalogue/envelope.ts';
import { ShelflistError } from '../catalogue/errors.ts';

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

/** What a value has to be: what a function accepts, a list of something, or an object with some members. */
type Shape = ((value: unknown) => boolean) | readonly [Shape] | { readonly [name: string]: Shape };

/** A value of a shape. */
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
export const isCount = (value: unknown): value is number => value === 0 || isId(value);

export function readToken(data: unknown): string {
  return readAs('a token', { token: isText }, data).token;
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
  return readAs('a list of books', [isAny], data).map(readBook);
}

/** The error for a response that is from something else, or from a service that is not understood. */
export function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response does not contain ${expected}`,
  });
}
