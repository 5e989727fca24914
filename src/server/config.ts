import { maxBodyLimitBytes, maxBulkLimitBytes, maxHistoryDays } from '../envelope.ts';
import { isNetwork } from '../network.ts';
import { isOrigin } from '../origin.ts';
import { checkStoreUrl } from '../store/drivers.ts';
import { defaultHistory, type BookStore } from '../store/store.ts';
import type { Logger } from '../lib/logger.ts';
import { stderrLogger } from './log.ts';

/** What a service needs to know. Nothing is read from the environment. */
export interface ServerConfig {
  /** The secret that signs tokens; 32 bytes or more (RFC 7518, section 3.2), else it warns. */
  secretToken: string;
  /** The secret before it, while secrets are changed: tokens signed with it are still accepted. Default: none. */
  secretTokenPrevious?: string;
  /** The one accepted pair of `POST /token`. */
  authUsername: string;
  authPassword: string;
  /** Where the books are: `file:PATH`, `mongodb://…` or `mongodb+srv://…`. Default `file:./data`. */
  databaseUrl?: string;
  /** A store of the caller's own, instead of `databaseUrl`; the caller closes it. */
  store?: BookStore;
  /** The path under which the service is mounted, for example `/catalogue`. Default: none. */
  prefix?: string;
  /** Accept `Authorization: Bearer TOKEN` as well as the token alone. Default false. */
  acceptBearer?: boolean;
  /** The origins whose web pages may use the service (CORS), such as `https://books.example`; `*` is every one. Default: none. */
  corsOrigins?: readonly string[];
  /**
   * The proxies in front of the service, as addresses and ranges (`127.0.0.1`, `fd00::/8`): for requests from them, failed
   * logins are counted for the address that `X-Forwarded-For` names. Default: none, and the header is ignored.
   */
  trustedProxies?: readonly string[];
  /** Answer `GET /metrics`, without a token, in the text format of Prometheus. Default false. */
  metrics?: boolean;
  /** The longest request body, in bytes; at most 7 MiB. Default 1 MiB. */
  bodyLimitBytes?: number;
  /** The longest body of `POST /books`, in bytes; at most 64 MiB. Default 10 MiB. */
  bulkLimitBytes?: number;
  /** How long earlier states and deleted books are kept, in days. Default 90. */
  historyDays?: number;
  /** The maximum disk space for earlier states in the embedded store, in bytes. Default 256 MiB. */
  historyMaxBytes?: number;
  /** How long a request may take to arrive, in milliseconds. Default 30,000. For `createServer` only. */
  requestTimeoutMs?: number;
  /** Default: warnings and errors on standard error. */
  logger?: Logger;
}

/** A checked configuration: every default filled in, the store's address left out when a store was given. */
export type CheckedConfig = Required<Omit<ServerConfig, 'store' | 'databaseUrl' | 'secretTokenPrevious'>> &
  Pick<ServerConfig, 'secretTokenPrevious'> &
  ({ store: BookStore } | { store?: never; databaseUrl: string });

type Check = (value: unknown) => string | undefined;

const text: Check = (value) =>
  typeof value === 'string' && value !== '' ? undefined : 'a string that is not empty';
const flag: Check = (value) => (typeof value === 'boolean' ? undefined : 'true or false');
const positive: Check = (value) =>
  Number.isSafeInteger(value) && (value as number) > 0 ? undefined : 'a whole number above 0';
const methods =
  (...names: string[]): Check =>
  (value) =>
    names.every((name) => typeof (value as Record<string, unknown> | null)?.[name] === 'function')
      ? undefined
      : `an object with the functions ${names.join(', ')}`;
const path: Check = (value) =>
  typeof value === 'string' && /^(\/[^/?#\s]+)*$/.test(value) ? undefined : 'a path such as /catalogue';

const checks: Record<keyof ServerConfig, Check> = {
  secretToken: text,
  secretTokenPrevious: text,
  authUsername: text,
  authPassword: text,
  databaseUrl: text,
  store: methods('create', 'get', 'list', 'find', 'count', 'version', 'changes', 'update', 'delete', 'close'),
  prefix: path,
  acceptBearer: flag,
  metrics: flag,
  corsOrigins: (value) =>
    Array.isArray(value) && value.every((each) => each === '*' || isOrigin(each))
      ? undefined
      : 'an array of origins such as https://books.example',
  trustedProxies: (value) =>
    Array.isArray(value) && value.every(isNetwork)
      ? undefined
      : 'an array of addresses and ranges such as 127.0.0.1 and 10.0.0.0/8',
  bodyLimitBytes: (value) =>
    positive(value) === undefined && (value as number) <= maxBodyLimitBytes
      ? undefined
      : `a whole number from 1 to ${maxBodyLimitBytes}`,
  bulkLimitBytes: (value) =>
    positive(value) === undefined && (value as number) <= maxBulkLimitBytes
      ? undefined
      : `a whole number from 1 to ${maxBulkLimitBytes}`,
  historyDays: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= maxHistoryDays
      ? undefined
      : `a whole number from 0 to ${maxHistoryDays}`,
  historyMaxBytes: (value) =>
    Number.isSafeInteger(value) && (value as number) >= 0 ? undefined : 'a whole number, 0 or more',
  requestTimeoutMs: positive,
  logger: methods('info', 'warn', 'error'),
};

const required = ['secretToken', 'authUsername', 'authPassword'] as const;

/** @throws {TypeError} Naming the field that is missing, malformed or unknown; never its value. */
export function parseServerConfig(config: unknown): CheckedConfig {
  if (typeof config !== 'object' || config === null) throw new TypeError('config: expected an object');
  const given = Object.entries(config).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    if (!Object.hasOwn(checks, name)) throw new TypeError(`config.${name}: there is no such field`);
    const expected = checks[name as keyof ServerConfig](value);
    if (expected !== undefined) throw new TypeError(`config.${name}: expected ${expected}`);
  }
  for (const name of required) {
    if (!given.some(([key]) => key === name)) throw new TypeError(`config.${name}: is required`);
  }
  const fields = Object.fromEntries(given) as unknown as ServerConfig;
  const { store, databaseUrl = 'file:./data', ...rest } = fields;
  const common = {
    prefix: '',
    acceptBearer: false,
    metrics: false,
    corsOrigins: [],
    trustedProxies: [],
    bodyLimitBytes: 1024 * 1024,
    bulkLimitBytes: 10 * 1024 * 1024,
    ...defaultHistory,
    requestTimeoutMs: 30_000,
    logger: stderrLogger,
    ...rest,
  };
  if (store !== undefined) {
    if (fields.databaseUrl !== undefined)
      throw new TypeError('config.store: give it or databaseUrl, not both');
    return { ...common, store };
  }
  checkAddress(databaseUrl);
  return { ...common, databaseUrl };
}

function checkAddress(databaseUrl: string): void {
  try {
    checkStoreUrl(databaseUrl);
  } catch (error) {
    throw new TypeError(`config.databaseUrl: ${(error as TypeError).message}`, { cause: error });
  }
}
