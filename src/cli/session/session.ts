import type { Client } from '../../client/client.ts';
import type { Send } from '../../client/wire.ts';
import { hasCode, wireErrorOf } from '../../catalogue/errors.ts';
import { CommandError } from '../command-error.ts';
import { defaultServiceUrl } from '../../client/options.ts';
import { isExposed } from '../../lib/atomic-file.ts';
import { readTokenTimes } from '../../lib/token-claims.ts';
import { type Io, formatTime } from '../io.ts';
import { checkReachable, connectWithSend } from './connection.ts';
import { findCredentials, logIn, sessionUser, type Credentials } from './credentials.ts';
import { findTarget, hasEnvironmentLogin, type SessionOptions, type Target } from './target.ts';
import {
  expiryOf,
  forgetToken,
  isValid,
  keepRenewed,
  keepToken,
  readTokenFiles,
  type CachedToken,
  type TokenFile,
} from './token-cache.ts';

/** The login of a command. */
interface StoredLogin {
  user: string | undefined;
  /** The token to send: `SHELFLIST_TOKEN`, else a valid one that `login` stored. */
  token: string | undefined;
  isGiven: boolean;
  /** The file of the stored token, even if that has expired or others can read it. */
  file: TokenFile | undefined;
}

/** @throws {CommandError} `not_logged_in`: `SHELFLIST_TOKEN` is not a token. */
export async function readLogin(io: Io, target: Target, options: SessionOptions): Promise<StoredLogin> {
  const given = givenToken(io, target);
  const named = await sessionUser(io, options);
  const file = given === undefined ? await readStored(io, target, options, named) : undefined;
  const kept = file?.cached && isValid(file.cached) ? file.cached.token : undefined;
  return { user: file?.cached?.username ?? named, token: given ?? kept, isGiven: given !== undefined, file };
}

/**
 * The stored token.
 *
 * @throws {ShelflistError} `config`: it cannot be read, and there are no credentials to get a new one.
 */
async function readStored(
  io: Io,
  target: Target,
  options: SessionOptions,
  user: string | undefined,
): Promise<TokenFile | undefined> {
  try {
    return (await readTokenFiles(target.url, user))[0];
  } catch (error) {
    if ((await findCredentials(io, target, options)) === undefined) throw error;
    return undefined;
  }
}

/** `SHELFLIST_TOKEN`, if it is set and for this service. */
function givenToken({ env }: Io, { isEnvironments }: Target): string | undefined {
  const token = env.SHELFLIST_TOKEN || undefined;
  if (token === undefined || !isEnvironments) return undefined;
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError('not_logged_in', {
    message: 'SHELFLIST_TOKEN is not a token: it contains a space, a line break or another invalid character',
  });
}

/** The credentials for a new token without typing. `SHELFLIST_TOKEN`, if set, is never replaced. */
export async function findRenewal(
  io: Io,
  target: Target,
  options: SessionOptions,
): Promise<Credentials | undefined> {
  return givenToken(io, target) === undefined ? findCredentials(io, target, options) : undefined;
}

/**
 * Runs `action` with a client of the service that the options name, logged in as {@link withLogin} does.
 *
 * @throws {CommandError} `not_logged_in`, with the command to run.
 */
export async function withSession<T>(
  io: Io,
  options: SessionOptions,
  action: (client: Client, send: Send) => Promise<T>,
): Promise<T> {
  return withLogin(io, await findTarget(io, options), options, action);
}

/**
 * Runs `action` with a client that is logged in: with `SHELFLIST_TOKEN`, else with the token that `login` kept, else with the
 * credentials in the environment or in the `.env`, if they are for this service. The client renews the token before it
 * expires. A refused token is replaced once per request if there are such credentials.
 *
 * @param target What {@link findTarget} found for these options.
 * @throws {CommandError} `not_logged_in`, with the command to run.
 */
