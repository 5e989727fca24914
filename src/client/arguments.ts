import { isBatch } from '../catalogue/batch.ts';
import { isId } from '../catalogue/book.ts';
import { formatDuplicatesQuery, type DuplicatesQuery } from '../catalogue/duplicates/duplicates-query.ts';
import { suggestedFields, type SuggestedField } from '../catalogue/fields.ts';
import { formatPageQuery, type PageQuery } from '../catalogue/query-string.ts';
import type { Exchange } from './transport.ts';

/** Where the service is, and how the client behaves. */
export interface ClientOptions {
  /** The address of the service, including the path it is mounted under. Default `http://127.0.0.1:8080`. */
  url?: string | undefined;
  /** A token of an earlier login. */
  token?: string | undefined;
  /** The maximum wait for a response, in milliseconds. Default 30,000. */
  timeoutMs?: number | undefined;
  /**
   * Called when the service refuses the token of a request. The request is then sent once more, with the token that this
   * returns. Requests with the same token share one call. Default: the request fails.
   */
  onUnauthorized?: (() => Promise<string>) | undefined;
  /** Called with each renewed token and the one that it replaces, to store it. Requests wait for it. */
  onRenewed?: ((token: string, previous: string) => void | Promise<void>) | undefined;
}

const optionNames = ['url', 'token', 'timeoutMs', 'onUnauthorized', 'onRenewed'];
/** The maximum delay of timers. */
const maxTimeoutMs = 2 ** 31 - 1;

/**
 * Checks options whose wrong type could send requests elsewhere, or in another form.
 *
 * @throws {TypeError} An option has the wrong type; or `url` is missing, and an unknown option may be meant for it.
 */
export function checkOptions(options: ClientOptions): ClientOptions {
  if (typeof options !== 'object' || options === (null as unknown) || Array.isArray(options))
    throw new TypeError('options: expected an object such as { url }');
  const { url, token, timeoutMs, onUnauthorized, onRenewed } = options as Record<
    keyof ClientOptions,
    unknown
  >;
  if (url !== undefined && typeof url !== 'string') throw new TypeError('options.url: expected a string');
  const unknown = Object.keys(options).find((name) => !optionNames.includes(name));
  if (url === undefined && unknown !== undefined)
    throw new TypeError(`options.${unknown}: unknown option; the address of the service is options.url`);
  if (token !== undefined && (typeof token !== 'string' || !/^[\x20-\x7e]*$/.test(token)))
    throw new TypeError('options.token: expected a string of visible ASCII characters');
  if (
    timeoutMs !== undefined &&
    !(typeof timeoutMs === 'number' && timeoutMs >= 1 && timeoutMs <= maxTimeoutMs)
  )
    throw new TypeError(`options.timeoutMs: expected a number of milliseconds from 1 to ${maxTimeoutMs}`);
  if (onUnauthorized !== undefined && typeof onUnauthorized !== 'function')
    throw new TypeError('options.onUnauthorized: expected a function');
  if (onRenewed !== undefined && typeof onRenewed !== 'function')
    throw new TypeError('options.onRenewed: expected a function');
  return options;
}

/** The path of a book. @throws {TypeError} The id is not valid: as text, it could lead to another path. */
export function bookPath(id: number): string {
  if (!isId(id)) throw new TypeError('id: expected a whole number from 1 to 2^53-1');
  return `/book/${id}`;
}

/** The path of the books that match a query. @throws {TypeError} As {@link formatPageQuery} does. */
export function booksPath(query: PageQuery = {}): string {
  return queryPath('/books', query);
}

/** The path of a question about the books that match a query. @throws {TypeError} As {@link formatPageQuery} does. */
export function queryPath(path: string, query: PageQuery = {}): string {
  const text = formatPageQuery(query);
  return text === '' ? path : `${path}?${text}`;
}

/** The path of suggestions. @throws {TypeError} An argument is not text, or not the name of such a field. */
export function suggestPath(field: SuggestedField, q: string): string {
  if (!suggestedFields.includes(field))
    throw new TypeError(`field: expected one of ${suggestedFields.join(', ')}`);
  if (typeof q !== 'string' || !q.isWellFormed()) throw new TypeError('q: expected Unicode text');
  return `/suggest?${new URLSearchParams({ field, q }).toString()}`;
}

/** The path of the duplicates of a level. @throws {TypeError} As {@link formatDuplicatesQuery} does. */
export function duplicatesPath(query: DuplicatesQuery = {}): string {
  const text = formatDuplicatesQuery(query);
  return text === '' ? '/duplicates' : `/duplicates?${text}`;
}

/** The condition of a write, and its batch. */
export interface WriteCondition {
  /** A tag of the book: the write happens only if the book still has the contents of that tag. */
  ifMatch?: string | undefined;
  /**
   * The batch that the change belongs to, an id of your choice: 8 to 64 of `A-Z a-z 0-9 _ -`. {@link Client.undo} takes back
   * all changes of a batch.
   */
  batch?: string | undefined;
}

/** The options of a revert. */
export interface RevertOptions extends WriteCondition {
  /** The `version` of an earlier state. Default: the newest one that is kept. */
  version?: string | undefined;
}

/** `*`, or comma-separated entity tags (RFC 9110, section 13.1.1). */
const tags = /^(?:\*|(?:W\/)?"[\x21\x23-\x7e]*"(?:[\t ]*,[\t ]*(?:W\/)?"[\x21\x23-\x7e]*")*)$/;

/**
 * The headers of a condition.
 *
 * @param names The members that it may have.
 * @throws {TypeError} It is not a condition, or has an unknown member: the write would be unconditional.
 */
export function writeHeaders(
  condition: RevertOptions | undefined,
  names: readonly (keyof RevertOptions)[] = ['ifMatch', 'batch'],
): Exchange['headers'] {
  if (condition === undefined) return undefined;
  if (typeof condition !== 'object' || condition === (null as unknown))
    throw new TypeError('condition: expected an object such as { ifMatch: tag }');
  const unknown = Object.keys(condition).find((name) => !names.some((known) => known === name));
  if (unknown !== undefined) throw new TypeError(`condition.${unknown}: unknown member`);
  const { ifMatch, batch } = condition;
  return {
    ...(ifMatch !== undefined && { 'If-Match': checkTag('condition.ifMatch', ifMatch) }),
    ...(batch !== undefined && { Batch: checkBatch('condition.batch', batch) }),
  };
}

/** @throws {TypeError} It is not the id of a batch: as text, it could lead to another path. */
export function checkBatch(name: string, batch: unknown): string {
  if (isBatch(batch)) return batch;
  throw new TypeError(`${name}: expected 8 to 64 of A-Z, a-z, 0-9, _ and -`);
}

/** @throws {TypeError} It is not a tag. */
export function checkTag(name: string, tag: unknown): string {
  if (typeof tag === 'string' && tags.test(tag)) return tag;
  throw new TypeError(`${name}: expected a tag from getTagged(), in double quotes`);
}
