import type { PageLanguage } from '../catalogue/changeable-settings.ts';
import { ArgumentError } from '../catalogue/errors.ts';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { createSecureContext } from 'node:tls';
import { checkSetting, isServerSetting, serverDefaults, type ServerSettingName } from '../config/settings.ts';
import type { SortNames } from '../catalogue/sort-keys.ts';
import type { Logger } from '../lib/logger.ts';
import { isUserName } from '../catalogue/user.ts';
import { isPathPrefix } from '../lib/network.ts';
import { checkStoreUrl } from '../store/drivers.ts';
import { storeGroups, type BookStore } from '../store/contract/store.ts';
import type { Hooks } from './hooks.ts';
import { silentLogger, stderrLogger } from './observability/log.ts';
import type { AnyIdentify, Authenticate, Authorize, Identify } from './routes/access.ts';
import type { SettingsKeeper } from './routes/settings.ts';

/** The fields that depend neither on the logins nor on the store. Nothing is read from the environment. */
export interface CommonConfig<Claims extends object = object> extends Hooks<Claims> {
  /** The previous secret, during a change of secrets. Tokens signed with it are still accepted. Default: none. */
  secretTokenPrevious?: string | undefined;
  /**
   * Decides what a user may do, for each request that would need a token without `publicRead`. Anything but `true` is refused
   * (403). If it throws, the response is 500.
   */
  authorize?: Authorize<Claims> | undefined;
  /**
   * The claims `iss` and `aud` of tokens, which are put into new tokens and required of each token; and whether other programs share
   * the secret. Default: with users of your own, tokens are valid for this `databaseUrl` alone, without `aud`; else the secret
   * itself signs them.
   */
  tokens?:
    | {
        /** The claim `iss`: 1 to 200 characters, none of them a control character. */
        issuer?: string | undefined;
        /**
         * The claim `aud`, with the same limits as `issuer`. It also selects the signing key: each audience has its own. Required
         * with a `store` and users of your own, unless the tokens are `shared`.
         */
        audience?: string | undefined;
        /**
         * Sign and verify with `secretToken` itself, so that other programs that have it can issue and verify tokens. Default false
         * with an audience or with users of your own, else true.
         */
        shared?: boolean | undefined;
      }
    | undefined;
  /** How long after a login its tokens can be renewed, in hours; 0: never. Default 12. */
  sessionHours?: number | undefined;
  /** The path under which the service is mounted, for example `/catalogue`. Default: none. */
  prefix?: string | undefined;
  /**
   * The path of the service for its clients, behind a proxy that changes paths: `/catalogue`, or empty. `Location` and the
   * addresses in the page begin with it. Default: the path that was requested.
   */
  publicPath?: string | undefined;
  /** Accept `Authorization: Bearer TOKEN` as well as the token alone. Default false. */
  acceptBearer?: boolean | undefined;
  /** The origins whose pages may use the service (CORS), such as `https://books.example`; `*` is any. Default: none. */
  corsOrigins?: readonly string[] | undefined;
  /**
   * The addresses and ranges of proxies in front of the service (`127.0.0.1`, `fd00::/8`), and `unix` for everybody who can
   * connect to its unix socket. Failed logins and requests without a token through them count for the address in
   * `X-Forwarded-For`. Default: none; the header is ignored.
   */
  trustedProxies?: readonly string[] | undefined;
  /**
   * Serve the web page: `GET /` for browsers, and its files below `/assets/`. Default false. Below a prefix, the address of the
   * page ends in `/`. Its users log in; with `identify`, those whom the app knows need no login.
   */
  page?: boolean | undefined;
  /** The name of the library, for the page. Default `shelflist`. */
  catalogueName?: string | undefined;
  /** The language of the page for readers who have not chosen one. Default `auto`; then it is that of their browser. */
  pageLanguage?: PageLanguage | undefined;
  /** Let everybody read the books, without a token. Writes, the history and the trash still need one. Default false. */
  publicRead?: boolean | undefined;
  /**
   * With `publicRead`: how many requests an address may send without a token, at once and then per minute; further ones get 429,
   * and HTML documents wait for their turn. Behind a proxy, this needs `trustedProxies`. 0: no limit, and no turns. Default 300.
   */
  readLimit?: number | undefined;
  /**
   * Where `GET /lookup` looks books up by their ISBN: `openlibrary`, or an SRU address with `{isbn}` that answers in MARCXML. The
   * service then sends these numbers there. Default `off`.
   */
  bookLookup?: string | undefined;
  /**
   * Keeps the settings that requests can change (`GET /settings`, `PATCH /settings`, the page). Its `live` ones take the place of
   * `catalogueName`, `pageLanguage`, `publicRead` and `bookLookup`. Default: requests change no settings.
   */
  settings?: SettingsKeeper | undefined;
  /** Serve `GET /metrics`, without a token, in the text format of Prometheus. Default false. */
  metrics?: boolean | undefined;
  /** Answer errors with a member `error` beside `data`: its `code`, and what was wrong with the request. Default false. */
  errorDetails?: boolean | undefined;
  /** The maximum request body, in bytes; at most 7 MiB. Default 1 MiB. */
  bodyLimitBytes?: number | undefined;
  /** The maximum body of `POST /books`, in bytes; at most 64 MiB. Default 10 MiB. */
  bulkLimitBytes?: number | undefined;
  /** Receives log messages. `false`: nothing is logged. Default: warnings and errors on standard error. */
  logger?: Logger | false | undefined;
}

