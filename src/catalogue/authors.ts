import { asLimit, asText, formatParameters, parseParameters } from './query-string.ts';

/** An author, and the number of books. */
export interface AuthorCount {
  /** One spelling of the name. */
  author: string;
  /** The number of books. */
  count: number;
}

/** The orders of authors. Those with the same number of books are ordered by name. */
export const authorOrders = ['author', '-author', 'count', '-count'] as const;
/** What authors are sorted by. A leading `-` reverses the order: from Z to A, or those with the most books first. */
export type AuthorOrder = (typeof authorOrders)[number];

/** Selects a page of the groups of spellings of one name. */
export interface AuthorVariantsQuery {
  /** Prefixes of words of the name: every word must match. Default: every author. */
  q?: string | undefined;
  /** Page size, 1 to 1000. Default: all. */
  limit?: number | undefined;
  /** The cursor of the previous page. */
  after?: string | undefined;
}

/** Selects and orders authors. */
export interface AuthorsQuery extends AuthorVariantsQuery {
  /** Default `author`. */
  sort?: AuthorOrder | undefined;
}

/** The parameters of `GET /authors`, and how their values are read. */
const parameters = {
  q: asText,
  sort: (text: string) => authorOrders.find((order) => order === text),
  limit: asLimit,
  after: asText,
  variants: (text: string) => (text === 'true' ? true : text === 'false' ? false : undefined),
};

const types = {
  q: 'string',
  sort: 'string',
  limit: 'number',
  after: 'string',
  variants: 'boolean',
} as const;

/** The parameters of `GET /authors`. */
export interface AuthorsParameters extends AuthorsQuery {
  /** Whether to group the spellings of one name instead. Default false. */
  variants?: boolean | undefined;
}

/**
 * Reads a query string (without `?`).
 *
 * @throws {ShelflistError} `invalid_query`: a parameter is unknown, repeated or malformed.
 */
export function parseAuthorsQuery(text: string): AuthorsParameters {
  return parseParameters(text, parameters);
}

/**
 * A query as a query string, without `?`. The empty query gives the empty string.
 *
 * @throws {TypeError} The query has an unknown member or one of the wrong type.
 */
export function formatAuthorsQuery(query: AuthorsParameters): string {
  return formatParameters(query, types);
}
