import type { Login } from '../../auth/credentials.ts';
import type { Client } from '../../client/client.ts';
import { findVariable } from '../../config/environment.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { isDescribed, readDotenvService, type DotenvService } from './dotenv-service.ts';
import { notice, type Io } from '../io.ts';
import { ask } from '../ui/prompt.ts';

/** A username and password, with the source of the password for messages. */
export interface Credentials extends Login {
  source: 'from the environment' | 'from .env' | 'from standard input' | 'as typed';
}

/** Logs in. @throws {ShelflistError} `invalid_credentials`, with the username and the source of the password. */
export async function logIn(client: Client, url: string, credentials: Credentials): Promise<string> {
  const { username, password, source } = credentials;
  try {
    return await client.login(username, password);
  } catch (error) {
    if (!(error instanceof ShelflistError) || error.code !== 'invalid_credentials') throw error;
    throw new ShelflistError('invalid_credentials', {
      message: `${url} refuses the username ${username} with this password (${source})`,
    });
  }
}

/** The credentials in `SHELFLIST_USERNAME` and `SHELFLIST_PASSWORD` (or their `_FILE`s), if both are set. */
export async function findEnvironmentCredentials(
  io: Io,
  named: string | undefined,
): Promise<Credentials | undefined> {
  const username = named ?? (await variable(io, 'SHELFLIST_USERNAME'));
  const password = await variable(io, 'SHELFLIST_PASSWORD');
  return username !== undefined && password !== undefined
    ? { username, password, source: 'from the environment' }
    : undefined;
}

/**
 * The username and password in the `.env` of the current folder, if that describes this service and has both. An unreadable
 * `.env` has none: `login` reports it.
 *
 * @param named The only user that is wanted, if any.
 */
export async function findDotenvCredentials(
  { directory }: Io,
  url: string,
  named: string | undefined,
): Promise<Credentials | undefined> {
  const dotenv = await readDotenvService(directory).catch(() => undefined);
  const { username, password } = dotenv ?? {};
  if (dotenv === undefined || username === undefined || password === undefined) return undefined;
  if (!isDescribed(dotenv, url) || (named !== undefined && named !== username)) return undefined;
  return { username, password, source: 'from .env' };
}

/**
 * Reads the credentials for `login`: from the environment; else from the `.env` in the current folder, if that describes this
 * service; else from a prompt at the terminal. With `--password-stdin` the password is the first line of standard
 * input.
 */
export async function readCredentials(
  io: Io,
  url: string,
  options: {
    username?: string;
    passwordStdin?: boolean;
    /** Whether the credentials in the environment are for this service. */
    environment: boolean;
  },
): Promise<Credentials> {
  const { environment } = options;
  const named = options.username || (environment ? await variable(io, 'SHELFLIST_USERNAME') : undefined);
  const given = environment ? await variable(io, 'SHELFLIST_PASSWORD') : undefined;
  const dotenv = !named || !given ? await readDotenvService(io.directory) : undefined;
  const own = dotenv && isDescribed(dotenv, url) ? dotenv : undefined;
  const other = dotenv?.password !== undefined && own === undefined ? dotenv : undefined;
  const reason = other && (!named || named === other.username) ? whyNotSent(other, url) : undefined;
  const question = createQuestion(io, reason);
  const username = named || own?.username || (await question('Username: ', false));
  if (options.passwordStdin && io.stdin.isTTY !== true) {
    const password = await readLine(io.stdin);
    if (password === '') throw noPassword('standard input is empty: expected the password');
    return { username, password, source: 'from standard input' };
  }
  if (given) return { username, password: given, source: 'from the environment' };
  if (username === own?.username && own.password !== undefined)
    return { username, password: own.password, source: 'from .env' };
  const password = await question(`Password for ${username} at ${url}: `, true);
  return { username, password, source: 'as typed' };
}

/** Says why the `.env` was not used for a login, and how to use it. */
function whyNotSent({ address, addressSource }: DotenvService, url: string): string {
  // An invalid address may contain a password.
  const [place, advice] = address?.hostnames.length
    ? [`${address.url}, not for ${url}`, `pass --url ${address.url}, or if `]
    : ['an address that no client can connect to', 'if '];
  return (
    `the password in .env is for ${place} (${addressSource} in .env); ` +
    `${advice}${url} is the same service, set SHELFLIST_URL=${url} in .env`
  );
}

/** Exceeds any password that a service accepts. */
const maxPasswordLength = 64 * 1024;

/** Reads the first line of a stream, which may be endless. */
export async function readLine(stream: AsyncIterable<Uint8Array | string>): Promise<string> {
  let text = '';
  for await (const chunk of stream) {
    text += chunk.toString();
    if (text.includes('\n') || text.length > maxPasswordLength) break;
  }
  return text.split(/\r?\n/, 1)[0] ?? '';
}

async function variable(io: Io, name: string): Promise<string | undefined> {
  return (await findVariable(name, io.env, 'environment', io.directory))?.value;
}

/**
 * Creates the function that asks at the terminal.
 *
 * @param reason Why a prompt is needed; shown once.
 * @throws {ShelflistError} `not_logged_in`: standard input is not a terminal, or nothing was typed.
 */
function createQuestion(io: Io, reason?: string): (prompt: string, silent: boolean) => Promise<string> {
  let isTold = reason === undefined;
  return async (prompt, silent) => {
    if (io.stdin.isTTY !== true) {
      const problem = 'cannot ask for the username and password: standard input is not a terminal';
      throw noPassword(reason === undefined ? problem : `${reason}.\nOtherwise, ${problem}`);
    }
    if (!isTold && reason !== undefined) notice(io, reason);
    isTold = true;
    const answer = await ask(io, prompt, { silent });
    if (answer) return answer;
    throw noPassword('nothing was typed');
  };
}

function noPassword(problem: string): ShelflistError {
  return new ShelflistError('not_logged_in', {
    message: `${problem}; set SHELFLIST_USERNAME and SHELFLIST_PASSWORD, or use --username and --password-stdin`,
  });
}
