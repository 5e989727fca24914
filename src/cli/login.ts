import { defaultServiceUrl, parseServiceUrl } from '../client/address.ts';
import { findVariable } from '../config.ts';
import { ShelflistError } from '../errors.ts';
import { findEnvironmentCredentials, type Credentials } from './credentials.ts';
import { programName, shellWord, type Io } from './io.ts';
import { lasts, readTokenFiles, type TokenFile } from './token-cache.ts';

/** The options of every command that talks to a service. */
export interface SessionOptions {
  url?: string;
  username?: string;
}

/** The service that a command talks to: `--url`, else `SHELFLIST_URL`, else this machine's. */
export function serviceUrl(io: Io, options: SessionOptions): string {
  try {
    const url = parseServiceUrl(options.url || io.env.SHELFLIST_URL || defaultServiceUrl);
    return url.origin + url.pathname.replace(/\/+$/, '');
  } catch (error) {
    throw new ShelflistError('usage', { message: (error as TypeError).message });
  }
}

/** The user whose login a command uses, if one is named. */
export async function sessionUser(io: Io, { username }: SessionOptions): Promise<string | undefined> {
  return username || (await findVariable('SHELFLIST_USERNAME', io.env, 'environment', io.directory))?.value;
}

/** What a command has for a service before it asks it anything. */
export interface KeptLogin {
  user: string | undefined;
  /** What it would send: `SHELFLIST_TOKEN`, else a token that `login` kept and that still lasts. */
  token: string | undefined;
  isGiven: boolean;
  /** Where `login` kept the token, whatever has become of it. */
  file: TokenFile | undefined;
}

export async function readLogin(io: Io, options: SessionOptions): Promise<KeptLogin> {
  const given = givenToken(io, options);
  const named = await sessionUser(io, options);
  const [file] = given === undefined ? await readTokenFiles(serviceUrl(io, options), named) : [];
  const kept = file?.cached && lasts(file.cached) ? file.cached.token : undefined;
  return { user: file?.cached?.username ?? named, token: given ?? kept, isGiven: given !== undefined, file };
}

/** What a command logs in with that has no good token; `SHELFLIST_TOKEN`, if set, is never replaced. */
export async function findRenewal(io: Io, options: SessionOptions): Promise<Credentials | undefined> {
  if (givenToken(io, options) !== undefined || !isEnvironmentsService(io, options)) return undefined;
  return findEnvironmentCredentials(io, options.username);
}

/** The command line that logs in to a service, as the user who was named, if one was. */
export function loginLine(io: Io, url: string, { username }: SessionOptions = {}): string {
  const isDefault = url === defaultServiceUrl && (io.env.SHELFLIST_URL || url) === url;
  const address = isDefault ? '' : ` --url ${shellWord(url)}`;
  return `${programName(io)} login${address}${username ? ` --username ${shellWord(username)}` : ''}`;
}

/** What a command ends with that has no token which the service takes. */
export function notLoggedIn(io: Io, options: SessionOptions): ShelflistError {
  const url = serviceUrl(io, options);
  const advice = `run \`${loginLine(io, url, options)}\``;
  if (givenToken(io, options) !== undefined) {
    return new ShelflistError('not_logged_in', {
      message: `${url} refuses the token in SHELFLIST_TOKEN; get a new one, or unset it and ${advice}`,
    });
  }
  const isElsewhere =
    (io.env.SHELFLIST_TOKEN || io.env.SHELFLIST_PASSWORD) && !isEnvironmentsService(io, options);
  const reason = isElsewhere ? ' (the login in the environment is for the service in SHELFLIST_URL)' : '';
  return new ShelflistError('not_logged_in', { message: `not logged in to ${url}${reason}; ${advice}` });
}

/**
 * `SHELFLIST_TOKEN`, if it is set and for this service.
 *
 * @throws {ShelflistError} `not_logged_in`: it holds what no token holds.
 */
export function givenToken(io: Io, options: SessionOptions): string | undefined {
  const token = io.env.SHELFLIST_TOKEN || undefined;
  if (token === undefined || !isEnvironmentsService(io, options)) return undefined;
  if (/^[!-~]+$/.test(token)) return token;
  throw new ShelflistError('not_logged_in', {
    message: 'SHELFLIST_TOKEN holds a space, a line break or another character that no token holds',
  });
}

/** Whether what the environment holds to log in with is for this service: not if it names another one beside it. */
export function isEnvironmentsService(io: Io, options: SessionOptions): boolean {
  return (
    !io.env.SHELFLIST_URL || new URL(serviceUrl(io, {})).origin === new URL(serviceUrl(io, options)).origin
  );
}