/** One login: the pair that `POST /token` accepts. */
export interface PasswordLogin<Claims extends object = object, Source = IncomingMessage> {
  /** The secret that signs tokens. Under 32 bytes (RFC 7518, section 3.2), the service logs a warning. */
  secretToken: string;
  /** The one username. */
  authUsername: string;
  /** Its password. */
  authPassword: string;
  /**
   * Stores a new `authPassword` for the next start; `previous` is the password that it replaces. If it throws, the old one remains,
   * and the response is 500, or that of the code of a `ShelflistError`. With it, `POST /password` and the page can change the password. Default: the
   * password cannot be changed.
   */
  storePassword?: ((password: string, previous: string) => void | Promise<void>) | undefined;
  /** Not with a password. */
  authenticate?: undefined;
  /** As in {@link IdentityLogin}: a request whose user it does not know may have a token. */
  identify?: Identify<Claims, Source> | undefined;
}

/** Logins of your own users. */
export interface UserLogin<Claims extends object = object, Source = IncomingMessage> {
  /** As in {@link PasswordLogin}. */
  secretToken: string;
  /**
   * Accepts the logins of your own users: returns the user, or `undefined` or `null` to refuse the login (401). If it throws, the
   * response is 500. At most 8 logins are checked at once. A token remains valid, and renewable, until its session ends:
   * `authorize` can refuse a user before that.
   */
  authenticate: Authenticate<Claims>;
  /** As in {@link IdentityLogin}: a request whose user it does not know may have a token. */
  identify?: Identify<Claims, Source> | undefined;
  /** Not with `authenticate`. */
  authUsername?: undefined;
  /** Not with `authenticate`. */
  authPassword?: undefined;
  /** Not with `authenticate`. */
  storePassword?: undefined;
}

/** No logins: the app knows who asks. */
export interface IdentityLogin<Claims extends object = object, Source = IncomingMessage> {
  /**
   * Says who makes a request, by a session or a token of your app: returns the user, or `undefined` or `null` (401). If it throws,
   * the response is 500. Without a login beside it, `POST /token` does not exist.
   */
  identify: Identify<Claims, Source>;
  /** There are no tokens. */
  secretToken?: undefined;
  /** There are no logins. */
  authenticate?: undefined;
  /** There are no logins. */
  authUsername?: undefined;
  /** There are no logins. */
  authPassword?: undefined;
  /** There are no logins. */
  storePassword?: undefined;
  /** There are no tokens. */
  secretTokenPrevious?: undefined;
  /** There are no tokens. */
  tokens?: undefined;
  /** There are no tokens. */
  sessionHours?: undefined;
  /** There are no tokens. */
  acceptBearer?: undefined;
}

