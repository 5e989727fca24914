import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ShelflistError } from '../errors.ts';
import { readPrivateFile, replacePrivateFile } from './private-file.ts';

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
  const path = join(folder, fileName(url, username));
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
  const folder = await tokenFolder();
  const names = username === undefined ? await namesFor(folder, url) : [fileName(url, username)];
  const found: CachedToken[] = [];
  let exposed: ShelflistError | undefined;
  for (const name of names) {
    try {
      const cached = parseCachedToken(await readPrivateFile(join(folder, name), advice));
      if (cached?.url === url && cached.expiresAt - marginSeconds > Date.now() / 1000) found.push(cached);
    } catch (error) {
      if (!(error instanceof ShelflistError)) throw error;
      exposed ??= error;
    }
  }
  if (found.length === 0 && exposed) throw exposed;
  return found.sort((a, b) => b.expiresAt - a.expiresAt)[0];
}

/** Forgets the token of a server and user: it was refused. */
export async function forgetToken(url: string, username: string): Promise<void> {
  await rm(join(await tokenFolder(), fileName(url, username)), { force: true });
}

async function namesFor(folder: string, url: string): Promise<string[]> {
  try {
    return (await readdir(folder)).filter(
      (name) => name.startsWith(`${digest(url)}-`) && name.endsWith('.json'),
    );
  } catch {
    return []; // No folder: nobody has logged in yet.
  }
}

function fileName(url: string, username: string): string {
  return `${digest(url)}-${digest(username)}.json`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function parseCachedToken(text: string | undefined): CachedToken | undefined {
  const value = parseObject(text);
  const { url, username, token, expiresAt } = value;
  if (typeof url !== 'string' || typeof username !== 'string') return undefined;
  if (typeof token !== 'string' || typeof expiresAt !== 'number') return undefined;
  return { url, username, token, expiresAt };
}

/** When a token ends, by its own `exp` claim (not verified: that is the server's part); 0 when it has none. */
export function expiryOf(token: string): number {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
  const { exp } = parseObject(payload);
  return typeof exp === 'number' ? exp : 0;
}

function parseObject(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
