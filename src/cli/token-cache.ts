import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShelflistError } from '../errors.ts';
import { isExposed, readPrivateFile, replacePrivateFile } from './private-file.ts';

/** A token as it is kept between commands: one file a server and user. */
export interface CachedToken {
  url: string;
  username: string;
  token: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** A token counts as ended this long before it does, so that no request is sent with one that ends on its way. */
const marginSeconds = 30;

/** The folder: the platform's own for caches (`$XDG_CACHE_HOME/shelflist` on Linux). */
export async function tokenFolder(): Promise<string> {
  const { default: envPaths } = await import('env-paths'); // Only what talks to a service needs it.
  return join(envPaths('shelflist', { suffix: '' }).cache, 'tokens');
}

/** Keeps a token; gives the path of its file. @throws {ShelflistError} `failed` when it cannot be written. */
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
        `cannot keep the token in ${folder} (${code}); make that folder writable, ` +
        'or set SHELFLIST_USERNAME and SHELFLIST_PASSWORD: every command then logs in by itself',
      cause: error,
    });
  }
}

/** A file of the token folder. */
export interface TokenFile {
  path: string;
  mode: string;
  /** Missing where others can read the file too, or where it holds none. */
  cached?: CachedToken;
}

/** The files for a server, and for a user if one is named, whose token lasts longest first. */
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
 * The token for a server, and for a user if one is named; else the one that lasts longest. Only a token that
 * this very server issued is ever found.
 *
 * @throws {ShelflistError} `not_logged_in`, with the advice, when there is none but what others can read too.
 */
export async function findToken(
  url: string,
  username: string | undefined,
  advice: string,
): Promise<CachedToken | undefined> {
  const files = await readTokenFiles(url, username);
  const found = files.find(({ cached }) => cached !== undefined && lasts(cached));
  if (found) return found.cached;
  const exposed = files.find(({ mode }) => isExposed(mode));
  if (exposed === undefined) return undefined;
  throw new ShelflistError('not_logged_in', {
    message: `${exposed.path} can be read by others (mode ${exposed.mode}); ${advice}`,
  });
}

/** Whether a token can still be used. */
export function lasts({ expiresAt }: CachedToken): boolean {
  return expiresAt - marginSeconds > Date.now() / 1000;
}

/** Forgets a token that was refused; one that another command has put in its place meanwhile stays. */
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
    return []; // No folder: nobody has logged in yet.
  }
}

async function fileName(url: string, username: string): Promise<string> {
  return `${await digest(url)}-${await digest(username)}.json`;
}

async function digest(text: string): Promise<string> {
  const { hash } = await import('node:crypto'); // Only what talks to a service needs it.
  return hash('sha256', text).slice(0, 16);
}

function parseCachedToken(text: string | undefined): CachedToken | undefined {
  const value = parseObject(text);
  const { url, username, token, expiresAt } = value;
  if (typeof url !== 'string' || typeof username !== 'string') return undefined;
  if (typeof token !== 'string' || typeof expiresAt !== 'number') return undefined;
  return { url, username, token, expiresAt };
}

/** The last that a Date can name (ECMA-262, 21.4.1.1). */
const lastSecond = 8_640_000_000_000;

/** When a token ends, by its own `exp` claim (not verified: that is the server's part); 0 when it has none. */
export function expiryOf(token: string): number {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  const { exp } = parseObject(payload);
  return typeof exp === 'number' ? Math.min(exp, lastSecond) : 0;
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
