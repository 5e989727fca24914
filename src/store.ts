// The contract for authors of stores, and its helpers: `shelflist/store`.
export type {
  BookStore,
  BulkStore,
  CompleteStore,
  CoreStore,
  Created,
  CreateManyOptions,
  DuplicateCandidates,
  DuplicateCandidatesOptions,
  EventsRequest,
  EventStore,
  HistoryStore,
  IdempotencyKey,
  LimitedReadOptions,
  OpenedStore,
  QuestionStore,
  ReadOptions,
  StoreMeasures,
  StoreOptions,
} from './store/contract/store.ts';
export type { ChangeEvents } from './store/contract/events.ts';
export {
  historyLimits,
  notAPosition,
  type Attribution,
  type BatchesRequest,
  type BatchPage,
  type ChangeOptions,
  type HistoryRequest,
  type StoreRevertOptions,
  type SummaryOptions,
  type TrashPage,
  type Undone,
  type UndoRequest,
  type WriteOptions,
} from './store/contract/history.ts';
export {
  historyOf,
  type BatchRange,
  type BookLog,
  type ChangesRequest,
  type ListedBatch,
  type LoggedBatch,
  type LoggedBook,
  type LoggedChange,
  type LoggedDelete,
  type ReadableLog,
  type Restoration,
} from './store/contract/log.ts';
export type { IdRange } from './store/contract/ids.ts';
export { fillPage, type PageRequest, type StorePage } from './store/contract/page.ts';
export { isUndoOf, newUndoId } from './store/contract/undo.ts';
export { findAuthors } from './store/questions/authors.ts';
export type { MaybePromise } from './lib/gensync.ts';
export type { PrioritySignal } from './lib/scheduler.ts';
export type { Logger } from './lib/logger.ts';
export type { AuthorCount } from './catalogue/authors.ts';
export type { Book, BookFields, BookPatch } from './catalogue/book.ts';
export type {
  BatchBook,
  BatchSummary,
  ChangeEvent,
  ChangeKind,
  DeletedBook,
  EarlierState,
} from './catalogue/changes.ts';
export type { Correction } from './catalogue/correction.ts';
export { ShelflistError, type ErrorCode, type ShelflistErrorOptions } from './catalogue/errors.ts';
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
export type { RankingWords } from './catalogue/ranking.ts';
export { foldText, foldWords } from './catalogue/fold.ts';
export { comparePositions, type KeysetPosition, type OrderKey } from './catalogue/keyset-position.ts';
export {
  matches,
  toFilter,
  type BookCondition,
  type BookFilter,
  type BookQuery,
  type Range,
  type StoreQuery,
  type WordMember,
} from './catalogue/query.ts';
export type { Sort, SortKey } from './catalogue/sorts.ts';
export { positionOf, type SortNames, type SortRules } from './catalogue/sort-keys.ts';
export type { WholeText } from './catalogue/spelling.ts';
export type { Statistics } from './catalogue/statistics.ts';
export type { Suggestion } from './catalogue/suggestion.ts';
export type { Term } from './catalogue/words.ts';
