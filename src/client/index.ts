export { createClient, type Client, type ServiceCheck, type UndoResult } from './client.ts';
export type {
  AuthorsPage,
  AuthorVariantsPage,
  BookPage,
  BatchesPage,
  DeletedPage,
  DuplicatesPage,
  Operations,
  PageOptions,
  TaggedBook,
} from './operations.ts';
export type {
  AnyOptions,
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
  BatchSummary,
  ChangeEvent,
  ChangeKind,
  DeletedBook,
  EarlierState,
} from '../catalogue/changes.ts';
export type { Imported } from '../catalogue/envelope.ts';
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
export type { AuthorCount, AuthorOrder, AuthorsQuery, AuthorVariantsQuery } from '../catalogue/authors.ts';
export type { Statistics } from '../catalogue/statistics.ts';
export type { Suggestion } from '../catalogue/suggestion.ts';
export type { BookFilter, BookQuery, Range, Sort, SortKey, WordMember } from '../catalogue/query.ts';
export type { WholeText } from '../catalogue/spelling.ts';
export type { DuplicateLevel, DuplicatesQuery } from '../catalogue/duplicates.ts';
export type { PageQuery } from '../catalogue/query-string.ts';
export {
  ShelflistError,
  type ErrorCode,
  type ShelflistErrorOptions,
  type WireErrorCode,
} from '../catalogue/errors.ts';
