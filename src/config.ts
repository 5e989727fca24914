import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { maxBodyLimitBytes, maxBulkLimitBytes, maxHistoryDays } from './envelope.ts';
import { ShelflistError } from './errors.ts';
import { isOrigin } from './origin.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** A value and where it came from, for messages: `flag --port`, `environment PORT`, `.env PORT`, `default`. */
export interface Setting<T> {
  readonly value: T;
  readonly source: string;
}

/** Everything that a service is started with. */
export interface ServiceSettings {
  databaseUrl: Setting<string>;
  secretToken: Setting<string>;
  secretTokenPrevious: Setting<string | undefined>;
  authUsername: Setting<string>;
  authPassword: Setting<string>;
  port: Setting<number>;
  host: Setting<string>;
  acceptBearer: Setting<boolean>;
  bodyLimitBytes: Setting<number>;
  bulkLimitBytes: Setting<number>;
  /** How long earlier states and deleted books are kept, in days. */
  historyDays: Setting<number>;
  historyMaxBytes: Setting<number>;
  corsOrigins: Setting<readonly string[]>;
  trustedProxies: Setting<readonly string[]>;
  metrics: Setting<boolean>;
  logLevel: Setting<(typeof logLevels)[number]>;
  logFormat: Setting<(typeof logFormats)[number]>;
  /** How many processes serve; 1 is no cluster. */
  workers: Setting<number>;
}

/** Where settings are looked for, the first that has a value wins. */
export interface SettingSources {
  /** Values of command-line flags, by variable. */
  flags?: Environment;
  env: Environment;
  /** The folder whose `.env` is read; relative `_FILE` paths start there too. */
  directory: string;
  /** What a person types to run this program, for advice. Default `shelflist`. */
  program?: string;
}

const requiredVariables = ['SECRET_TOKEN', 'AUTH_USERNAME', 'AUTH_PASSWORD'] as const;

const defaults = {
  DATABASE_URL: 'file:./data',
  HOST: '127.0.0.1',
  PORT: '8080',
  ACCEPT_BEARER: 'false',
  BODY_LIMIT_BYTES: '1048576',
  BULK_LIMIT_BYTES: '10485760',
  HISTORY_DAYS: '90',
  HISTORY_MAX_BYTES: '268435456',
  METRICS: 'false',
  LOG_LEVEL: 'warn',
  LOG_FORMAT: 'text',
  WORKERS: '1',
} as const;

const logLevels = ['error', 'warn', 'info'] as const;
const logFormats = ['text', 'json'] as const;

/** These may stay unset: what they are for is then off. */
const optionalVariables = ['SECRET_TOKEN_PREVIOUS', 'CORS_ORIGINS', 'TRUSTED_PROXIES'] as const;

export type ServiceVariable =
  (typeof requiredVariables)[number] | keyof typeof defaults | (typeof optionalVariables)[number];

/** Every variable of a service. */
export const serviceVariables = [
  ...requiredVariables,
  ...Object.keys(defaults),
  ...optionalVariables,
] as readonly ServiceVariable[];

/** Finds a variable as it stands, unchecked; `undefined` when it is not set and has no default. */
export type FindSetting = (variable: ServiceVariable) => Promise<Setting<string> | undefined>;

/**
 * Reads the `.env` once, and finds variables there and elsewhere. What is found throws `config` when a variable
 * is set twice, or a file that it names cannot be read.
 *
 * @throws {ShelflistError} `config`: the `.env` cannot be read.
 */
export async function createSettingFinder({
  flags = {},
  env,
  directory,
}: SettingSources): Promise<FindSetting> {
  const dotenv = (await readDotenv(directory)) ?? {};
  return async (variable) => {
    const flag = flags[variable];
    if (flag) return { value: flag, source: `flag --${variable.toLowerCase().replaceAll('_', '-')}` };
    const found =
      (await findVariable(variable, env, 'environment', directory)) ??
      (await findVariable(variable, dotenv, '.env', directory));
    if (found || !hasDefault(variable)) return found;
    return { value: defaults[variable], source: 'default' };
  };
}

function hasDefault(variable: ServiceVariable): variable is keyof typeof defaults {
  return variable in defaults;
}