/** The address of a store, which the service opens and closes. */
export interface StoreAddress {
  /** `file:PATH`, `mongodb://…` or `mongodb+srv://…`. Default `file:./data`. */
  databaseUrl?: string | URL | undefined;
  /** How long earlier states and deleted books are kept, in days. Default 90. */
  historyDays?: number | undefined;
  /** The maximum disk space for earlier states in the embedded store, in bytes. Default 256 MiB. */
  historyMaxBytes?: number | undefined;
  /** Articles, such as `the` and `l'`, that the order by title ignores. At most 16 words. Default: none. */
  sortArticles?: readonly string[] | undefined;
  /** The order by author: `family` name first, as on a shelf, or as `written`. Default `family`. */
  sortNames?: SortNames | undefined;
  /** Not with an address. */
  store?: undefined;
}

/** A store that the caller has opened, with options of its own. */
export interface OwnStore {
  /** The store. The caller closes it. */
  store: BookStore;
  /** Not with `store`. */
  databaseUrl?: undefined;
  /** Not with `store`: pass it to `openStore`. */
  historyDays?: undefined;
  /** Not with `store`: pass it to `openStore`. */
  historyMaxBytes?: undefined;
  /** Not with `store`: pass it to `openStore`. */
  sortArticles?: undefined;
  /** Not with `store`: pass it to `openStore`. */
  sortNames?: undefined;
}

/** The fields of `createServer` only. */
interface OwnServer {
  tls?: Certificate | undefined;
  requestTimeoutMs?: number | undefined;
}

/**
 * The configuration of a service in another server, which has the connections and their timeouts.
 *
 * @typeParam Claims What the app says of its users.
 * @typeParam Source What `identify` receives as `request`: for `createFetchHandler`, a `Request`.
 */
export type HandlerConfig<Claims extends object = object, Source = IncomingMessage> = CommonConfig<Claims> &
  (PasswordLogin<Claims, Source> | UserLogin<Claims, Source> | IdentityLogin<Claims, Source>) &
  (StoreAddress | OwnStore);

/** The configuration of a service. */
export type ServerConfig<Claims extends object = object> = HandlerConfig<Claims> & {
  /**
   * Speak HTTPS with this certificate, which its intermediate certificates follow, and its private key, both in PEM. The server's
   * `setSecureContext` replaces them. Default: HTTP.
   */
  tls?: { readonly cert: string; readonly key: string } | undefined;
  /** The maximum time for a request to arrive, in milliseconds. Default 30,000. */
  requestTimeoutMs?: number | undefined;
};

type Given<Type> = Exclude<Type, undefined>;

/** Every field, whatever it can be combined with. */
export type AnyConfig = CommonConfig &
  OwnServer & {
    secretToken?: string | undefined;
    identify?: AnyIdentify | undefined;
    store?: BookStore | undefined;
  } & {
    [Name in Exclude<keyof PasswordLogin, 'secretToken' | 'identify' | 'authenticate'>]?:
      Given<PasswordLogin[Name]> | undefined;
  } & { authenticate?: Authenticate | undefined } & Omit<StoreAddress, 'store' | 'databaseUrl'> & {
    databaseUrl?: string | undefined;
  };

/** Fields without a default. */
type Unset =
  | 'secretToken'
  | 'secretTokenPrevious'
  | 'publicPath'
  | 'tls'
  | 'authUsername'
  | 'authPassword'
  | 'storePassword'
  | 'authenticate'
  | 'identify'
  | 'settings'
  | 'authorize'
  | 'tokens'
  | keyof Hooks;

/** A checked configuration with all defaults. With `store`, it has no `databaseUrl`. */
export type CheckedConfig = {
  [Name in Exclude<keyof AnyConfig, 'store' | 'databaseUrl' | 'logger' | Unset>]-?: NonNullable<
    AnyConfig[Name]
  >;
} & { [Name in Unset]?: AnyConfig[Name] | undefined } & { logger: Logger } & (
    { store: BookStore; databaseUrl?: never } | { store?: never; databaseUrl: string }
  );

/** Returns the problem of an invalid value. */
type Check = (value: unknown) => string | undefined;

const check =
  (expected: string, isValid: (value: unknown) => boolean): Check =>
  (value) =>
    isValid(value) ? undefined : `expected ${expected}`;
const text = check('a string that is not empty', (value) => typeof value === 'string' && value !== '');
const callback = check('a function', (value) => typeof value === 'function');
const methods = (...names: string[]) =>
  check(`an object with the functions ${names.join(', ')}`, (value) =>
    names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function'),
  );

