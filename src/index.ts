export { createServer, createHandler, type RequestHandler } from './server/server.ts';
export { createFetchHandler, type FetchHandler, type FetchInfo } from './server/fetch/fetch-handler.ts';
export type { Certificate } from './server/certificate.ts';
export type { Action, Authenticate, Authorize, LoginRequest, User } from './server/access.ts';
export type { ServerConfig, TokenClaims } from './server/config.ts';
export type { Hooks, RequestInfo, ResponseInfo } from './server/hooks.ts';
export type { Logger, LogFields } from './lib/logger.ts';
export { openStore } from './store/drivers.ts';
export type { BookStore, Changes, OpenedStore, StoreOptions } from './store/store.ts';
export type { ChangeEvents } from './store/events.ts';
export type { TrashPage, TrashRequest, Undone, UndoRequest, WriteOptions } from './store/history.ts';
export type { IdRange } from './store/ids.ts';
export type { Page, PageRequest } from './store/page.ts';
export {
  createClient,
  type BatchOption,
  type Client,
  type ClientOptions,
  type PageOptions,
  type RevertOptions,
  type WriteCondition,
} from './client/client.ts';
export type { WatchEvent, WatchOptions, WatchReset } from './client/watch.ts';
export type { BookPage, DuplicatesPage, Imported, ServiceCheck, TaggedBook } from './client/answers.ts';
export type { DeletedPage, UndoOptions, UndoResult } from './client/history.ts';
export type { Book, BookFields, BookPatch } from './catalogue/book.ts';
export { isUndoOf, newUndo } from './catalogue/batch.ts';
export type {
  BatchSummary,
  ChangeEvent,
  ChangeKind,
  DeletedBook,
  EarlierState,
} from './catalogue/changes.ts';
export type {
  FieldName,
  FieldWith,
  IndexedInteger,
  IndexedText,
  RangeParameter,
  SearchedField,
  SuggestedField,
  WordsParameter,
} from './catalogue/fields.ts';
export type { Correction, WordMember } from './catalogue/correction.ts';
export type { Statistics } from './catalogue/statistics.ts';
export type { Suggestion } from './catalogue/suggestion.ts';
export {
  matches,
  toFilter,
  type BookFilter,
  type BookQuery,
  type Range,
  type SortKey,
  type StoreQuery,
} from './catalogue/query.ts';
export type { DuplicateLevel } from './catalogue/duplicates/duplicates.ts';
export type { DuplicatesQuery } from './catalogue/duplicates/duplicates-query.ts';
export type { PageQuery } from './catalogue/query-string.ts';
export {
  comparePositions,
  positionOf,
  type OrderKey,
  type KeysetPosition,
} from './catalogue/keyset-position.ts';
export {
  ShelflistError,
  type ErrorCode,
  type ShelflistErrorOptions,
  type WireErrorCode,
} from './catalogue/errors.ts';
