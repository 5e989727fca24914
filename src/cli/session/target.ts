import { defaultServiceUrl, parseServiceUrl } from '../../client/address.ts';
import { findVariable } from '../../config/environment.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { findEnvironmentCredentials, type Credentials } from './credentials.ts';
import { readDotenvService } from './dotenv-service.ts';
import { programName, shellWord, type Io } from '../io.ts';
import { isValid, readTokenFiles, type TokenFile } from './token-cache.ts';

/** The options of every command that talks to a service. */
export interface SessionOptions {
  url?: string;
  username?: string;
}

/** The service that a command talks to. */
export interface Target {
  /** Without a trailing slash. */
  readonly url: string;
  /** Whether the password and token in the environment are for this service. */
  readonly isEnvironments: boolean;
  /** The command line that logs in to this service. */
  readonly loginLine: string;
}

/**
 * Finds the service that a command talks to: `--url`, else `SHELFLIST_URL`, else the one that the `.env` in the
 * current folder describes, else port 8080 of this machine.
 *
 * A password or token in the environment is for the service in `SHELFLIST_URL`. If that is not set, it is for the
 * service in `--url` or the default address; never for an address that only a `.env` names, because the folder may
 * belong to somebody else.
 *
 * @throws {ShelflistError} `usage`: an address is invalid.
 */
export async function findTarget(io: Io, options: SessionOptions): Promise<Target> {
  const { url: usual } = await findUsualUrl(io);
  const environments = await findEnvironmentUrl(io);
  const url = options.url ? checkUrl(options.url) : checkUrl(environments ?? usual);
  const own = environments ?? (options.url ? url : defaultServiceUrl);
  const isEnvironments = URL.canParse(own) && new URL(own).origin === new URL(url).origin;
  return { url, isEnvironments, loginLine: await loginLine(io, url, options) };
}

/** The address that commands in this folder use when neither option nor environment names one. */
export async function findUsualUrl({ directory }: Io): Promise<{ url: string; source: string }> {
  // An unreadable .env is ignored here: `login`, which needs its password, reports it.
  const dotenv = await readDotenvService(directory).catch(() => undefined);
  return dotenv?.address === undefined
    ? { url: defaultServiceUrl, source: 'default' }
    : { url: dotenv.address.url, source: `.env ${dotenv.addressSource}` };
}

async function findEnvironmentUrl({ env, directory }: Io): Promise<string | undefined> {
  return (await findVariable('SHELFLIST_URL', env, 'environment', directory))?.value;
}

function checkUrl(text: string): string {
  try {
    const url = parseServiceUrl(text);
    return url.origin + url.pathname.replace(/\/+$/, '');
  } catch (error) {
    throw new ShelflistError('usage', { message: (error as TypeError).message });
  }
}

/** The user whose login a command uses, if one is named. */
export async function sessionUser(io: Io, { username }: SessionOptions): Promise<string | undefined> {
  return username || (await findVariable('SHELFLIST_USERNAME', io.env, 'environment', io.directory))?.value;
}

/** The stored login for a service. */
export interface StoredLogin {
  user: string | undefined;
  /** The token to send: `SHELFLIST_TOKEN`, else a valid one that `login` stored. */
  token: string | undefined;
  isGiven: boolean;
  /** The file of the stored token, even if that has expired. */
  file: TokenFile | undefined;
}

export async function readLogin(io: Io, target: Target, options: SessionOptions): Promise<StoredLogin> {
  const given = givenToken(io, target);
  const named = await sessionUser(io, options);
  const [file] = given === undefined ? await readTokenFiles(target.url, named) : [];
  const kept = file?.cached && isValid(file.cached) ? file.cached.token : undefined;
  return { user: file?.cached?.username ?? named, token: given ?? kept, isGiven: given !== undefined, file };
}

/** The credentials for a new token, if the token is refused. `SHELFLIST_TOKEN`, if set, is never replaced. */
export async function findRenewal(
  io: Io,
  target: Target,
  { username }: SessionOptions,
): Promise<Credentials | undefined> {
  if (givenToken(io, target) !== undefined || !target.isEnvironments) return undefined;
  return findEnvironmentCredentials(io, username);
}

/** The command line that logs in to a service, as the named user if there is one. */
export async function loginLine(io: Io, url: string, { username }: SessionOptions = {}): Promise<string> {
  const { url: usual } = await findUsualUrl(io);
  const isDefault = url === usual && ((await findEnvironmentUrl(io)) ?? url) === url;
  const address = isDefault ? '' : ` --url ${shellWord(url)}`;
  return `${programName(io)} login${address}${username ? ` --username ${shellWord(username)}` : ''}`;
}

/** The error of a command without a token that the service accepts. */
export function notLoggedIn(io: Io, target: Target): ShelflistError {
  const { url, isEnvironments } = target;
  const advice = `run \`${target.loginLine}\``;
  if (givenToken(io, target) !== undefined) {
    return new ShelflistError('not_logged_in', {
      message: `${url} refuses the token in SHELFLIST_TOKEN; get a new one, or unset it and ${advice}`,
    });
  }
  const hasLogin = ['TOKEN', 'PASSWORD', 'PASSWORD_FILE'].some((name) => io.env[`SHELFLIST_${name}`]);
  return new ShelflistError('not_logged_in', {
    message: `not logged in to ${url}${hasLogin && !isEnvironments ? environmentsOther(io) : ''}; ${advice}`,
  });
}

function environmentsOther({ env }: Io): string {
  return env.SHELFLIST_URL || env.SHELFLIST_URL_FILE
    ? ' (the login in the environment is for the service in SHELFLIST_URL)'
    : ` (the login in the environment is for ${defaultServiceUrl}: SHELFLIST_URL is not set)`;
}

/**
 * `SHELFLIST_TOKEN`, if it is set and for this service.
 *
 * @throws {ShelflistError} `not_logged_in`: it is not a token.
 */
export function givenToken(io: Io, { isEnvironments }: Target): string | undefined {
  const token = io.env.SHELFLIST_TOKEN || undefined;
  if (token === undefined || !isEnvironments) return undefined;
  if (/^[!-~]+$/.test(token)) return token;
  throw new ShelflistError('not_logged_in', {
    message: 'SHELFLIST_TOKEN is not a token: it contains a space, a line break or another invalid character',
  });
}
