import { asLimit, asText, formatParameters, parseParameters } from '../query-string.ts';
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

/** The parameters of `GET /duplicates`, and how their values are read. */
const parameters = {
  level: (text: string) => duplicateLevels.find((level) => level === text),
  limit: asLimit,
  after: asText,
};
const types = { level: 'string', limit: 'number', after: 'string' } as const;

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
  return formatParameters(query, types);
}
