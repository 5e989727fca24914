export { createServer, createHandler, type RequestHandler } from './server/server.ts';
export type { ServerConfig } from './server/config.ts';
export type { Logger, LogFields } from './server/log.ts';
export { openStore } from './store/open.ts';
export type { BookStore } from './store/store.ts';
export {
  createClient,
  type Client,
  type ClientOptions,
  type Imported,
  type ServiceCheck,
} from './client/client.ts';
export type { Book, BookFields, BookPatch } from './book.ts';
export { ShelflistError, type ErrorCode, type ShelflistErrorOptions, type WireErrorCode } from './errors.ts';
