import { text } from 'node:stream/consumers';
import type { Login } from '../auth/credentials.ts';
import { findVariable, readDotenv } from '../config.ts';
import { ShelflistError } from '../errors.ts';
import type { Io } from './io.ts';

/** The pair in `SHELFLIST_USERNAME` and `SHELFLIST_PASSWORD` (or their `_FILE`s), if it is whole. */
export async function findEnvironmentCredentials(
  io: Io,
  named: string | undefined,
): Promise<Login | undefined> {
  const username = named ?? (await variable(io, 'SHELFLIST_USERNAME'));
  const password = await variable(io, 'SHELFLIST_PASSWORD');
  return username !== undefined && password !== undefined ? { username, password } : undefined;
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
): Promise<Login> {
  const own = isThisMachine(url) ? await readDotenv(io.directory) : {};
  const username =
    options.username ||
    (await variable(io, 'SHELFLIST_USERNAME')) ||
    (own.AUTH_USERNAME ?? '') ||
    (await ask(io, 'Username: ', false));
  if (options.passwordStdin) {
    const password = (await text(io.stdin)).split(/\r?\n/, 1)[0] ?? '';
    if (password === '') throw noPassword('standard input held no password');
    return { username, password };
  }
  const password =
    (await variable(io, 'SHELFLIST_PASSWORD')) ||
    (username === own.AUTH_USERNAME && own.AUTH_PASSWORD) ||
    (await ask(io, `Password for ${username} at ${url}: `, true));
  return { username, password };
}

async function variable(io: Io, name: string): Promise<string | undefined> {
  return (await findVariable(name, io.env, 'environment', io.directory))?.value;
}

/** Whether an address is this machine's own: what stands in a local `.env` goes nowhere else. */
function isThisMachine(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

async function ask(io: Io, prompt: string, silent: boolean): Promise<string> {
  if (io.stdin.isTTY !== true) {
    throw noPassword('there is no terminal to ask for the username and password');
  }
  const { read } = await import('read');
  try {
    const answer = await read({ prompt, silent, input: io.stdin, output: io.stderr });
    if (answer !== '') return answer;
  } catch {
    throw new ShelflistError('interrupted', { message: 'stopped' }); // Ctrl-C at the prompt.
  } finally {
    if (silent) io.stderr.write('\n');
  }
  throw noPassword('nothing was typed');
}

function noPassword(problem: string): ShelflistError {
  return new ShelflistError('not_logged_in', {
    message: `${problem}; set SHELFLIST_USERNAME and SHELFLIST_PASSWORD, or use --username and --password-stdin`,
  });
}