/** @throws {ShelflistError} `config`: what is missing or malformed, where it stands, and what to do; no value. */
export async function readServiceSettings(sources: SettingSources): Promise<ServiceSettings> {
  const { directory, program = 'shelflist' } = sources;
  const find = await createSettingFinder(sources);
  const [secretToken, authUsername, authPassword] = await Promise.all(requiredVariables.map(find));
  if (!secretToken || !authUsername || !authPassword) {
    const found = [secretToken, authUsername, authPassword];
    throw missing(
      requiredVariables.filter((_, i) => found[i] === undefined),
      // `init` never overwrites a file.
      (await readDotenv(directory)) === undefined
        ? (them) => `Run \`${program} init\` to write ${them} to a new .env file here`
        : (them) => `Add ${them} to ${join(directory, '.env')}`,
    );
  }
  // Loaded by who serves: it brings node:net along, which no command of the client needs for its start.
  const { isNetwork } = await import('./network.ts');
  const orDefault = async (variable: keyof typeof defaults) =>
    (await find(variable)) ?? { value: defaults[variable], source: 'default' };
  const orUnset = async (variable: (typeof optionalVariables)[number]) =>
    (await find(variable)) ?? { value: undefined, source: 'not set' };
  return {
    databaseUrl: await orDefault('DATABASE_URL'),
    secretToken,
    secretTokenPrevious: await orUnset('SECRET_TOKEN_PREVIOUS'),
    authUsername,
    authPassword,
    port: parseInteger('PORT', await orDefault('PORT'), 0, 65_535),
    host: await orDefault('HOST'),
    acceptBearer: parseFlag('ACCEPT_BEARER', await orDefault('ACCEPT_BEARER')),
    bodyLimitBytes: parseInteger(
      'BODY_LIMIT_BYTES',
      await orDefault('BODY_LIMIT_BYTES'),
      1,
      maxBodyLimitBytes,
    ),
    bulkLimitBytes: parseInteger(
      'BULK_LIMIT_BYTES',
      await orDefault('BULK_LIMIT_BYTES'),
      1,
      maxBulkLimitBytes,
    ),
    historyDays: parseInteger('HISTORY_DAYS', await orDefault('HISTORY_DAYS'), 0, maxHistoryDays),
    historyMaxBytes: parseInteger(
      'HISTORY_MAX_BYTES',
      await orDefault('HISTORY_MAX_BYTES'),
      0,
      Number.MAX_SAFE_INTEGER,
    ),
    corsOrigins: parseList(
      'CORS_ORIGINS',
      await orUnset('CORS_ORIGINS'),
      (each) => each === '*' || isOrigin(each),
      'neither * nor origins such as https://books.example',
    ),
    trustedProxies: parseList(
      'TRUSTED_PROXIES',
      await orUnset('TRUSTED_PROXIES'),
      isNetwork,
      'no list of addresses and ranges such as 127.0.0.1 and 10.0.0.0/8',
    ),
    metrics: parseFlag('METRICS', await orDefault('METRICS')),
    logLevel: parseChoice('LOG_LEVEL', await orDefault('LOG_LEVEL'), logLevels),
    logFormat: parseChoice('LOG_FORMAT', await orDefault('LOG_FORMAT'), logFormats),
    workers: readWorkers(await orDefault('WORKERS')),
  };
}

/** More would only wait for each other: the largest machines have fewer cores. */
const maxWorkers = 1024;

/** A number of workers as it is written: a whole number, or `auto` for one a core; `undefined` when it is neither. */
export function parseWorkers(text: string): number | undefined {
  if (text.toLowerCase() === 'auto') return availableParallelism();
  const number = Number(text);
  return /^[0-9]{1,4}$/.test(text) && number >= 1 && number <= maxWorkers ? number : undefined;
}

function readWorkers({ value, source }: Setting<string>): Setting<number> {
  const workers = parseWorkers(value);
  if (workers !== undefined) return { value: workers, source };
  throw configError(`WORKERS (${source}) is neither a whole number from 1 to ${maxWorkers} nor auto`);
}

function missing(variables: readonly string[], advise: (them: string) => string): ShelflistError {
  const [verb, them] = variables.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return configError(
    `${new Intl.ListFormat('en').format(variables)} ${verb} not set.\n` +
      `${advise(them)}, or set ${them} in the environment.`,
  );
}

/**
 * The value of a variable, or of the file that `X_FILE` names (as container secrets are handed over). Empty
 * counts as not set.
 *
 * @throws {ShelflistError} `config`: the file cannot be read, or both are set.
 */
export async function findVariable(
  variable: string,
  env: Environment,
  place: string,
  directory: string,
): Promise<Setting<string> | undefined> {
  const direct = env[variable];
  const file = env[`${variable}_FILE`];
  if (direct && file)
    throw configError(`${variable} and ${variable}_FILE are both set (${place}); keep one of them`);
  if (direct) return { value: direct, source: `${place} ${variable}` };
  if (!file) return undefined;
  const value = (await readSettingFile(resolve(directory, file), `${variable}_FILE`)).replace(/\r?\n$/, '');
  return value === '' ? undefined : { value, source: `${place} ${variable}_FILE` };
}

/** The variables of the `.env` in a folder; `undefined` when there is no such file. */
export async function readDotenv(directory: string): Promise<Environment | undefined> {
  const path = join(directory, '.env');
  try {
    const text = await readFile(path, 'utf8');
    const { parse } = await import('dotenv'); // Pure: nothing enters process.env, nothing is printed.
    return parse(text);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw configError(`cannot read ${path} (${errorCode(error)}); check its owner and mode`);
  }
}

async function readSettingFile(path: string, variable: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw configError(`cannot read ${path}, the file that ${variable} names (${errorCode(error)})`);
  }
}

function errorCode(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown reason';
}

function parseInteger(
  variable: string,
  { value, source }: Setting<string>,
  min: number,
  max: number,
): Setting<number> {
  const number = Number(value);
  if (/^[0-9]{1,16}$/.test(value) && number >= min && number <= max) return { value: number, source };
  throw configError(`${variable} (${source}) is not a whole number from ${min} to ${max}`);
}

function parseFlag(variable: string, { value, source }: Setting<string>): Setting<boolean> {
  const flag = new Map([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ]).get(value.toLowerCase());
  if (flag !== undefined) return { value: flag, source };
  throw configError(`${variable} (${source}) is neither true nor false`);
}

function parseChoice<T extends string>(
  variable: string,
  { value, source }: Setting<string>,
  choices: readonly T[],
): Setting<T> {
  const choice = choices.find((each) => each === value);
  if (choice !== undefined) return { value: choice, source };
  throw configError(`${variable} (${source}) is none of these: ${choices.join(', ')}`);
}

/** @param otherwise What a value is of which some part is not right. */
function parseList(
  variable: string,
  { value = '', source }: Setting<string | undefined>,
  isRight: (each: string) => boolean,
  otherwise: string,
): Setting<readonly string[]> {
  const list = value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (list.every(isRight)) return { value: list, source };
  throw configError(`${variable} (${source}) is ${otherwise}, with commas between`);
}

function configError(message: string): ShelflistError {
  return new ShelflistError('config', { message });
}