export async function withLogin<T>(
  io: Io,
  target: Target,
  options: SessionOptions,
  action: (client: Client, send: Send) => Promise<T>,
): Promise<T> {
  const { url } = target;
  const login = await readLogin(io, target, options);
  const { token, isGiven } = login;
  let cached = token === undefined || isGiven ? undefined : login.file?.cached;
  const onUnauthorized = async () => {
    const credentials = await findRenewal(io, target, options);
    if (credentials === undefined) {
      if (cached === undefined) {
        if (token === undefined) await checkReachable(url, io.env);
        throw loginNeeded(io, target, login);
      }
      await forgetToken(cached).catch(() => undefined); // If it cannot be deleted, it stays and is refused again.
      throw endedLogin(target, cached);
    }
    if (cached === undefined) await client.check(); // Before a password could go to another program.
    cached = await logInAgain(client, url, credentials);
    return cached.token;
  };
  // If it cannot be kept, this command still has it, and the next one uses the previous token.
  const onRenewed = async (renewed: string, previous: string) => {
    if (cached === undefined) return;
    cached = { ...cached, token: renewed, expiresAt: expiryOf(renewed) };
    await keepRenewed(cached, previous).catch(() => undefined);
  };
  const { client, send } = connectWithSend(
    {
      url,
      onUnauthorized,
      onRenewed,
      ...(token !== undefined && { token }),
    },
    io.env,
  );
  try {
    if (token === undefined) await onUnauthorized();
    return await action(client, send);
  } catch (error) {
    // A new token was refused, too.
    const isRefused = hasCode(error, 'invalid_token', 'token_required');
    throw isRefused && error.message === wireErrorOf(error.code).message
      ? notLoggedIn(io, target, isGiven)
      : error;
  } finally {
    client.close();
  }
}

async function logInAgain(client: Client, url: string, credentials: Credentials): Promise<CachedToken> {
  const { username } = credentials;
  const token = await logIn(client, url, credentials);
  // If it cannot be kept, this command still has it, and the next one logs in again.
  await keepToken(url, username, token).catch(() => undefined);
  return { url, username, token, expiresAt: expiryOf(token) };
}

/** The error of a command without a token that the service accepts. */
export function loginNeeded(io: Io, target: Target, { isGiven, file }: StoredLogin): CommandError {
  if (isGiven || file === undefined) return notLoggedIn(io, target, isGiven);
  const { path, mode, cached, problem } = file;
  if (cached !== undefined) return endedLogin(target, cached);
  if (problem === undefined && !isExposed(mode)) return notLoggedIn(io, target, false);
  const what =
    problem === undefined
      ? `${path} can be read by others (mode ${mode})`
      : `cannot read ${path} (${problem})`;
  const message = `${what}; run \`${target.loginLine}\` to replace it`;
  return new CommandError('not_logged_in', { message });
}

/** Names the time of a login, and when or how it ended. */
function endedLogin({ url, loginLine }: Target, cached: CachedToken): CommandError {
  const { loginAt, issuedAt } = readTokenTimes(cached.token);
  const login = `your login${describeTime(' of ', loginAt ?? issuedAt)}`;
  const end = Math.min(cached.expiresAt, Date.now() / 1000);
  const message = isValid(cached)
    ? `${url} has ended ${login}: its password or secret may have changed; run \`${loginLine}\``
    : `${login} ended${describeTime(' at ', end)}; run \`${loginLine}\``;
  return new CommandError('not_logged_in', { message });
}

/** Empty if the time is not known. */
function describeTime(before: string, seconds: number | undefined): string {
  return seconds === undefined || seconds <= 0 ? '' : before + formatTime(seconds);
}

function notLoggedIn(
  io: Io,
  { url, isEnvironments, loginLine }: Target,
  isTokenGiven: boolean,
): CommandError {
  const advice = `run \`${loginLine}\``;
  const owner =
    io.env.SHELFLIST_URL || io.env.SHELFLIST_URL_FILE
      ? 'the service in SHELFLIST_URL'
      : `${defaultServiceUrl}: SHELFLIST_URL is not set`;
  const others =
    hasEnvironmentLogin(io) && !isEnvironments ? ` (the login in the environment is for ${owner})` : '';
  const message = isTokenGiven
    ? `${url} refuses the token in SHELFLIST_TOKEN; get a new one, or unset it and ${advice}`
    : `not logged in to ${url}${others}; ${advice}`;
  return new CommandError('not_logged_in', { message });
}
