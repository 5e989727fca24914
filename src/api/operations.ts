/**
 * The operations of the service, one row each: what a request and its answer contain. `policies.ts` has the rest of each row: who
 * may, the message, the errors. The routes and their `Allow`, the OpenAPI document, the methods of the client, the labels of
 * metrics and the table of `docs/http-api.md` follow from both. Texts for people are beside the handlers in `server/routes/`.
 * The name of a row is its `operationId`. The operations on settings are in `settings.ts`, which clients do not load.
 */
import { maxCorrections, maxSuggestions } from '../catalogue/limits.ts';
import {
  authorCount,
  batchSummary,
  book,
  bookFields,
  bookPatch,
  correction,
  deletedBook,
  earlierState,
  foundBook,
  imported,
  login,
  loginCode,
  passwordChange,
  revert,
  statistics,
  suggestion,
  token,
  undo,
  undone,
  wanted,
} from './models.ts';
import {
  authorsParameters,
  batchesParameters,
  duplicatesParameters,
  isbnParameters,
  pageParameters,
  paging,
  suggestParameters,
  summaryParameters,
} from './queries.ts';
import { list, nothing, nullable, type Shape, type Shapes } from './shapes.ts';

/** A row. */
export interface Operation {
  /** The second segment of the path may be `{id}`, the id of a book, or `{batch}`. */
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: `/${string}`;
  readonly query?: Shapes;
  /** The shape of the JSON body. */
  readonly body?: Shape;
  /** Whether the body may be missing. */
  readonly isBodyOptional?: boolean;
  /** The shape of `data`. */
  readonly data: Shape;
}

export const getLiveness = {
  method: 'GET',
  path: '/livez',
  data: nothing,
} as const satisfies Operation;

export const getReadiness = {
  method: 'GET',
  path: '/readyz',
  data: nothing,
} as const satisfies Operation;

export const issueToken = {
  method: 'POST',
  path: '/token',
  body: login,
  data: token,
} as const satisfies Operation;

export const renewToken = {
  method: 'POST',
  path: '/token/renew',
  data: token,
} as const satisfies Operation;

export const createLoginCode = {
  method: 'POST',
  path: '/token/code',
  data: loginCode,
} as const satisfies Operation;

export const exchangeCode = {
  method: 'POST',
  path: '/token/exchange',
  body: loginCode,
  data: token,
} as const satisfies Operation;

export const changePassword = {
  method: 'POST',
  path: '/password',
  body: passwordChange,
  data: token,
} as const satisfies Operation;

export const listBooks = {
  method: 'GET',
  path: '/books',
  query: pageParameters,
  data: list(book),
} as const satisfies Operation;

export const importBooks = {
  method: 'POST',
  path: '/books',
  body: list(bookFields),
  data: imported,
} as const satisfies Operation;

export const lookUpBooks = {
  method: 'POST',
  path: '/books/lookup',
  body: list(wanted, { maxItems: 1000 }),
  data: list(nullable(book)),
} as const satisfies Operation;

export const lookUpIsbn = {
  method: 'GET',
  path: '/lookup',
  query: isbnParameters,
  data: foundBook,
} as const satisfies Operation;

export const createBook = {
  method: 'POST',
  path: '/book',
  body: bookFields,
  data: book,
} as const satisfies Operation;

export const getBook = {
  method: 'GET',
  path: '/book/{id}',
  data: book,
} as const satisfies Operation;

export const updateBook = {
  method: 'PUT',
  path: '/book/{id}',
  body: bookPatch,
  data: book,
} as const satisfies Operation;

export const deleteBook = {
  method: 'DELETE',
  path: '/book/{id}',
  data: nothing,
} as const satisfies Operation;

export const getStatistics = {
  method: 'GET',
  path: '/stats',
  query: pageParameters,
  data: statistics,
} as const satisfies Operation;

export const suggestValues = {
  method: 'GET',
  path: '/suggest',
  query: suggestParameters,
  data: list(suggestion, { maxItems: maxSuggestions }),
} as const satisfies Operation;

export const correctQuery = {
  method: 'GET',
  path: '/corrections',
  query: pageParameters,
  data: list(correction, { maxItems: maxCorrections }),
} as const satisfies Operation;

export const listAuthors = {
  method: 'GET',
  path: '/authors',
  query: authorsParameters,
  data: list(authorCount),
} as const satisfies Operation;

export const followChanges = {
  method: 'GET',
  path: '/changes',
  data: nothing,
} as const satisfies Operation;

export const getHistory = {
  method: 'GET',
  path: '/book/{id}/history',
  data: list(earlierState),
} as const satisfies Operation;

export const revertBook = {
  method: 'POST',
  path: '/book/{id}/revert',
  body: revert,
  isBodyOptional: true,
  data: book,
} as const satisfies Operation;

export const listTrash = {
  method: 'GET',
  path: '/trash',
  query: paging,
  data: list(deletedBook),
} as const satisfies Operation;

export const listBatches = {
  method: 'GET',
  path: '/batches',
  query: batchesParameters,
  data: list(batchSummary),
} as const satisfies Operation;

export const getBatch = {
  method: 'GET',
  path: '/batch/{batch}',
  query: summaryParameters,
  data: batchSummary,
} as const satisfies Operation;

export const undoBatch = {
  method: 'POST',
  path: '/batch/{batch}/undo',
  body: undo,
  isBodyOptional: true,
  data: undone,
} as const satisfies Operation;

export const listDuplicates = {
  method: 'GET',
  path: '/duplicates',
  query: duplicatesParameters,
  data: list(list(book, { minItems: 2 })),
} as const satisfies Operation;

export const getBackup = {
  method: 'GET',
  path: '/backup',
  data: nothing,
} as const satisfies Operation;

export const getMetrics = {
  method: 'GET',
  path: '/metrics',
  data: nothing,
} as const satisfies Operation;

export const getDocument = {
  method: 'GET',
  path: '/openapi.json',
  data: nothing,
} as const satisfies Operation;
