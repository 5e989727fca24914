export { createServer, createHandler, type RequestHandler } from './server/server.ts';
export { createFetchHandler, type FetchHandler, type FetchInfo } from './server/fetch-handler.ts';
export type {
  Certificate,
  CommonConfig,
  HandlerConfig,
  IdentityLogin,
  OwnServer,
  OwnStore,
  PasswordLogin,
  ServerConfig,
  StoreAddress,
  TokenClaims,
  UserLogin,
} from './server/config.ts';
export type {
  AccessRequest,
  Authenticate,
  Authorize,
  GivenUser,
  Identify,
  IdentityRequest,
  LoginRequest,
  StorePassword,
} from './server/routes/access.ts';
export type { Action } from './server/routes/route.ts';
export type { User } from './catalogue/user.ts';
export type { Hooks, RequestInfo, ResponseInfo } from './server/hooks.ts';
export type { PrioritySignal } from './lib/time-slices.ts';
export type { Logger, LogFields } from './lib/logger.ts';
export { openStore } from './store/drivers.ts';
export type {
  BookStore,
  BulkStore,
  CompleteStore,
  CoreStore,
  Created,
  CreateManyOptions,
  EventsRequest,
  EventStore,
  HistoryStore,
  LimitedReadOptions,
  OpenedStore,
  QuestionStore,
  ReadOptions,
  RepeatKey,
  SameGroups,
  SameGroupsOptions,
  StoreMeasures,
  StoreOptions,
} from './store/contract/store.ts';
export { findAuthors } from './store/contract/authors.ts';
export type { ChangeEvents } from './store/contract/events.ts';
export {
  historyLimits,
  type BatchPage,
  type ChangeOptions,
  type HistoryPage,
  type RevertOptions,
  type TrashPage,
  type Undone,
  type UndoRequest,
  type WriteOptions,
} from './store/contract/history.ts';
export type { IdRange } from './store/contract/ids.ts';
export { fillPage, type Page, type PageRequest } from './store/contract/page.ts';
export { isUndoOf, newUndo } from './store/contract/undo.ts';
export { foldText, foldWords } from './catalogue/fold.ts';
export { matches, toFilter, type BookCondition, type StoreQuery } from './catalogue/query.ts';
export type { FitnessWords } from './catalogue/fitness.ts';
export type { Term } from './catalogue/words.ts';
export { comparePositions, type OrderKey, type KeysetPosition } from './catalogue/keyset-position.ts';
export { positionOf, type SortNames, type SortRules } from './catalogue/sort-keys.ts';
export * from './client/index.ts';
