import type { Client } from '../../client/client.ts';
import { connect } from './connect.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { logIn } from './credentials.ts';
import type { Io } from '../io.ts';
import {
  findRenewal,
  findTarget,
  givenToken,
  notLoggedIn,
  sessionUser,
  type SessionOptions,
  type Target,
} from './target.ts';
import { endedLogin } from './ended-login.ts';
import {
  expiryOf,
  findToken,
  forgetToken,
  keepRenewed,
  keepToken,
  readTokenFiles,
  type CachedToken,
} from './token-cache.ts';

/**
 * Runs `action` with a client that is logged in: with `SHELFLIST_TOKEN`, else with the token that `login` kept, else with the
 * credentials in the environment or in the `.env`, if they are for this service. The client renews the token before it
 * expires. A refused token is replaced once per request if there are such credentials.
 *
 * @throws {ShelflistError} `not_logged_in`, with the command to run.
 */
export async function withSession<T>(
  io: Io,
  options: SessionOptions,
  action: (client: Client) => Promise<T>,
): Promise<T> {
  const target = await findTarget(io, options);
  const { url } = target;
  const given = givenToken(io, target);
  const user = await sessionUser(io, options);
  const findAdvice = async () =>
    (await findRenewal(io, target, options)) ? undefined : `run \`${target.loginLine}\` to replace it`;
  let cached = given === undefined ? await findToken(url, user, findAdvice) : undefined;
  const token = given ?? cached?.token;
  const onUnauthorized = async () => {
    cached = await logInAgain(io, client, target, options, cached);
    return cached.token;
  };
  // If it cannot be kept, this command still has it, and the next one uses the previous token.
  const onRenewed = async (renewed: string, previous: string) => {
    if (cached === undefined) return;
    cached = { ...cached, token: renewed, expiresAt: expiryOf(renewed) };
    await keepRenewed(cached, previous).catch(() => undefined);
  };
  const client: Client = connect({
    url,
    onUnauthorized,
    onRenewed,
    ...(token !== undefined && { token }),
  });
  try {
    if (token === undefined) await onUnauthorized();
    return await action(client);
  } catch (error) {
    // A new token was refused, too.
    const isRefused =
      error instanceof ShelflistError && ['invalid_token', 'token_required'].includes(error.code);
    throw isRefused && error.message === error.wireMessage ? notLoggedIn(io, target) : error;
  } finally {
    client.close();
  }
}

/** Logs in with the credentials that need no typing, and keeps the token for later commands. */
async function logInAgain(
  io: Io,
  client: Client,
  target: Target,
  options: SessionOptions,
  refused: CachedToken | undefined,
): Promise<CachedToken> {
  const { url } = target;
  const credentials = await findRenewal(io, target, options);
  if (credentials === undefined) {
    if (refused) await forgetToken(refused);
    const ended = refused ?? (await lastLogin(io, target, options));
    throw ended === undefined ? notLoggedIn(io, target) : endedLogin(target, ended);
  }
  const { username } = credentials;
  if (refused === undefined) await client.check(); // Before a password could go to another program.
  const token = await logIn(client, url, credentials);
  // If it cannot be kept, this command still has it, and the next one logs in again.
  await keepToken(url, username, token).catch(() => undefined);
  return { url, username, token, expiresAt: expiryOf(token) };
}

/** The login whose token has expired last; `undefined` if there was none, or the environment has a token. */
async function lastLogin(io: Io, target: Target, options: SessionOptions): Promise<CachedToken | undefined> {
  if (givenToken(io, target) !== undefined) return undefined;
  const [file] = await readTokenFiles(target.url, await sessionUser(io, options));
  return file?.cached;
}
