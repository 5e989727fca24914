import type { Login } from '../../auth/credentials.ts';
import type { Client } from '../../client/client.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { CommandError } from '../command-error.ts';
import { show, type Io } from '../io.ts';
import { ask } from '../prompt.ts';
import { isDescribed, readDotenvService, type DotenvService } from './dotenv.ts';
import { findOwn, type SessionOptions, type Target } from './target.ts';

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
    if (!hasCode(error, 'invalid_credentials')) throw error;
    throw new ShelflistError('invalid_credentials', {
      message:
        `${url} refuses the username ${username} with this password (${source})` +
        (source === 'from .env' ? '; a password that was changed there needs a restart of the service' : ''),
    });
  }
}

/** The user to log in as, if one is named. */
export async function sessionUser(io: Io, { username }: SessionOptions): Promise<string | undefined> {
  return username || findOwn(io, 'username');
}

/**
 * The credentials that need no typing: those of the environment, else those of the `.env`, if they are for this service and
 * the named user.
 *
 * @throws {ShelflistError} `config`: the `.env` cannot be read.
 */
export async function findCredentials(
  io: Io,
  { url, isEnvironments }: Target,
  options: SessionOptions,
): Promise<Credentials | undefined> {
  const named = await sessionUser(io, options);
  const given = isEnvironments ? await findOwn(io, 'password') : undefined;
  if (named && given) return { username: named, password: given, source: 'from the environment' };
  const dotenv = await readDotenvService(io.directory);
  const { username, password } = dotenv ?? {};
  if (dotenv === undefined || username === undefined || password === undefined) return undefined;
  if (!isDescribed(dotenv, url) || (named !== undefined && named !== username)) return undefined;
  return { username, password, source: 'from .env' };
}

/**
 * Reads the credentials for `login`: those that need no typing, else from a prompt at the terminal. With `--password-stdin`
 * the password is the first line of standard input.
 *
 * @throws {ShelflistError} `config`: the `.env` cannot be read; `not_logged_in`: nobody can be asked, or nothing was typed.
 */
export async function readCredentials(
  io: Io,
  target: Target,
  options: SessionOptions & { passwordStdin?: boolean },
): Promise<Credentials> {
  const { url } = target;
  const isPiped = options.passwordStdin === true && io.stdin.isTTY !== true;
  const found = isPiped ? undefined : await findCredentials(io, target, options);
  if (found !== undefined) return found;
  const named = await sessionUser(io, options);
  const dotenv = await readDotenvService(io.directory);
  const isOwn = dotenv !== undefined && isDescribed(dotenv, url);
  const isOther = dotenv?.password !== undefined && !isOwn && (!named || named === dotenv.username);
  const question = createQuestion(io, isOther ? whyNotSent(dotenv, url) : undefined);
  const username = named || (isOwn && dotenv.username) || (await question('Username: ', false));
  if (!isPiped)
    return {
      username,
      password: await question(`Password for ${username} at ${url}: `, true),
      source: 'as typed',
    };
  const password = await readLine(io.stdin);
  if (password === '') throw noPassword('standard input is empty: expected the password');
  return { username, password, source: 'from standard input' };
}

/** Says why the `.env` was not used for a login, and how to use it. */
function whyNotSent({ address }: DotenvService, url: string): string {
  // An invalid address may contain a password.
  const isValid = address !== undefined && isDescribed({ address }, address.value);
  const place = isValid ? `${address.value}, not for ${url}` : 'an address that no client can connect to';
  return (
    `the password in .env is for ${place} (${address?.source ?? '.env HOST and PORT'}); ` +
    `${isValid ? `pass --url ${address.value}, or if ` : 'if '}${url} is the same service, set SHELFLIST_URL=${url} in .env`
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

/**
 * Creates the function that asks at the terminal.
 *
 * @param reason Why a prompt is needed; shown once.
 */
function createQuestion(io: Io, reason?: string): (prompt: string, silent: boolean) => Promise<string> {
  let isTold = reason === undefined;
  return async (prompt, silent) => {
    if (io.stdin.isTTY !== true) {
      const problem = 'cannot ask for the username and password: standard input is not a terminal';
      throw noPassword(reason === undefined ? problem : `${reason}.\nOtherwise, ${problem}`);
    }
    if (!isTold && reason !== undefined) show(io, reason);
    isTold = true;
    const answer = await ask(io, prompt, { silent });
    if (answer) return answer;
    throw noPassword('nothing was typed');
  };
}

function noPassword(problem: string): CommandError {
  return new CommandError('not_logged_in', {
    message: `${problem}; set SHELFLIST_USERNAME and SHELFLIST_PASSWORD, or use --username and --password-stdin`,
  });
}