/** The checks of the fields that are no settings of `serve`. */
const checks: Record<Exclude<keyof AnyConfig, ServerSettingName>, Check> = {
  storePassword: callback,
  authenticate: callback,
  identify: callback,
  authorize: callback,
  settings: methods('read', 'change', 'onChange'),
  tokens: check(
    'an object with issuer and audience, of 1 to 200 characters without control characters, or shared, true or false',
    isTokenClaims,
  ),
  store: findStoreProblem,
  publicPath: check('a path such as /catalogue', isPathPrefix),
  tls: findCertificateProblem,
  requestTimeoutMs: check(
    'an integer of at least 1',
    (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  ),
  logger: (value) => (value === false ? undefined : methods('info', 'warn', 'error')(value)),
  onChange: callback,
  onRequest: callback,
  onResponse: callback,
};

function findProblem(name: string, value: unknown): string | undefined {
  if (isServerSetting(name)) return checkSetting(name, value);
  return Object.hasOwn(checks, name) ? checks[name as keyof typeof checks](value) : 'unknown field';
}

function isTokenClaims(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).every(([name, claim]: [string, unknown]) => {
    if (claim === undefined) return true;
    if (name === 'shared') return typeof claim === 'boolean';
    return ['issuer', 'audience'].includes(name) && isUserName(claim);
  });
}

const storeMethods = [...Object.values(storeGroups).flat(), 'measure', 'checkWrites'] as const;

/** A store has its core, and the whole history or nothing of it. The other methods are optional one by one. */
function findStoreProblem(value: unknown): string | undefined {
  const problem = methods(...storeGroups.core)(value);
  if (problem !== undefined) return problem;
  const store = value as BookStore;
  if (text(store.description) !== undefined) return 'expected a description, a string that is not empty';
  const has = (name: keyof BookStore) => store[name] !== undefined;
  const other = storeMethods.find((name) => has(name) && typeof store[name] !== 'function');
  if (other !== undefined) return `expected a function ${other}, or none`;
  const missing = storeGroups.history.filter((name) => !has(name));
  return missing.length === 0 || missing.length === storeGroups.history.length
    ? undefined
    : `expected all of ${storeGroups.history.join(', ')}, or none; missing: ${missing.join(', ')}`;
}

const pair = ['authUsername', 'authPassword'] as const;

const ownServerFields = ['tls', 'requestTimeoutMs'] as const satisfies readonly (keyof OwnServer)[];
const ownStoreFields = [
  'databaseUrl',
  'sortArticles',
  'sortNames',
  'historyDays',
  'historyMaxBytes',
] as const;

/** @throws {TypeError} As {@link parseServerConfig} does, and for a field that belongs to the server around the handler. */
export function parseHandlerConfig(config: unknown): CheckedConfig {
  for (const name of ownServerFields)
    if ((config as AnyConfig | null)?.[name] !== undefined)
      throw new ArgumentError(
        `config.${name}: only for createServer; set it on the server that has the handler`,
      );
  return parseServerConfig(config);
}

/** @throws {TypeError} A field is missing, malformed or unknown. The message names it, never its value. */
export function parseServerConfig(config: unknown): CheckedConfig {
  if (typeof config !== 'object' || config === null) throw new ArgumentError('config: expected an object');
  const given = Object.entries(config)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]: [string, unknown]) => [name, normalize(name, value)] as const);
  for (const [name, value] of given) {
    const problem = findProblem(name, value);
    if (problem !== undefined) throw new ArgumentError(`config.${name}: ${problem}`);
  }
  const fields = Object.fromEntries(given) as AnyConfig;
  checkLogin(fields);
  const { databaseUrl: defaultUrl, ...defaults } = serverDefaults;
  const { store, databaseUrl = defaultUrl, logger = stderrLogger, ...rest } = fields;
  const common = {
    ...defaults,
    requestTimeoutMs: 30_000,
    ...rest,
    logger: logger === false ? silentLogger : logger,
  } as Omit<CheckedConfig, 'store' | 'databaseUrl'>;
  if (store === undefined) {
    checkDatabaseUrl(databaseUrl);
    return { ...common, databaseUrl };
  }
  for (const name of ownStoreFields)
    if (fields[name] !== undefined)
      throw new ArgumentError(`config.store: cannot be combined with ${name}; pass it to openStore`);
  // Two stores may have the same description, but the tokens of one must not be valid for the other.
  if (usesDerivedKey(fields) && fields.secretToken !== undefined && fields.tokens?.audience === undefined)
    throw new ArgumentError(
      'config.tokens: with a store and users of your own, tokens: { audience } is required: it names the catalogue, so that no ' +
        'other catalogue with this secret accepts its tokens',
    );
  return { ...common, store };
}

