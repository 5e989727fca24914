import type { PageLanguage } from '../catalogue/changeable-settings.ts'; // The type alone: each command loads this file.
import { isArticle, maxArticles } from '../catalogue/articles.ts';
import {
  defaultHistory,
  maxBodyLimitBytes,
  maxBulkLimitBytes,
  maxHistoryDays,
  maxSessionHours,
} from '../catalogue/limits.ts';
import { isOrigin, isProxy } from '../lib/network.ts';
import {
  boolean,
  choice,
  host,
  integer,
  line,
  list,
  lookupSource,
  socketPath,
  text,
  urlPath,
  workerCount,
  type Parser,
} from './parsers.ts';

/** A setting of the service, as the table below describes it. */
interface SettingRow<Value = unknown> {
  /** The environment variable. `X_FILE` names a file that holds the value of `X`. */
  readonly variable: string;
  readonly parser: Parser<Value>;
  /** Default value, as text. A setting that is neither required nor has a default may stay unset. */
  readonly default?: string;
  readonly isRequired?: true;
  /** Whether the value is never shown. */
  readonly isSecret?: true;
  /** Whether it configures `serve` alone: it is not a field of `ServerConfig`. */
  readonly isServeOnly?: true;
  /** The default for embedders, as text, if it is another one. */
  readonly embeddedDefault?: string;
  /** The flag of `serve`: its letter, placeholder and help text. Its long name derives from the variable. */
  readonly flag?: readonly [letter: string, placeholder: string, help: string];
  /** For the help of `serve`, and comments in a `.env`. */
  readonly help: string;
  /** The value of an unset variable in `.env.example`. */
  readonly example?: string;
}

/** A shorter secret is weaker than the hash that it keys (RFC 7518, section 3.2). */
export const minSecretBytes = 32;

/**
 * The settings of a service. Flags of `serve`, the environment, `.env`, `.env.example`, `config show`, help texts, and the checks
 * and defaults of `ServerConfig` derive from this table, in this order. A new setting needs a row here and the code that uses it.
 */
