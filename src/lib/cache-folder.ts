import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import process from 'node:process';
import envPaths from 'env-paths';
import { makeFolder } from './make-folder.ts';

/** A folder below the one that the system keeps for the caches of this program: `$XDG_CACHE_HOME/shelflist/…` on Linux. */
export function cacheFolder(name: string): string {
  const { cache } = envPaths('shelflist', { suffix: '' });
  // The XDG Base Directory Specification ignores a relative XDG_CACHE_HOME: each working directory would get tokens.
  return join(isAbsolute(cache) ? cache : join(homedir(), '.cache/shelflist'), name);
}

/**
 * Creates a folder for compiled code. The code in it runs without a check, so that nobody else may write there: the folder of the
 * system for temporary files, which is the default of Node, is open to every user of the machine.
 *
 * @returns `undefined` if it cannot be created, or if it or its parent belongs to or is open to somebody else.
 */
export function createCodeFolder(): string | undefined {
  const folder = cacheFolder('code');
  try {
    makeFolder(folder, 0o700);
    return [folder, dirname(folder)].every(isOwn) ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** On Windows, modes have no effect, and the access list of the profile protects it. */
function isOwn(folder: string): boolean {
  const { uid, mode } = statSync(folder);
  return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
}
