import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';
import { ShelflistError } from '../errors.ts';

/** For this user's eyes only. On Windows the profile's own access list does this; modes mean nothing there. */
const privateFile = 0o600;
const privateFolder = 0o700;
const othersMask = 0o077;

/** Makes a new private file. @throws The system's `EEXIST` when there is one: it is never overwritten. */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: privateFile, flag: 'wx' });
}

/** Writes a private file, in a private folder, whole or not at all. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: privateFolder });
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    await createPrivateFile(draft, text);
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/**
 * Reads a private file; `undefined` when there is none, or none that this user can read.
 *
 * @param advice What to do about a file that cannot be used.
 * @throws {ShelflistError} `not_logged_in` when others can read it too: what it holds may be known to them.
 */
export async function readPrivateFile(path: string, advice: string): Promise<string | undefined> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== 'win32' && (mode & othersMask) !== 0) {
      throw new ShelflistError('not_logged_in', {
        message: `${path} can be read by others (mode ${(mode & 0o777).toString(8)}); ${advice}`,
      });
    }
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof ShelflistError) throw error;
    return undefined;
  }
}