export const settings = {
  secretToken: {
    variable: 'SECRET_TOKEN',
    parser: text,
    isRequired: true,
    isSecret: true,
    help: `The secret that signs tokens, ${minSecretBytes} bytes or more. A new one ends every login.`,
  },
  authUsername: {
    variable: 'AUTH_USERNAME',
    parser: text,
    isRequired: true,
    help: 'The name of the one user.',
  },
  authPassword: {
    variable: 'AUTH_PASSWORD',
    parser: text,
    isRequired: true,
    isSecret: true,
    help: 'The password of the one user.',
  },
  sessionHours: {
    variable: 'SESSION_HOURS',
    parser: integer(0, maxSessionHours),
    default: '12',
    help: 'How many hours a login lasts while it is used; 0: no longer than its first token, 15 minutes.',
  },
  databaseUrl: {
    variable: 'DATABASE_URL',
    parser: text,
    default: 'file:./data',
    flag: ['d', 'url', 'the store of the books; set DATABASE_URL instead if the address holds a password'],
    help: 'Where the books are: file:PATH (a folder), mongodb://… or mongodb+srv://…',
  },
  host: {
    variable: 'HOST',
    parser: host,
    default: '127.0.0.1',
    flag: ['H', 'address', 'the address to listen on'],
    isServeOnly: true,
    help: 'The address to listen on. 0.0.0.0 is every address of the machine.',
  },
  port: {
    variable: 'PORT',
    parser: integer(0, 65_535),
    default: '8080',
    flag: ['p', 'port', 'the port to listen on; 0 picks a free one'],
    isServeOnly: true,
    help: 'The port to listen on. 0 picks a free one.',
  },
  socket: {
    variable: 'SOCKET',
    parser: socketPath,
    flag: ['s', 'path', 'the unix socket to listen on, instead of a port'],
    isServeOnly: true,
    help: 'The unix socket to listen on, instead of HOST and PORT: for a proxy on this machine.',
    example: '/run/shelflist/shelflist.sock',
  },
  prefix: {
    variable: 'PREFIX',
    parser: urlPath,
    default: '',
    help: 'The path below which the service answers, such as /catalogue.',
    example: '/catalogue',
  },
  tlsCert: {
    variable: 'TLS_CERT',
    parser: text,
    isSecret: true, // It is public, but long.
    isServeOnly: true,
    help: 'The certificate (PEM) with which the service speaks HTTPS; TLS_CERT_FILE names its file. SIGHUP reads it again.',
  },
  tlsKey: {
    variable: 'TLS_KEY',
    parser: text,
    isSecret: true,
    isServeOnly: true,
    help: 'The private key of the certificate (PEM); TLS_KEY_FILE names its file.',
  },
  acceptBearer: {
    variable: 'ACCEPT_BEARER',
    parser: boolean,
    default: 'false',
    help: 'true: accept "Authorization: Bearer TOKEN" as well as the token alone.',
  },
  bodyLimitBytes: {
    variable: 'BODY_LIMIT_BYTES',
    parser: integer(1, maxBodyLimitBytes),
    default: '1048576',
    help: `Maximum size of a request body, in bytes; up to ${maxBodyLimitBytes}.`,
  },
  bulkLimitBytes: {
    variable: 'BULK_LIMIT_BYTES',
    parser: integer(1, maxBulkLimitBytes),
    default: '10485760',
    help: `Maximum size of the body of a bulk import, in bytes; up to ${maxBulkLimitBytes}.`,
  },
  historyDays: {
    variable: 'HISTORY_DAYS',
    parser: integer(0, maxHistoryDays),
    default: `${defaultHistory.historyDays}`,
    help: 'How many days deleted books and earlier states are kept.',
  },
  historyMaxBytes: {
    variable: 'HISTORY_MAX_BYTES',
    parser: integer(0, Number.MAX_SAFE_INTEGER),
    default: `${defaultHistory.historyMaxBytes}`,
    help: 'Maximum size of these in the embedded store, in bytes.',
  },
  sortArticles: {
    variable: 'SORT_ARTICLES',
    parser: list(isArticle, "single words such as the,a,an or l'", maxArticles),
    default: '',
    help: 'Articles that the order by title ignores, comma-separated. The first start on a new embedded store adds those of your language to an existing .env.',
    example: `"the,a,an,der,die,das,le,la,les,l'"`, // Quoted: a shell may read .env too.
  },
  sortNames: {
    variable: 'SORT_NAMES',
    parser: choice('family', 'written'),
    default: 'family',
    help: 'The order by author: family name first, as on a shelf, or as written.',
  },
  page: {
    variable: 'PAGE',
    parser: boolean,
    default: 'true',
    embeddedDefault: 'false',
    help: 'false: do not serve the web page at GET /.',
  },
  catalogueName: {
    variable: 'CATALOGUE_NAME',
    parser: line,
    default: 'shelflist',
    help: 'The name of the library, on the page, in its title and on prints.',
    example: '"City Library"',
  },
  pageLanguage: {
    variable: 'PAGE_LANGUAGE',
    parser: choice<PageLanguage>('auto', 'de', 'en', 'es', 'fr'),
    default: 'auto',
    help: 'The language of the page for readers who have not chosen one. auto: that of their browser.',
  },
  publicRead: {
    variable: 'PUBLIC_READ',
    parser: boolean,
    default: 'false',
    help: 'true: everybody may read the books, without a token. Changes, the history and the trash still need one.',
  },
  readLimit: {
    variable: 'READ_LIMIT',
    parser: integer(0, 1_000_000),
    default: '300',
    help: 'With PUBLIC_READ: how many requests an address may send without a token, at once and then per minute; 0: no limit.',
  },
  bookLookup: {
    variable: 'BOOK_LOOKUP',
    parser: lookupSource,
    default: 'off',
    help: 'Where books are looked up by ISBN: openlibrary, or an SRU address with {isbn} that answers in MARCXML; off: nowhere.',
    example: `"https://services.dnb.de/sru/dnb?version=1.1&operation=searchRetrieve&recordSchema=MARC21-xml&query=num%3D{isbn}"`,
  },
  metrics: {
    variable: 'METRICS',
    parser: boolean,
    default: 'false',
    help: 'true: answer GET /metrics, without a token, in the Prometheus text format.',
  },
  errorDetails: {
    variable: 'ERROR_DETAILS',
    parser: boolean,
    default: 'false',
    help: 'true: an error has a member `error` beside `data`: its code, and what was wrong with the request.',
  },
  logLevel: {
    variable: 'LOG_LEVEL',
    parser: choice('error', 'warn', 'info'),
    default: 'warn',
    isServeOnly: true,
    help: 'error, warn, or info (with a line per request).',
  },
  logFormat: {
    variable: 'LOG_FORMAT',
    parser: choice('text', 'json'),
    default: 'text',
    isServeOnly: true,
    help: 'text, or json (one object per line).',
  },
  workers: {
    variable: 'WORKERS',
    parser: workerCount,
    default: '1',
    flag: ['w', 'number', 'the number of processes; auto: one per core'],
    isServeOnly: true,
    help: 'The number of processes. auto: one per core.',
  },
  secretTokenPrevious: {
    variable: 'SECRET_TOKEN_PREVIOUS',
    parser: text,
    isSecret: true,
    help: 'The previous secret, during a rotation. Its tokens are still accepted.',
  },
  corsOrigins: {
    variable: 'CORS_ORIGINS',
    parser: list(
      (origin) => origin === '*' || isOrigin(origin),
      'origins such as https://books.example, or *',
    ),
    default: '',
    help: 'Origins whose web pages may use the service, comma-separated. * allows all.',
    example: 'https://books.example',
  },
  trustedProxies: {
    variable: 'TRUSTED_PROXIES',
    parser: list(isProxy, 'addresses and ranges such as 127.0.0.1 and 10.0.0.0/8, or unix'),
    default: '',
    help: 'Proxies in front of the service, comma-separated; unix means everybody who can connect to its socket. Failed logins, and requests without a token, then count for the client in X-Forwarded-For.',
    example: '127.0.0.1,10.0.0.0/8',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

type Table = typeof settings;

export type SettingName = keyof Table;

export const settingNames = Object.keys(settings) as SettingName[];

/** A row of the table, with its optional members. */
export function rowOf(name: SettingName): SettingRow {
  return settings[name];
}

/** The name of a setting's flag: `--database-url`. */
export function flagName(name: SettingName): string {
  return `--${settings[name].variable.toLowerCase().replaceAll('_', '-')}`;
}

type ParsedValue<Row> = Row extends { parser: Parser<infer Value> } ? Value : never;

/** The value of each setting; `undefined` for one that may stay unset. */
export type SettingValues = {
  [Name in SettingName]:
    | ParsedValue<Table[Name]>
    | (Table[Name] extends { isRequired: true } | { default: string } ? never : undefined);
};

/** The settings that are fields of `ServerConfig`. */
export type ServerSettingName = {
  [Name in SettingName]: Table[Name] extends { isServeOnly: true } ? never : Name;
}[SettingName];

export const serverSettingNames = settingNames.filter(isServerSetting);

export function isServerSetting(name: string): name is ServerSettingName {
  return Object.hasOwn(settings, name) && rowOf(name as SettingName).isServeOnly !== true;
}

/** Returns what is expected of a field of `ServerConfig`, unless its value is valid. */
export function checkSetting(name: ServerSettingName, value: unknown): string | undefined {
  const { isValid, expected, expectedValue = expected } = rowOf(name).parser;
  return isValid(value) ? undefined : `expected ${expectedValue}`;
}

export const serverDefaults = Object.fromEntries(
  serverSettingNames.flatMap((name) => {
    const { parser, default: value, embeddedDefault = value } = rowOf(name);
    return embeddedDefault === undefined ? [] : [[name, parser.parse(embeddedDefault)]];
  }),
) as {
  [Name in ServerSettingName as Table[Name] extends { default: string } ? Name : never]: ParsedValue<
    Table[Name]
  >;
};

/** A variable that the commands of the client read. */
export interface ClientVariable {
  readonly variable: string;
  readonly help: string;
  readonly isSecret?: true;
}

/** The variables of the client's session. `config show` and `help environment` derive from this table. */
export const clientVariables = {
  url: {
    variable: 'SHELFLIST_URL',
    help: `The address of the service, for commands. Default: that of the last login, else http://${settings.host.default}:${settings.port.default}.`,
  },
  username: { variable: 'SHELFLIST_USERNAME', help: 'The user to log in as.' },
  password: {
    variable: 'SHELFLIST_PASSWORD',
    help: 'The password. With the username, commands log in by themselves.',
    isSecret: true,
  },
  token: {
    variable: 'SHELFLIST_TOKEN',
    help: 'A token. It takes precedence over the one that `login` stored.',
    isSecret: true,
  },
} as const satisfies Readonly<Record<string, ClientVariable>>;
