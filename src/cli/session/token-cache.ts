import { ConfigError } from '../../config/config-error.ts';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError } from '../command-error.ts';
import { cacheFolder } from '../../lib/cache-folder.ts';
import { unreadable } from '../../config/environment.ts';
import { readPrivateFile, replacePrivateFile } from '../../lib/atomic-file.ts';
import { codeOf, isMissing } from '../../lib/missing.ts';
import { readTokenTimes } from '../../lib/token-claims.ts';

/** A token as it is stored between commands: one file per service and user. */
export interface CachedToken {
  url: string;
  username: string;
  token: string;
  /** Unix seconds. */
  expiresAt: number;
}

/** A token counts as expired this long before it does, so that it does not expire during a request. */
const marginSeconds = 30;

export function tokenFolder(): string {
  return cacheFolder('tokens');
}

/** Stores a token; returns the path of its file. @throws {CommandError} `failed`: it cannot be written. */
export async function keepToken(url: string, username: string, token: string): Promise<string> {
  const folder = tokenFolder();
  const path = join(folder, await fileName(url, username));
  const cached: CachedToken = { url, username, token, expiresAt: expiryOf(token) };
  try {
    await replacePrivateFile(path, `${JSON.stringify(cached)}\n`);
    return path;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw new CommandError('failed', {
      message:
        `cannot store the token in ${folder} (${code}); make that folder writable, ` +
        'or set SHELFLIST_USERNAME and SHELFLIST_PASSWORD: every command then logs in by itself',
      cause: error,
    });
  }
}

export interface TokenFile {
  path: string;
  mode: string;
  /** Missing if others can read the file too, if it has none, or if it cannot be read. */
  cached?: CachedToken;
  /** Why it cannot be read. */
  problem?: string;
}

/**
 * The files for a service, or all, and for a user if one is named; the token that expires last comes first.
 *
 * @throws {ShelflistError} `config`: the folder cannot be read. Without a folder, nobody has logged in yet.
 */
export async function readTokenFiles(url?: string, username?: string): Promise<TokenFile[]> {
  const folder = tokenFolder();
  const start = url === undefined ? '' : await fileName(url, username);
  const names = await readdir(folder).catch((error: unknown): string[] => {
    if (isMissing(folder, error)) return [];
    throw unreadable(folder, error);
  });
  const wanted = names.filter((name) => name.startsWith(start) && name.endsWith('.json'));
  const files = await Promise.all(wanted.map((name) => readTokenFile(join(folder, name))));
  return files
    .filter((file) => file !== undefined)
    .filter(({ cached }) => url === undefined || cached === undefined || cached.url === url)
    .sort((a, b) => (b.cached?.expiresAt ?? 0) - (a.cached?.expiresAt ?? 0));
}

export function isValid({ expiresAt }: CachedToken): boolean {
  return expiresAt - marginSeconds > Date.now() / 1000;
}

/** Stores a renewed token instead of the previous one, unless a `login` or `logout` has replaced or deleted that. */
export async function keepRenewed({ url, username, token }: CachedToken, previous: string): Promise<void> {
  const path = join(tokenFolder(), await fileName(url, username));
  if ((await readTokenFile(path))?.cached?.token === previous) await keepToken(url, username, token);
}

/** Deletes a refused token, unless another command has replaced it meanwhile. */
export async function forgetToken({ url, username, token }: CachedToken): Promise<void> {
  const path = join(tokenFolder(), await fileName(url, username));
  if ((await readTokenFile(path))?.cached?.token === token) await rm(path, { force: true });
}

async function readTokenFile(path: string): Promise<TokenFile | undefined> {
  try {
    const file = await readPrivateFile(path);
    if (file === undefined) return undefined;
    const cached = parseCachedToken(file.text);
    return { path, mode: file.mode, ...(cached && { cached }) };
  } catch (error) {
    return { path, mode: 'unknown', problem: codeOf(error) };
  }
}

/** The name of a file; without a username, the beginning of all names for the service. */
async function fileName(url: string, username?: string): Promise<string> {
  const start = `${await digest(url)}-`;
  return username === undefined ? start : `${start}${await digest(username)}.json`;
}

async function digest(text: string): Promise<string> {
  const { hash } = await import('node:crypto'); // Loaded only here, for a fast start.
  return hash('sha256', text).slice(0, 16);
}

function parseCachedToken(text: string | undefined): CachedToken | undefined {
  const { url, username, token, expiresAt } = parseObject(text);
  if (typeof url !== 'string' || typeof username !== 'string') return undefined;
  if (typeof token !== 'string' || typeof expiresAt !== 'number') return undefined;
  return { url, username, token, expiresAt };
}

/** The time when a token expires, by its `exp` claim, which only the service can verify; 0 if it has none. */
export function expiryOf(token: string): number {
  return readTokenTimes(token).expiresAt ?? 0;
}

function parseObject(text = ''): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function lastLoginFile(): string {
  return cacheFolder('last-login');
}

/**
 * The address of the last `login`, unless `logout` has ended it.
 *
 * @throws {ShelflistError} `config`: it cannot be read, or others can read it, too, and may have changed it.
 */
export async function readLastLogin(): Promise<string | undefined> {
  const path = lastLoginFile();
  const file = await readPrivateFile(path).catch((error: unknown) => {
    throw unreadable(path, error);
  });
  if (file !== undefined && file.text === undefined)
    throw new ConfigError(
      `others can read ${path} (mode ${file.mode}), which names the service of the last login; remove it and log in again`,
    );
  return file?.text?.trim() || undefined;
}

/** The file is private: a user who changes it decides where books are sent. */
export async function keepLastLogin(url: string): Promise<void> {
  await replacePrivateFile(lastLoginFile(), `${url}\n`);
}

/**
 * Forgets the last login, if it was to this service and nobody is logged in to it any more. The valid login that lasts longest
 * takes its place.
 *
 * @returns The service that commands use from now on, if it is another one.
 */
export async function forgetLastLogin(url?: string): Promise<string | undefined> {
  if (url !== undefined && url !== (await readLastLogin())) return undefined;
  const others = url === undefined ? [] : await readTokenFiles();
  // Another user of this service is still logged in.
  if (others.some(({ cached }) => cached?.url === url)) return undefined;
  await rm(lastLoginFile(), { force: true });
  const next = others.find(({ cached }) => cached !== undefined && cached.url !== url && isValid(cached));
  if (next?.cached !== undefined) await keepLastLogin(next.cached.url);
  return next?.cached?.url;
}
