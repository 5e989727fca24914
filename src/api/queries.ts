// The parameters of requests: what a program passes, and their shapes in a query string.
import { authorOrders, type AuthorOrder } from '../catalogue/authors.ts';
import { duplicateLevels, type DuplicateLevel } from '../catalogue/duplicate-levels.ts';
import {
  indexedIntegers,
  indexedTexts,
  mapFields,
  searchedFields,
  suggestedFields,
  type IndexedInteger,
  type RangeParameter,
  type SearchedField,
  type SuggestedField,
  type WordsParameter,
} from '../catalogue/fields.ts';
import { maxBatchBooks } from '../catalogue/limits.ts';
import type { BookQuery } from '../catalogue/query.ts';
import { sorts } from '../catalogue/sorts.ts';
import { anyInteger } from './models.ts';
import { flag, integer, oneOf, text, type Shape } from './shapes.ts';

/** The maximum page size. */
export const maxLimit = 1000;

/** A page of a list: at most `limit` items, those after the mark `after`. */
export interface Paging {
  /** Page size, 1 to 1000. Default: all. */
  limit?: number | undefined;
  /** The cursor of the previous page. */
  after?: string | undefined;
}

/** A query, and the requested page of its result. */
export interface PageQuery extends BookQuery, Paging {
  /** Whether to count all matching books. Default false. */
  count?: boolean | undefined;
}

/** Selects a page of the groups of spellings of one name. */
export interface AuthorVariantsQuery extends Paging {
  /** Prefixes of words of the name: every word must match. Default: every author. */
  q?: string | undefined;
}

/** Selects and orders authors. */
export interface AuthorsQuery extends AuthorVariantsQuery {
  /** Default `author`. */
  sort?: AuthorOrder | undefined;
}

/** The parameters of `GET /authors`. */
export interface AuthorsParameters extends AuthorsQuery {
  /** Whether to group the spellings of one name instead. Default false. */
  variants?: boolean | undefined;
}

/** Selects a page of the groups of duplicates: `limit` counts groups. */
export interface DuplicatesQuery extends Paging {
  /** Default `same`. */
  level?: DuplicateLevel | undefined;
}

/** Selects a page of the batches. */
export interface BatchesQuery extends Paging {
  /** How many of the books of each to name, 1 to 50. Default: none. */
  books?: number | undefined;
}

/** Selects suggestions. */
export interface SuggestQuery {
  field?: SuggestedField | undefined;
  q?: string | undefined;
}

/** The shapes of the parameters of a query. */
export type ParametersOf<Query> = {
  readonly [Name in keyof Query]-?: Shape<NonNullable<Query[Name]>>;
};

export const paging = {
  limit: integer({ minimum: 1, maximum: maxLimit }),
  after: text(),
} satisfies ParametersOf<Paging>;

/** The parameters that select and order books. */
export const bookParameters: ParametersOf<BookQuery> = /* @__PURE__ */ listBookParameters();

function listBookParameters(): ParametersOf<BookQuery> {
  return {
    q: text(),
    ...wordsParameters(() => text()),
    ...mapFields(indexedTexts, () => text()),
    ...rangeParameters(() => anyInteger),
    sort: oneOf(sorts),
  };
}

/** The parameters of `GET /books`. */
export const pageParameters: ParametersOf<PageQuery> = {
  ...bookParameters,
  ...paging,
  count: flag(),
};

export const authorsParameters = {
  q: text(),
  sort: oneOf(authorOrders),
  variants: flag(),
  ...paging,
} satisfies ParametersOf<AuthorsParameters>;

export const duplicatesParameters = {
  level: oneOf(duplicateLevels),
  ...paging,
} satisfies ParametersOf<DuplicatesQuery>;

export const suggestParameters = {
  field: oneOf(suggestedFields),
  q: text(),
} satisfies ParametersOf<SuggestQuery>;

/** The parameters of `GET /batch/{batch}`. */
export const summaryParameters = {
  books: integer({ minimum: 1, maximum: maxBatchBooks }),
} satisfies ParametersOf<Pick<BatchesQuery, 'books'>>;

/** The parameters of `GET /batches`. */
export const batchesParameters = { ...paging, ...summaryParameters } satisfies ParametersOf<BatchesQuery>;

/** The parameters of `GET /lookup`. */
export const isbnParameters = { isbn: text() };

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
