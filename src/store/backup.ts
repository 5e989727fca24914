import { ShelflistError } from '../errors.ts';
import { parseStoreAddress } from './address.ts';
import type { Contents } from './embedded/look.ts';

/**
 * Copies the store that an address names into a file, with its counter of ids, while services go on using it.
 *
 * @param file A path where nothing is yet.
 * @throws {TypeError} The address names no store.
 * @throws {ShelflistError} `usage`: it is a MongoDB; `store_unusable`; the system's error when the file cannot be written.
 */
export async function backUpStore(url: string, file: string): Promise<Contents> {
  const path = readFolder(url, 'mongodump');
  const { backUp } = await import('./embedded/backup.ts');
  return backUp(path, file);
}

/**
 * Makes a store of a file that {@link backUpStore} has written, where there is none yet.
 *
 * @param signal Until then nothing is there; what was begun is taken away.
 * @throws As {@link backUpStore}, and the signal's reason; `store_unusable` also for a file that is no backup.
 */
export async function restoreStore(file: string, url: string, signal: AbortSignal): Promise<Contents> {
  const path = readFolder(url, 'mongorestore');
  const { restore } = await import('./embedded/backup.ts');
  return restore(file, path, signal);
}

function readFolder(url: string, tool: string): string {
  const address = parseStoreAddress(url);
  if (address.kind === 'embedded') return address.path;
  throw new ShelflistError('usage', {
    message: `this is for the embedded store; a MongoDB has a tool of its own for it: ${tool}`,
  });
}
