import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { checkSetting, isServerSetting, serverDefaults, type ServerSettingName } from '../config/settings.ts';
import type { Logger } from '../lib/logger.ts';
import { isPathPrefix } from '../lib/network.ts';
import { checkStoreUrl } from '../store/drivers.ts';
import { storeMethods, type BookStore } from '../store/contract/store.ts';
import type { Hooks } from './hooks.ts';
import { stderrLogger } from './observability/log.ts';
import type { Authenticate, Authorize, StorePassword } from './routes/route.ts';

/** Who issues tokens, and for whom (RFC 7519, sections 4.1.1 and 4.1.3). */
export interface TokenClaims {
  /** The claim `iss`. */
  issuer?: string | undefined;
  /** The claim `aud`. */
  audience?: string | undefined;
}

/** The configuration of a service. Nothing is read from the environment. */
export interface ServerConfig extends Hooks {
  /** The secret that signs tokens. Under 32 bytes (RFC 7518, section 3.2), the service logs a warning. */
  secretToken: string;
  /** The previous secret, during a change of secrets. Tokens signed with it are still accepted. Default: none. */
  secretTokenPrevious?: string | undefined;
  /** The one username that `POST /token` accepts. Required, unless `authenticate` is set. */
  authUsername?: string | undefined;
  /** Its password. Required, unless `authenticate` is set. */
  authPassword?: string | undefined;
  /**
   * Stores a new `authPassword` for the next start. With it, `POST /password` and the page can change the password. Not
   * with `authenticate`. Default: the password cannot be changed.
   */
  storePassword?: StorePassword | undefined;
  /**
   * Accepts the logins of your own users, instead of the one pair: returns the user, or `undefined` or `null` to refuse the
   * login (401). If it throws, the response is 500. At most 8 logins are checked at once. A token remains valid, and renewable,
   * until its session ends: `authorize` can refuse a user before that.
   */
  authenticate?: Authenticate | undefined;
  /**
   * Decides what a user may do, for each request that would need a token without `publicRead`. Anything but `true` is refused
   * (403). If it throws, the response is 500.
   */
  authorize?: Authorize | undefined;
  /**
   * The claims `iss` and `aud` of tokens. They are put into new tokens, and required of each token. Without them, a token of any
   * program that has the same secret is accepted.
   */
  tokens?: TokenClaims | undefined;
  /** How long after a login its tokens can be renewed, in hours; 0: never. Default 12. */
  sessionHours?: number | undefined;
  /** The store: `file:PATH`, `mongodb://…` or `mongodb+srv://…`. Default `file:./data`. */
  databaseUrl?: string | undefined;
  /** A store to use instead of `databaseUrl`. The caller closes it. */
  store?: BookStore | undefined;
  /** The path under which the service is mounted, for example `/catalogue`. Default: none. */
  prefix?: string | undefined;
  /**
   * The path of the service for its clients, behind a proxy that changes paths: `/catalogue`, or empty. Links, `Location`, the
   * addresses in the page and those in the OpenAPI document begin with it. Default: the path that was requested.
   */
  publicPath?: string | undefined;
  /**
   * Speak HTTPS with this certificate and private key, in PEM. The server's `setSecureContext` replaces them. Default: HTTP.
   * For `createServer` only.
   */
  tls?: Certificate | undefined;
  /** Accept `Authorization: Bearer TOKEN` as well as the token alone. Default false. */
  acceptBearer?: boolean | undefined;
  /** The origins whose pages may use the service (CORS), such as `https://books.example`; `*` is any. Default: none. */
  corsOrigins?: readonly string[] | undefined;
  /**
   * The addresses and ranges of proxies in front of the service (`127.0.0.1`, `fd00::/8`). Failed logins and requests without a
   * token through them count for the address in `X-Forwarded-For`. Default: none; the header is ignored.
   */
  trustedProxies?: readonly string[] | undefined;
  /**
   * Serve the web page: `GET /` for browsers, and its files below `/assets/`. Default false. Below a prefix, the address of the
   * page ends in `/`.
   */
  page?: boolean | undefined;
  /** The name of the library, for the page. Default `shelflist`. */
  catalogueName?: string | undefined;
  /** Let everybody read the books, without a token. Writes, the history and the trash still need one. Default false. */
  publicRead?: boolean | undefined;
  /**
   * With `publicRead`: how many requests an address may send without a token, at once and then per minute; further ones get 429,
   * and HTML documents wait for their turn. Behind a proxy, this needs `trustedProxies`. 0: no limit, and no turns. Default 300.
   */
  readLimit?: number | undefined;
  /** Serve `GET /metrics`, without a token, in the text format of Prometheus. Default false. */
  metrics?: boolean | undefined;
  /** The maximum request body, in bytes; at most 7 MiB. Default 1 MiB. */
  bodyLimitBytes?: number | undefined;
  /** The maximum body of `POST /books`, in bytes; at most 64 MiB. Default 10 MiB. */
  bulkLimitBytes?: number | undefined;
  /** How long earlier states and deleted books are kept, in days. Default 90. */
  historyDays?: number | undefined;
  /** The maximum disk space for earlier states in the embedded store, in bytes. Default 256 MiB. */
  historyMaxBytes?: number | undefined;
  /** Articles, such as `the` and `l'`, that the order by title ignores. At most 16 words. Default: none. Not with `store`, which has its own. */
  sortArticles?: readonly string[] | undefined;
  /** The maximum time for a request to arrive, in milliseconds. Default 30,000. For `createServer` only. */
  requestTimeoutMs?: number | undefined;
  /** Default: warnings and errors on standard error. */
  logger?: Logger | undefined;
}

