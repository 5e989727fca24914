import { ShelflistError } from './errors.ts';
import {
  indexedIntegers,
  indexedTexts,
  mapFields,
  searchedFields,
  type IndexedInteger,
  type RangeParameter,
  type SearchedField,
  type WordsParameter,
} from './fields.ts';
import { sorts, type BookQuery } from './query.ts';

export const maxLimit = 1000;

/** A query, and the requested page of its result. */
export interface PageQuery extends BookQuery {
  /** Page size, 1 to 1000. Default: all books. */
  limit?: number | undefined;
  /** The cursor of the previous page. */
  after?: string | undefined;
  /** Whether to count all matching books. Default false. */
  count?: boolean | undefined;
}

type Reader<Value> = (text: string) => Value | undefined;

export const asText: Reader<string> = (text) => (text.isWellFormed() ? text : undefined);
const asInteger: Reader<number> = (text) =>
  /^(0|-?[1-9][0-9]{0,15})$/.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
export const asLimit: Reader<number> = (text) => {
  const value = asInteger(text);
  return value !== undefined && value >= 1 && value <= maxLimit ? value : undefined;
};
const asFlag: Reader<boolean> = (text) => (text === 'true' ? true : text === 'false' ? false : undefined);
const asSort: Reader<NonNullable<BookQuery['sort']>> = (text) => sorts.find((each) => each === text);

type ParameterType = 'string' | 'number' | 'boolean';

/** The types of the members of a query. */
const types: Readonly<Record<keyof PageQuery, ParameterType>> = /* @__PURE__ */ perParameter({
  text: 'string',
  integer: 'number',
  sort: 'string',
  limit: 'number',
  count: 'boolean',
});

/** The parameters of `GET /books`, and how their values are read. */
export const parameters: Readonly<Record<keyof PageQuery, Reader<string | number | boolean>>> =
  /* @__PURE__ */ perParameter<Reader<string | number | boolean>>({
    text: asText,
    integer: asInteger,
    sort: asSort,
    limit: asLimit,
    count: asFlag,
  });

/** A record with a value for each parameter, by its kind. */
function perParameter<Value>(
  values: Readonly<Record<'text' | 'integer' | 'sort' | 'limit' | 'count', Value>>,
): Record<keyof PageQuery, Value> {
  const { text, integer, sort, limit, count } = values;
  return {
    q: text,
    ...wordsParameters(() => text),
    ...mapFields(indexedTexts, () => text),
    ...rangeParameters(() => integer),
    sort,
    limit,
    after: text,
    count,
  };
}

/** The parameters for words of one searched field. */
export function wordsParameters<Value>(
  valueOf: (name: SearchedField) => Value,
): Record<WordsParameter, Value> {
  const entries = searchedFields.map((name) => [`${name}Words`, valueOf(name)] as const);
  return Object.fromEntries(entries) as Record<WordsParameter, Value>;
}

/** The parameters of the integer fields: for each an exact value, a minimum and a maximum. */
export function rangeParameters<Value>(
  valueOf: (name: IndexedInteger, end: '' | 'From' | 'To') => Value,
): Record<RangeParameter, Value> {
  const entries = indexedIntegers.flatMap((name) =>
    (['', 'From', 'To'] as const).map((end) => [`${name}${end}`, valueOf(name, end)] as const),
  );
  return Object.fromEntries(entries) as Record<RangeParameter, Value>;
}

/**
 * Reads a query string (without `?`).
 *
 * @throws {ShelflistError} `invalid_query`: a parameter is unknown, repeated or malformed.
 */
export function parsePageQuery(text: string): PageQuery {
  return parseParameters(text, parameters);
}

/** As {@link parsePageQuery}, for other parameters. */
export function parseParameters(
  text: string,
  parameters: Readonly<Record<string, Reader<unknown>>>,
): Record<string, unknown> {
  const query: Record<string, unknown> = {};
  for (const pair of text.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (!Object.hasOwn(parameters, name)) throw invalid(name, 'unknown parameter');
    if (Object.hasOwn(query, name)) throw invalid(name, 'repeated parameter');
    const value = parameters[name]?.(equals === -1 ? '' : decode(pair.slice(equals + 1)));
    if (value === undefined) throw invalid(name, 'malformed value');
    query[name] = value;
  }
  return query;
}

/**
 * A query as a query string, without `?`. The empty query gives the empty string.
 *
 * @throws {TypeError} The query is not an object, or it has an unknown member or one of the wrong type. Ignoring that would
 * match other books.
 */
export function formatPageQuery(query: PageQuery): string {
  return formatParameters(query, types);
}

/** As {@link formatPageQuery}, for other parameters. */
export function formatParameters<Query extends object>(
  query: Query,
  types: Readonly<Record<keyof Query, ParameterType>>,
): string {
  if (typeof query !== 'object' || query === (null as unknown) || Array.isArray(query))
    throw new TypeError('query: expected an object such as { limit }');
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(types, name));
  if (unknown !== undefined) throw new TypeError(`query.${unknown}: unknown member`);
  const result = new URLSearchParams();
  for (const name of Object.keys(types) as (keyof Query & string)[]) {
    const value = query[name] as string | number | boolean | undefined;
    if (value === undefined) continue;
    const type = types[name];
    if (typeof value !== type) throw new TypeError(`query.${name}: expected a ${type}`);
    const text = String(value);
    if (!text.isWellFormed()) throw new TypeError(`query.${name}: it contains half a surrogate pair`);
    result.set(name, text);
  }
  return result.toString();
}

/**
 * A query string with another cursor, safe for a `Link` header. The rest keeps its spelling, because another might be too
 * long to send.
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
    throw new ShelflistError('invalid_query', { message: 'the query is not percent-encoded UTF-8', cause });
  }
}

function invalid(name: string, problem: string): ShelflistError {
  return new ShelflistError('invalid_query', { message: `${JSON.stringify(name)}: ${problem}` });
}
