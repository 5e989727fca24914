export { createServer, createHandler, type RequestHandler } from './server/server.ts';
export type { ServerConfig } from './server/config.ts';
export type { Logger, LogFields } from './server/log.ts';
export { openStore } from './store/open.ts';
export type { BookStore, Part } from './store/store.ts';
export type { Page } from './store/page.ts';
export {
  createClient,
  type BookPage,
  type Client,
  type ClientOptions,
  type Imported,
  type ServiceCheck,
  type TaggedBook,
  type WriteCondition,
} from './client/client.ts';
export type { Book, BookFields, BookPatch } from './book.ts';
export { matches, toCondition, type BookQuery, type Condition, type SortKey } from './query/query.ts';
export type { PageQuery } from './query/parameters.ts';
export { comparePositions, positionOf, type OrderKey, type Position } from './query/position.ts';
export { ShelflistError, type ErrorCode, type ShelflistErrorOptions, type WireErrorCode } from './errors.ts';
