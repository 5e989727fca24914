import { defaultServiceUrl, parseServiceUrl } from '../../client/address.ts';
import { findVariable } from '../../config/environment.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { keepChosenService, readChosenService } from './chosen-service.ts';
import { findDotenvCredentials, findEnvironmentCredentials, type Credentials } from './credentials.ts';
import { readDotenvService, type DotenvService } from './dotenv-service.ts';
import { programName, shellWord, type Io } from '../io.ts';
import { isValid, readAllTokenFiles, readTokenFiles, type TokenFile } from './token-cache.ts';

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
  /** The command line that logs in to this service, as the named user if there is one. */
  readonly loginLine: string;
}

/**
 * Finds the service that a command talks to: `--url`, else `SHELFLIST_URL`, else the usual one
 * ({@link findUsualUrl}).
 *
 * A password or token in the environment is for the service in `SHELFLIST_URL`. If that is not set, it is for the
 * service in `--url` or the default address; never for an address that only a `.env` or an earlier command names,
 * because the folder may belong to somebody else, and the choice may be forgotten.
 *
 * @throws {ShelflistError} `usage`: an address is invalid.
 */
export async function findTarget(io: Io, options: SessionOptions): Promise<Target> {
  const [environments, usual] = [await findEnvironmentUrl(io), await findUsualUrl(io)];
  const url = checkUrl(options.url || environments || usual.url);
  const own = environments ?? (options.url ? url : defaultServiceUrl);
  const isEnvironments = URL.canParse(own) && new URL(own).origin === new URL(url).origin;
  const isDefault = isUsual(usual, url) && (environments ?? url) === url;
  const address = isDefault ? '' : ` --url ${shellWord(url)}`;
  const user = options.username ? ` --username ${shellWord(options.username)}` : '';
  return { url, isEnvironments, loginLine: `${programName(io)} login${address}${user}` };
}

/** An address, and where it comes from, for messages. */
export interface UsualUrl {
  readonly url: string;
  readonly source: string;
}

/**
 * The address that commands in this folder use when neither option nor environment names one: the one that `use` or
 * `login --url` chose, else that of the `.env`, else that of the only login, else port 8080 of this machine.
 *
 * A choice made beside a `.env` that describes a service is for that folder only, and one made elsewhere is for the folders
 * without: a service that is started in a folder is the one that commands there talk to.
 */
export async function findUsualUrl(io: Io): Promise<UsualUrl> {
  const dotenv = await readOwnDotenv(io);
  const chosen = await readChosenService(placeOf(io, dotenv));
  if (chosen !== undefined) return { url: chosen, source: 'shelflist use' };
  if (dotenv?.address !== undefined)
    return { url: dotenv.address.url, source: `.env ${dotenv.addressSource}` };
  // A login in the environment without an address is for the default one.
  const only = hasEnvironmentLogin(io) ? undefined : await findOnlyLogin();
  return only === undefined
    ? { url: defaultServiceUrl, source: 'default' }
    : { url: only, source: onlyLogin };
}

/**
 * Makes an address the usual one in this folder ({@link findUsualUrl}), or forgets the choice.
 *
 * @throws {ShelflistError} `usage`: the address is invalid.
 */
export async function chooseUsualUrl(io: Io, text: string | undefined): Promise<void> {
  const dotenv = await readOwnDotenv(io);
  const url = text === undefined ? undefined : checkUrl(text);
  await keepChosenService(placeOf(io, dotenv), url === dotenv?.address?.url ? undefined : url);
}

function placeOf({ directory }: Io, dotenv: DotenvService | undefined): string {
  return dotenv?.address === undefined ? '' : directory;
}

/** An unreadable .env is ignored here: `login`, which needs its password, reports it. */
function readOwnDotenv({ directory }: Io): Promise<DotenvService | undefined> {
  return readDotenvService(directory).catch(() => undefined);
}

const onlyLogin = 'the only login';

async function findOnlyLogin(): Promise<string | undefined> {
  const urls = new Set((await readAllTokenFiles()).flatMap(({ cached }) => cached?.url ?? []));
  return urls.size === 1 ? [...urls][0] : undefined;
}

/** The address in `SHELFLIST_URL`, unchecked. */
export async function findEnvironmentUrl({ env, directory }: Io): Promise<string | undefined> {
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

/**
 * The credentials for a new token without typing: those of the environment, or of the `.env`, if they are for this service.
 * `SHELFLIST_TOKEN`, if set, is never replaced.
 */
export async function findRenewal(
  io: Io,
  target: Target,
  options: SessionOptions,
): Promise<Credentials | undefined> {
  if (givenToken(io, target) !== undefined) return undefined;
  const own = target.isEnvironments ? await findEnvironmentCredentials(io, options.username) : undefined;
  return own ?? findDotenvCredentials(io, target.url, await sessionUser(io, options));
}

/** Whether commands use this address without being told, whichever logins are added or deleted. */
export async function isUsualUrl(io: Io, url: string): Promise<boolean> {
  return isUsual(await findUsualUrl(io), url);
}

function isUsual(usual: UsualUrl, url: string): boolean {
  return url === usual.url && usual.source !== onlyLogin;
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
  return new ShelflistError('not_logged_in', {
    message: `not logged in to ${url}${hasEnvironmentLogin(io) && !isEnvironments ? environmentsOther(io) : ''}; ${advice}`,
  });
}

function hasEnvironmentLogin({ env }: Io): boolean {
  return ['TOKEN', 'PASSWORD', 'PASSWORD_FILE'].some((name) => env[`SHELFLIST_${name}`]);
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
