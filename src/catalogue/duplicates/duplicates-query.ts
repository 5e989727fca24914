import { isId } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { asLimit, asText, parseParameters } from '../query-string.ts';
import { duplicateLevels, type DuplicateLevel } from './duplicates.ts';

/** Selects a page of the groups of duplicates. */
export interface DuplicatesQuery {
  /** Default `same`. */
  level?: DuplicateLevel | undefined;
  /** Page size in groups, 1 to 1000. Default: all groups. */
  limit?: number | undefined;
  /** The cursor of the previous page. */
  after?: string | undefined;
}

/** The parameters of `GET /duplicates`. */
const parameters = {
  level: { read: (text: string) => duplicateLevels.find((level) => level === text), type: 'string' },
  limit: { read: asLimit, type: 'number' },
  after: { read: asText, type: 'string' },
} as const;

/**
 * Reads a query string (without `?`).
 *
 * @throws {ShelflistError} `invalid_query`: a parameter is unknown, repeated or malformed.
 */
export function parseDuplicatesQuery(text: string): DuplicatesQuery {
  return parseParameters(text, parameters);
}

/**
 * A query as a query string, without `?`. The empty query gives the empty string.
 *
 * @throws {TypeError} The query has an unknown member or one of the wrong type.
 */
export function formatDuplicatesQuery(query: DuplicatesQuery): string {
  if (typeof query !== 'object' || query === (null as unknown) || Array.isArray(query))
    throw new TypeError('query: expected an object such as { level }');
  const result = new URLSearchParams();
  const unknown = Object.keys(query).find((name) => !Object.hasOwn(parameters, name));
  if (unknown !== undefined) throw new TypeError(`query.${unknown}: unknown member`);
  for (const name of Object.keys(parameters) as (keyof DuplicatesQuery)[]) {
    const value = query[name];
    if (value === undefined) continue;
    const { type } = parameters[name];
    if (typeof value !== type) throw new TypeError(`query.${name}: expected a ${type}`);
    result.set(name, String(value));
  }
  return result.toString();
}

/** The position after a group as text for a URL, valid for one level. Only {@link parseGroupCursor} reads it. */
export function formatGroupCursor(level: DuplicateLevel, firstId: number): string {
  return Buffer.from(JSON.stringify([level, firstId])).toString('base64url');
}

/** @throws {ShelflistError} `invalid_query`: the text is not a cursor, or is that of another level. */
export function parseGroupCursor(level: DuplicateLevel, text: string): number {
  const id = readId(text);
  // A cursor has one spelling.
  if (isId(id) && formatGroupCursor(level, id) === text) return id;
  throw new ShelflistError('invalid_query', {
    message: '"after" is not a cursor of this query; take it from the Link of the previous page',
  });
}

function readId(text: string): unknown {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(value) ? value[1] : undefined;
  } catch {
    return undefined;
  }
}
