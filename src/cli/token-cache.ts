import { createHash } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import envPaths from 'env-paths';
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
export function tokenFolder(): string {
  return join(envPaths('shelflist', { suffix: '' }).cache, 'tokens');
}

/** Keeps a token; gives the path of its file. */
export async function keepToken(url: string, username: string, token: string): Promise<string> {
  const path = join(tokenFolder(), fileName(url, username));
  const cached: CachedToken = { url, username, token, expiresAt: expiryOf(token) };
  await replacePrivateFile(path, `${JSON.stringify(cached)}\n`);
  return path;
}

/**
 * The token for a server, and for a user if one is named; else the one that lasts longest. Only a token that
 * this very server issued is ever found.
 */
export async function findToken(url: string, username: string | undefined): Promise<CachedToken | undefined> {
  const folder = tokenFolder();
  const names = username === undefined ? await namesFor(folder, url) : [fileName(url, username)];
  const found: CachedToken[] = [];
  for (const name of names) {
    const cached = parseCachedToken(await readPrivateFile(join(folder, name)));
    if (cached?.url === url && cached.expiresAt - marginSeconds > Date.now() / 1000) found.push(cached);
  }
  return found.sort((a, b) => b.expiresAt - a.expiresAt)[0];
}

/** Forgets the token of a server and user: it was refused. */
export async function forgetToken(url: string, username: string): Promise<void> {
  await rm(join(tokenFolder(), fileName(url, username)), { force: true });
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
