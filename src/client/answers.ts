import { unwrap, type RawResponse } from '../api/envelope.ts';
import { token } from '../api/models.ts';
import type { Book } from '../catalogue/book.ts';
import { hasCode, ShelflistError } from '../catalogue/errors.ts';

/** The data of a response. @throws {ShelflistError} The error of the service, or `bad_response`. */
export function dataOf(answer: RawResponse): unknown {
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
export function findRefusal(answer: RawResponse | object): ShelflistError | undefined {
  try {
    if ('text' in answer && answer.status >= 400) unwrap(answer);
  } catch (error) {
    if (hasCode(error, 'invalid_token', 'token_required')) return error;
  }
  return undefined;
}

export function readToken(response: RawResponse): string {
  const data = token.parse(dataOf(response));
  if (data) return data.token;
  throw unexpected('a token');
}

export function bookOf(id: number, book: Book): Book {
  if (book.id === id) return book;
  throw unexpected(`book ${id}`);
}

/** The tag of a book. @throws {ShelflistError} `bad_response`: it is missing or weak. */
export function tagOf({ headers }: RawResponse): string {
  const tag = headers.get('ETag') ?? '';
  // A weak tag, from a proxy that has changed the response, never matches in `If-Match`.
  if (/^"[!#-~]*"$/.test(tag)) return tag;
  throw unexpected('the tag of the book');
}

/** The number of matching books; `undefined` if the service does not tell it. */
export function totalOf({ headers }: RawResponse): number | undefined {
  const header = headers.get('X-Total-Count');
  if (header === null) return undefined;
  if (/^[0-9]{1,15}$/.test(header)) return Number(header);
  throw unexpected('the number of matching books');
}

/** The cursor of the next page; `undefined` on the last page. */
export function nextOf({ headers }: RawResponse): string | undefined {
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
    message: `the response of the service does not contain ${expected}`,
  });
}