/** `prefix: '/x/'` is `/x`, and the address of a store may be a `URL`. */
function normalize(name: string, value: unknown): unknown {
  if (name === 'databaseUrl' && value instanceof URL) return value.href;
  return name === 'prefix' && typeof value === 'string' ? value.replace(/\/$/, '') : value;
}

/** Checks which logins there are. @throws {TypeError} */
const loginFields = ['secretTokenPrevious', 'tokens', 'sessionHours', 'acceptBearer'] as const;

function checkLogin(fields: AnyConfig): void {
  const { identify, authenticate, secretToken } = fields;
  const isGiven = (name: (typeof pair)[number] | 'storePassword') => fields[name] !== undefined;
  if (authenticate !== undefined && [...pair, 'storePassword' as const].some(isGiven))
    throw new ArgumentError(
      'config.authenticate: cannot be combined with authUsername, authPassword and storePassword',
    );
  const hasLogin = authenticate !== undefined || secretToken !== undefined || pair.some(isGiven);
  if (identify !== undefined && !hasLogin) {
    for (const name of loginFields)
      if (fields[name] !== undefined)
        throw new ArgumentError(`config.${name}: needs a login; with identify alone there are no tokens`);
    return;
  }
  if (secretToken === undefined) throw missing('secretToken');
  for (const name of authenticate === undefined ? pair : []) if (!isGiven(name)) throw missing(name);
}

/** Whether there may be several users. */
export function hasUsers({
  authenticate,
  identify,
  tokens,
}: Pick<CheckedConfig, 'authenticate' | 'identify' | 'tokens'>): boolean {
  return [authenticate, identify, tokens].some((each) => each !== undefined);
}

/** Whether a catalogue signs tokens with a key of its own: not for tokens as specified, and not for shared ones. */
export function usesDerivedKey({
  tokens: { shared, audience } = {},
  authenticate,
  identify,
}: Pick<AnyConfig, 'tokens' | 'authenticate' | 'identify'>): boolean {
  if (shared !== undefined) return !shared;
  return audience !== undefined || authenticate !== undefined || identify !== undefined;
}

function missing(name: string): ArgumentError {
  return new ArgumentError(`config.${name}: missing; it is required`);
}

function checkDatabaseUrl(databaseUrl: string): void {
  try {
    checkStoreUrl(databaseUrl);
  } catch (error) {
    throw new ArgumentError(`config.databaseUrl: ${(error as TypeError).message}`, { cause: error });
  }
}

/** A certificate for HTTPS, in PEM. */
export type Certificate = NonNullable<ServerConfig['tls']>;

/** The problem of a certificate, without any of its contents; `undefined` if it is valid. */
export function findCertificateProblem(value: unknown): string | undefined {
  const { cert, key } = (value ?? {}) as Partial<Certificate>;
  if (typeof cert !== 'string' || typeof key !== 'string')
    return 'expected an object of two texts in PEM, cert and key';
  const [certificate, privateKey] = [
    attempt(() => new X509Certificate(cert)),
    attempt(() => createPrivateKey(key)),
  ];
  if (certificate === undefined) return 'the certificate is not one in PEM';
  if (privateKey === undefined) return 'the private key is not one in PEM, or it needs a password';
  if (!certificate.checkPrivateKey(privateKey)) return 'the private key does not belong to the certificate';
  return findChainProblem({ cert, key });
}

/** OpenSSL reads all the certificates; above, only the first one was read. */
function findChainProblem(certificate: Certificate): string | undefined {
  try {
    createSecureContext(certificate);
    return undefined;
  } catch (error) {
    const { reason = 'unknown reason' } = error as { reason?: string }; // A fixed text of OpenSSL.
    return `one of the certificates cannot be used: ${reason}; each must be complete, on lines of its own, with a key that is long enough`;
  }
}

function attempt<T>(create: () => T): T | undefined {
  try {
    return create();
  } catch {
    return undefined; // The reason may quote the key.
  }
}
