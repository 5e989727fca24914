import { createClient, defaultServiceUrl, parseServiceUrl, type Client } from '../client/client.ts';
import { ShelflistError } from '../errors.ts';
import { findEnvironmentCredentials, logIn, type Credentials } from './credentials.ts';
import { programName, type Io } from './io.ts';
import { findToken, forgetToken, keepToken } from './token-cache.ts';

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
export function sessionUser(io: Io, options: SessionOptions): string | undefined {
  return options.username || io.env.SHELFLIST_USERNAME || undefined;
}

/**
 * Runs `action` with a client that is logged in: by `SHELFLIST_TOKEN`, else by the token that `login` kept,
 * else by the credentials in the environment. A token that the service refuses is renewed, if the
 * credentials for it are at hand.
 *
 * @throws {ShelflistError} `not_logged_in`, with the command to run.
 */
export async function withSession<T>(
  io: Io,
  options: SessionOptions,
  action: (client: Client) => Promise<T>,
): Promise<T> {
  const url = serviceUrl(io, options);
  const username = sessionUser(io, options);
  const given = io.env.SHELFLIST_TOKEN || undefined;
  const cached =
    given === undefined
      ? await findToken(url, username, `run \`${loginLine(io, url)}\` to replace it`)
      : undefined;
  const token = given ?? cached?.token;
  const client = createClient({ url, ...(token !== undefined && { token }) });

  let renewal: Promise<void> | undefined; // Calls that are refused at the same moment share one login.
  const renew = () =>
    (renewal ??= login().finally(() => {
      renewal = undefined;
    }));
  async function login(): Promise<void> {
    const credentials = await findRenewal(io, options);
    if (credentials === undefined) {
      if (cached) await forgetToken(url, cached.username);
      throw notLoggedIn(io, url, given !== undefined);
    }
    const renewed = await logIn(client, url, credentials);
    // Where it cannot be kept, this command has it all the same, and the next one logs in again.
    await keepToken(url, credentials.username, renewed).catch(() => undefined);
  }

  try {
    if (token === undefined) await renew();
    return await action(renewing(client, renew));
  } finally {
    client.close();
  }
}

/** What a command logs in with that has no good token; `SHELFLIST_TOKEN`, if set, is never replaced. */
export async function findRenewal(io: Io, options: SessionOptions): Promise<Credentials | undefined> {
  return io.env.SHELFLIST_TOKEN ? undefined : findEnvironmentCredentials(io, sessionUser(io, options));
}

/** The same client, but a call whose token is refused renews it and is made once more. */
function renewing(client: Client, renew: () => Promise<void>): Client {
  async function call<T>(operation: () => Promise<T>): Promise<T> {
    try {
      return await operation();
    } catch (error) {
      const refused =
        error instanceof ShelflistError && ['invalid_token', 'token_required'].includes(error.code);
      if (!refused) throw error;
      await renew();
      return operation();
    }
  }
  return {
    ...client,
    list: () => call(() => client.list()),
    async *books() {
      let books = client.books();
      try {
        const first = await call(() => {
          books = client.books();
          return books.next();
        });
        if (first.done) return;
        yield first.value;
        yield* books;
      } finally {
        await books.return();
      }
    },
    get: (id) => call(() => client.get(id)),
    create: (fields) => call(() => client.create(fields)),
    update: (id, patch) => call(() => client.update(id, patch)),
    delete: (id) => call(() => client.delete(id)),
  };
}

/** The command line that logs in to a service. */
export function loginLine(io: Io, url: string): string {
  return `${programName(io)} login${url === defaultServiceUrl ? '' : ` --url ${url}`}`;
}

/** What a command ends with that has no token which the service takes. */
export function notLoggedIn(io: Io, url: string, tokenGiven: boolean): ShelflistError {
  const message = tokenGiven
    ? `${url} refuses the token in SHELFLIST_TOKEN; get a new one, or unset it and log in`
    : `not logged in to ${url}; run \`${loginLine(io, url)}\``;
  return new ShelflistError('not_logged_in', { message });
}
