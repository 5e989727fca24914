import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShelflistError } from '../../catalogue/errors.ts';
import { readTokenTimes } from '../../lib/token-claims.ts';
import { isExposed, readPrivateFile, replacePrivateFile } from './private-file.ts';

/** A token as it is stored between commands: one file per server and user. */
export interface CachedToken {
  url: string;
  username: string;
  token: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** A token counts as expired this long before it does, so that it does not expire during a request. */
const marginSeconds = 30;

/** The folder: the platform's own for caches (`$XDG_CACHE_HOME/shelflist` on Linux). */
export async function tokenFolder(): Promise<string> {
  const { default: envPaths } = await import('env-paths'); // Loaded only here, for a fast start.
  return join(envPaths('shelflist', { suffix: '' }).cache, 'tokens');
}

/** Stores a token; returns the path of its file. @throws {ShelflistError} `failed`: it cannot be written. */
export async function keepToken(url: string, username: string, token: string): Promise<string> {
  const folder = await tokenFolder();
  const path = join(folder, await fileName(url, username));
  const cached: CachedToken = { url, username, token, expiresAt: expiryOf(token) };
  try {
    await replacePrivateFile(path, `${JSON.stringify(cached)}\n`);
    return path;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new ShelflistError('failed', {
      message:
        `cannot store the token in ${folder} (${code}); make that folder writable, ` +
        'or set SHELFLIST_USERNAME and SHELFLIST_PASSWORD: every command then logs in by itself',
      cause: error,
    });
  }
}

/** A file of the token folder. */
export interface TokenFile {
  path: string;
  mode: string;
  /** Missing if others can read the file too, or if it has none. */
  cached?: CachedToken;
}

/** The files for a server, and for a user if one is named; the token that expires last comes first. */
export async function readTokenFiles(url: string, username: string | undefined): Promise<TokenFile[]> {
  const folder = await tokenFolder();
  const names =
    username === undefined ? await namesIn(folder, `${await digest(url)}-`) : [await fileName(url, username)];
  const files = (await Promise.all(names.map((name) => readTokenFile(join(folder, name))))).filter(
    (file) => file !== undefined && (file.cached === undefined || file.cached.url === url),
  ) as TokenFile[];
  return files.sort((a, b) => (b.cached?.expiresAt ?? 0) - (a.cached?.expiresAt ?? 0));
}

/** The files of every server and user. */
export async function readAllTokenFiles(): Promise<TokenFile[]> {
  const folder = await tokenFolder();
  const names = await namesIn(folder, '');
  const files = await Promise.all(names.map((name) => readTokenFile(join(folder, name))));
  return files.filter((file) => file !== undefined);
}

/**
 * Finds the token for a server, and for a user if one is named; else the one that expires last. Tokens of other servers
 * are never used.
 *
 * @param findAdvice Returns what to do if others can read the only token too; `undefined` to ignore that token.
 * @throws {ShelflistError} `not_logged_in`, with the advice.
 */
export async function findToken(
  url: string,
  username: string | undefined,
  findAdvice: () => Promise<string | undefined>,
): Promise<CachedToken | undefined> {
  const files = await readTokenFiles(url, username);
  const found = files.find(({ cached }) => cached !== undefined && isValid(cached));
  if (found) return found.cached;
  const exposed = files.find(({ mode }) => isExposed(mode));
  const advice = exposed && (await findAdvice());
  if (exposed === undefined || advice === undefined) return undefined;
  throw new ShelflistError('not_logged_in', {
    message: `${exposed.path} can be read by others (mode ${exposed.mode}); ${advice}`,
  });
}

/** Whether a token is still valid. */
export function isValid({ expiresAt }: CachedToken): boolean {
  return expiresAt - marginSeconds > Date.now() / 1000;
}

/** Stores a renewed token instead of the previous one, unless a `login` or `logout` has replaced or deleted that. */
export async function keepRenewed({ url, username, token }: CachedToken, previous: string): Promise<void> {
  const path = join(await tokenFolder(), await fileName(url, username));
  if ((await readTokenFile(path))?.cached?.token === previous) await keepToken(url, username, token);
}

/** Deletes a refused token, unless another command has replaced it meanwhile. */
export async function forgetToken({ url, username, token }: CachedToken): Promise<void> {
  const path = join(await tokenFolder(), await fileName(url, username));
  if ((await readTokenFile(path))?.cached?.token === token) await rm(path, { force: true });
}

async function readTokenFile(path: string): Promise<TokenFile | undefined> {
  const file = await readPrivateFile(path);
  if (file === undefined) return undefined;
  const cached = parseCachedToken(file.text);
  return { path, mode: file.mode, ...(cached && { cached }) };
}

async function namesIn(folder: string, start: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter((name) => name.startsWith(start) && name.endsWith('.json'));
  } catch {
    return []; // Without a folder, nobody has logged in yet.
  }
}

async function fileName(url: string, username: string): Promise<string> {
  return `${await digest(url)}-${await digest(username)}.json`;
}

async function digest(text: string): Promise<string> {
  const { hash } = await import('node:crypto'); // Loaded only here, for a fast start.
  return hash('sha256', text).slice(0, 16);
}

function parseCachedToken(text: string | undefined): CachedToken | undefined {
  const value = parseObject(text);
  const { url, username, token, expiresAt } = value;
  if (typeof url !== 'string' || typeof username !== 'string') return undefined;
  if (typeof token !== 'string' || typeof expiresAt !== 'number') return undefined;
  return { url, username, token, expiresAt };
}

/** The time when a token expires, by its `exp` claim, which only the server can verify; 0 if it has none. */
export function expiryOf(token: string): number {
  return readTokenTimes(token).expiresAt ?? 0;
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
