import { ShelflistError } from '../errors.ts';
import { sortKeys, type BookQuery } from './query.ts';

/** The most books that one page can be asked for. */
export const maxLimit = 1000;

/** A query, and which part of its answer. */
export interface PageQuery extends BookQuery {
  /** So many books at the most, from 1 to 1000. Default: all of them. */
  limit?: number;
  /** What the page before said of where it ends. */
  after?: string;
  /** Whether to count all books that the query fits. Default false. */
  count?: boolean;
}

type Reader<Value> = (text: string) => Value | undefined;

const asText: Reader<string> = (text) => (text.isWellFormed() ? text : undefined);
const asInteger: Reader<number> = (text) =>
  /^(0|-?[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
const asLimit: Reader<number> = (text) => {
  const value = asInteger(text);
  return value !== undefined && value >= 1 && value <= maxLimit ? value : undefined;
};
const asFlag: Reader<boolean> = (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
const asSort: Reader<NonNullable<BookQuery['sort']>> = (text) =>
  sortKeys.flatMap((key) => [key, `-${key}`] as const).find((each) => each === text);

/** Every parameter of `GET /books`, and how it is read. */
const readers: { readonly [Name in keyof PageQuery]-?: Reader<NonNullable<PageQuery[Name]>> } = {
  q: asText,
  author: asText,
  title: asText,
  year: asInteger,
  yearFrom: asInteger,
  yearTo: asInteger,
  sort: asSort,
  limit: asLimit,
  after: asText,
  count: asFlag,
};

/**
 * Reads a query string (without `?`).
 *
 * @throws {ShelflistError} `invalid_query`: a parameter is unknown, repeated or malformed.
 */
export function parsePageQuery(text: string): PageQuery {
  const query: Record<string, unknown> = {};
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (!Object.hasOwn(readers, name)) throw invalid(name, 'there is no such parameter');
    if (Object.hasOwn(query, name)) throw invalid(name, 'it stands there twice');
    const value = readers[name as keyof PageQuery](equals === -1 ? '' : decode(pair.slice(equals + 1)));
    if (value === undefined) throw invalid(name, 'it is malformed');
    query[name] = value;
  }
  return query;
}

/** The type of each parameter as a member of a query. */
const types: { readonly [Name in keyof PageQuery]-?: 'string' | 'number' | 'boolean' } = {
  q: 'string',
  author: 'string',
  title: 'string',
  year: 'number',
  yearFrom: 'number',
  yearTo: 'number',
  sort: 'string',
  limit: 'number',
  after: 'string',
  count: 'boolean',
};

/**
 * A query as a query string, without `?`; empty when it asks for nothing in particular.
 *
 * @throws {TypeError} It is not an object; or it has an unknown member, or one of the wrong type: ignoring it would
 * match other books.
 */
export function formatPageQuery(query: PageQuery): string {
  if (typeof query !== 'object' || query === (null as unknown) || Array.isArray(query))
    throw new TypeError('query: expected an object such as { q }');
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(readers, name));
  if (unknown !== undefined) throw new TypeError(`query.${unknown}: there is no such member`);
  const parameters = new URLSearchParams();
  for (const name of Object.keys(readers) as (keyof PageQuery)[]) {
    const value = query[name];
    if (value === undefined) continue;
    if (typeof value !== types[name]) throw new TypeError(`query.${name}: expected a ${types[name]}`);
    const text = String(value);
    if (!text.isWellFormed()) throw new TypeError(`query.${name}: it holds half a surrogate pair`);
    parameters.set(name, text);
  }
  return parameters.toString();
}

/**
 * A query string with another cursor, as it may stand in a `Link`. The rest is spelled as it was: spelled anew, it
 * might be too long to be sent.
 */
export function withCursor(queryString: string, cursor: string): string {
  const rest = queryString
    .split('&')
    .filter((pair) => pair !== '' && decode(pair.split('=', 1)[0] ?? '') !== 'after')
    .map((pair) => pair.replace(/[<>"\\]/g, encodeURIComponent));
  return [...rest, `after=${cursor}`].join('&');
}

/** Percent-encoded UTF-8; `+` is a space. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new ShelflistError('invalid_query', { message: 'it is not percent-encoded UTF-8', cause });
  }
}

function invalid(name: string, problem: string): ShelflistError {
  return new ShelflistError('invalid_query', { message: `${JSON.stringify(name)}: ${problem}` });
}
