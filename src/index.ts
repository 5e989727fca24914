// What an app needs: `shelflist`. The contract for authors of stores is `shelflist/store`, every type of the client
// `shelflist/client`.
export { createServer, createHandler, type RequestHandler } from './server/server.ts';
export { createFetchHandler, type FetchHandler } from './server/fetch-handler.ts';
export type {
  CommonConfig,
  HandlerConfig,
  IdentityLogin,
  OwnStore,
  PasswordLogin,
  ServerConfig,
  StoreAddress,
  UserLogin,
} from './server/config.ts';
export type { Authenticate, Authorize, Identify } from './server/routes/access.ts';
export type { Action } from './server/routes/route.ts';
export type {
  ChangeableSetting,
  ChangeableSettings,
  FixedSetting,
  LiveSettings,
  PageLanguage,
  SettingsPatch,
  SettingsReport,
} from './catalogue/changeable-settings.ts';
export type { SettingsKeeper } from './server/routes/settings.ts';
export type { User } from './catalogue/user.ts';
export type { Hooks, RequestInfo, ResponseInfo } from './server/hooks.ts';
export type { Logger } from './lib/logger.ts';
export { openStore } from './store/drivers.ts';
export type { BookStore, OpenedStore, StoreOptions } from './store/contract/store.ts';
export { createClient, type Client } from './client/client.ts';
export type { ClientOptions } from './client/options.ts';
export type { WatchEvent } from './catalogue/changes.ts';
export type { Book, BookFields, BookPatch } from './catalogue/book.ts';
export type { BookQuery } from './catalogue/query.ts';
export { ShelflistError, type ErrorCode } from './catalogue/errors.ts';
