export { createClient, type Client, type ServiceCheck, type UndoResult } from './client.ts';
export type { BookPage, ResultPage, TaggedBook, WantedBook } from './methods.ts';
export type {
  CallOptions,
  ClientOptions,
  CreateOptions,
  RevertOptions,
  UndoOptions,
  WatchOptions,
  WriteCondition,
} from './options.ts';
export type { ChunkReader, Fetch, FetchInit, FetchResponse } from './wire.ts';
export type { WatchEvent, WatchReset } from './watch.ts';
export type { Book, BookFields, BookPatch } from '../catalogue/book.ts';
export type {
  BatchBook,
  BatchSummary,
  ChangeEvent,
  ChangeKind,
  DeletedBook,
  EarlierState,
} from '../catalogue/changes.ts';
export type { Imported } from '../api/envelope.ts';
export type {
  FieldName,
  FieldWith,
  IndexedInteger,
  IndexedText,
  RangeParameter,
  SearchedField,
  SuggestedField,
  WordsParameter,
} from '../catalogue/fields.ts';
export type { Correction } from '../catalogue/correction.ts';
export type { AuthorCount, AuthorOrder } from '../catalogue/authors.ts';
export type {
  AuthorsQuery,
  AuthorVariantsQuery,
  BatchesQuery,
  DuplicatesQuery,
  PageQuery,
  Paging,
} from '../api/queries.ts';
export type { Statistics } from '../catalogue/statistics.ts';
export type { Suggestion } from '../catalogue/suggestion.ts';
export type { BookFilter, BookQuery, Range, WordMember } from '../catalogue/query.ts';
export type { Sort, SortKey } from '../catalogue/sorts.ts';
export type { WholeText } from '../catalogue/spelling.ts';
export type { DuplicateLevel } from '../catalogue/duplicate-levels.ts';
export {
  ShelflistError,
  type ErrorCode,
  type ShelflistErrorOptions,
  type WireErrorCode,
} from '../catalogue/errors.ts';
