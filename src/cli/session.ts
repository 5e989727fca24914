import { createClient, type Client } from '../client/client.ts';
import { ShelflistError } from '../errors.ts';
import { logIn } from './credentials.ts';
import type { Io } from './io.ts';
import {
  findRenewal,
  findTarget,
  givenToken,
  notLoggedIn,
  sessionUser,
  type SessionOptions,
  type Target,
} from './login.ts';
import { findToken, forgetToken, keepToken, type CachedToken } from './token-cache.ts';

/**
 * Runs `action` with a client that is logged in: by `SHELFLIST_TOKEN`, else by the token that `login` kept,
 * else by the credentials in the environment. A token that the service refuses is renewed once, if the
 * credentials for it are at hand.
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
  const advice = `run \`${target.loginLine}\` to replace it`;
  const cached = given === undefined ? await findToken(url, user, advice) : undefined;
  const token = given ?? cached?.token;
  const client = createClient({ url, ...(token !== undefined && { token }) });
  try {
    const renew = () => renewToken(io, client, target, options, cached);
    if (token === undefined) await renew();
    return await action(renewing(client, renew, () => notLoggedIn(io, target)));
  } finally {
    client.close();
  }
}

/** Logs in anew, and keeps the token for the commands that come. */
async function renewToken(
  io: Io,
  client: Client,
  target: Target,
  options: SessionOptions,
  refused: CachedToken | undefined,
): Promise<void> {
  const { url } = target;
  const credentials = await findRenewal(io, target, options);
  if (credentials === undefined) {
    if (refused) await forgetToken(refused);
    throw notLoggedIn(io, target);
  }
  const token = await logIn(client, url, credentials);
  // Where it cannot be kept, this command has it all the same, and the next one logs in again.
  await keepToken(url, credentials.username, token).catch(() => undefined);
}

/** The same client, but a call whose token is refused renews it and is made once more. */
function renewing(client: Client, renew: () => Promise<void>, refused: () => ShelflistError): Client {
  let renewals = 0;
  let underWay: Promise<void> | undefined;
  async function call<T>(operation: () => Promise<T>): Promise<T> {
    const before = renewals;
    try {
      return await operation();
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Calls that were sent with the same token share one login, however late they are refused.
      if (renewals === before) {
        await (underWay ??= renew().finally(() => {
          renewals++;
          underWay = undefined;
        }));
      }
      return operation().catch((again: unknown) => {
        throw isRefusal(again) ? refused() : again;
      });
    }
  }
  return {
    ...client,
    list: (query) => call(() => client.list(query)),
    async *books(query) {
      let books = client.books(query);
      try {
        const first = await call(() => {
          books = client.books(query);
          return books.next();
        });
        if (first.done) return;
        yield first.value;
        yield* books;
      } finally {
        await books.return();
      }
    },
    page: (query) => call(() => client.page(query)),
    get: (id) => call(() => client.get(id)),
    getTagged: (id) => call(() => client.getTagged(id)),
    refresh: (known) => call(() => client.refresh(known)),
    create: (fields) => call(() => client.create(fields)),
    createMany: (books) => call(() => client.createMany(books)),
    update: (id, patch, condition) => call(() => client.update(id, patch, condition)),
    delete: (id, condition) => call(() => client.delete(id, condition)),
  };
}

function isRefusal(error: unknown): boolean {
  return error instanceof ShelflistError && ['invalid_token', 'token_required'].includes(error.code);
}
