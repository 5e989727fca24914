import { text } from 'node:stream/consumers';
import type { Login } from '../auth/credentials.ts';
import type { Client } from '../client/client.ts';
import { findVariable, readDotenv } from '../config.ts';
import { ShelflistError } from '../errors.ts';
import type { Io } from './io.ts';
import { ask } from './prompt.ts';

/** A pair, and where its password came from, for messages: `from .env`. */
export interface Credentials extends Login {
  source: string;
}

/** Logs in. @throws {ShelflistError} `invalid_credentials`, saying which pair the service refuses. */
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

/** The pair in `SHELFLIST_USERNAME` and `SHELFLIST_PASSWORD` (or their `_FILE`s), if it is whole. */
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
 * The pair for `login`: from the environment; else, for a service on this machine, from the `.env` beside
 * which it is run; else from the person at the terminal. With `--password-stdin` the password is the first
 * line of standard input.
 */
export async function readCredentials(
  io: Io,
  url: string,
  options: { username?: string; passwordStdin?: boolean },
): Promise<Credentials> {
  const own = isThisMachine(url) ? ((await readDotenv(io.directory)) ?? {}) : {};
  const username =
    options.username ||
    (await variable(io, 'SHELFLIST_USERNAME')) ||
    (own.AUTH_USERNAME ?? '') ||
    (await askFor(io, 'Username: ', false));
  if (options.passwordStdin) {
    const password = (await text(io.stdin)).split(/\r?\n/, 1)[0] ?? '';
    if (password === '') throw noPassword('standard input held no password');
    return { username, password, source: 'from standard input' };
  }
  const given = await variable(io, 'SHELFLIST_PASSWORD');
  if (given) return { username, password: given, source: 'from the environment' };
  if (username === own.AUTH_USERNAME && own.AUTH_PASSWORD)
    return { username, password: own.AUTH_PASSWORD, source: 'from .env' };
  const password = await askFor(io, `Password for ${username} at ${url}: `, true);
  return { username, password, source: 'as typed' };
}

async function variable(io: Io, name: string): Promise<string | undefined> {
  return (await findVariable(name, io.env, 'environment', io.directory))?.value;
}

/** Whether an address is this machine's own: what stands in a local `.env` goes nowhere else. */
function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function askFor(io: Io, prompt: string, silent: boolean): Promise<string> {
  if (io.stdin.isTTY !== true) {
    throw noPassword('there is no terminal to ask for the username and password');
  }
  const answer = await ask(io, prompt, { silent });
  if (answer) return answer;
  throw noPassword('nothing was typed');
}

function noPassword(problem: string): ShelflistError {
  return new ShelflistError('not_logged_in', {
    message: `${problem}; set SHELFLIST_USERNAME and SHELFLIST_PASSWORD, or use --username and --password-stdin`,
  });
}