/** The fields for `createServer` only. */
const ownServerFields = ['tls', 'requestTimeoutMs'] as const;

/** The configuration of a service in another server, which has the connections and their timeouts. */
export type HandlerConfig = Omit<ServerConfig, (typeof ownServerFields)[number]>;

/** Fields without a default. */
type Unset =
  | 'secretTokenPrevious'
  | 'publicPath'
  | 'tls'
  | 'authUsername'
  | 'authPassword'
  | 'storePassword'
  | 'authenticate'
  | 'authorize'
  | 'tokens'
  | keyof Hooks;

/** A configuration without the fields that are `undefined`. */
type GivenConfig = { [Name in keyof ServerConfig]: Exclude<ServerConfig[Name], undefined> };

/** A checked configuration with all defaults. With `store`, it has no `databaseUrl`. */
export type CheckedConfig = {
  [Name in Exclude<keyof ServerConfig, 'store' | 'databaseUrl' | Unset>]-?: NonNullable<ServerConfig[Name]>;
} & Pick<ServerConfig, Unset> &
  ({ store: BookStore } | { store?: never; databaseUrl: string });

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
const checks: Record<Exclude<keyof ServerConfig, ServerSettingName>, Check> = {
  storePassword: callback,
  authenticate: callback,
  authorize: callback,
  tokens: check('an object with issuer or audience, strings that are not empty', isTokenClaims),
  store: methods(...storeMethods),
  publicPath: check('a path such as /catalogue', isPathPrefix),
  tls: findCertificateProblem,
  requestTimeoutMs: check(
    'an integer of at least 1',
    (value) => Number.isSafeInteger(value) && (value as number) >= 1,
  ),
  logger: methods('info', 'warn', 'error'),
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
  return Object.entries(value).every(
    ([name, claim]) =>
      ['issuer', 'audience'].includes(name) && (claim === undefined || text(claim) === undefined),
  );
}

const pair = ['authUsername', 'authPassword'] as const;

/** @throws {TypeError} As {@link parseServerConfig} does, and for a field that belongs to the server around the handler. */
export function parseHandlerConfig(config: unknown): CheckedConfig {
  for (const name of ownServerFields)
    if ((config as ServerConfig | null)?.[name] !== undefined)
      throw new TypeError(`config.${name}: only for createServer; set it on the server that has the handler`);
  return parseServerConfig(config);
}

/** @throws {TypeError} A field is missing, malformed or unknown. The message names it, never its value. */
export function parseServerConfig(config: unknown): CheckedConfig {
  if (typeof config !== 'object' || config === null) throw new TypeError('config: expected an object');
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const problem = findProblem(name, value);
    if (problem !== undefined) throw new TypeError(`config.${name}: ${problem}`);
  }
  const has = (name: string) => given.some(([key]) => key === name);
  const required = ['secretToken', ...(has('authenticate') ? [] : pair)];
  for (const name of required) {
    if (!has(name)) throw new TypeError(`config.${name}: missing; it is required`);
  }
  if (has('authenticate') && [...pair, 'storePassword'].some(has))
    throw new TypeError(
      'config.authenticate: cannot be combined with authUsername, authPassword and storePassword',
    );
  const fields = Object.fromEntries(given) as unknown as GivenConfig;
  const { databaseUrl: defaultUrl, ...defaults } = serverDefaults;
  const { store, databaseUrl = defaultUrl, ...rest } = fields;
  const common = { ...defaults, requestTimeoutMs: 30_000, logger: stderrLogger, ...rest };
  if (store !== undefined) {
    if (fields.databaseUrl !== undefined)
      throw new TypeError('config.store: cannot be combined with databaseUrl');
    if (fields.sortArticles !== undefined)
      throw new TypeError('config.store: cannot be combined with sortArticles; pass it to openStore');
    return { ...common, store };
  }
  checkDatabaseUrl(databaseUrl);
  return { ...common, databaseUrl };
}

function checkDatabaseUrl(databaseUrl: string): void {
  try {
    checkStoreUrl(databaseUrl);
  } catch (error) {
    throw new TypeError(`config.databaseUrl: ${(error as TypeError).message}`, { cause: error });
  }
}

/** A certificate for HTTPS, in PEM. */
export interface Certificate {
  /** The certificate of the service; the intermediate certificates follow it. */
  readonly cert: string;
  /** Its private key. */
  readonly key: string;
}

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
