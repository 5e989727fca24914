import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { NewFile } from '../new-file.ts';

/** For this user's eyes only. On Windows the profile's own access list does this; modes mean nothing there. */
const privateFile = 0o600;
const privateFolder = 0o700;

/** Makes a new private file. @throws The system's `EEXIST` when there is one: it is never overwritten. */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: privateFile, flag: 'wx' });
}

/** Writes a private file, in a private folder, whole or not at all. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: privateFolder });
  if (isExposed(await fileMode(folder))) await chmod(folder, privateFolder); // It was there before.
  const file = new NewFile(path, { replace: true });
  try {
    await createPrivateFile(file.draft, text);
    await file.keep();
  } catch (error) {
    await file.drop();
    throw error;
  }
}

export interface PrivateFile {
  /** In octal digits: `600`. */
  mode: string;
  /** Missing where others can read the file too: what it holds may be known to them. */
  text?: string;
}

/** Reads a private file; `undefined` when there is none, or none that this user can read. */
export async function readPrivateFile(path: string): Promise<PrivateFile | undefined> {
  try {
    const mode = await fileMode(path);
    return isExposed(mode) ? { mode } : { mode, text: await readFile(path, 'utf8') };
  } catch {
    return undefined;
  }
}

/** The mode of a file or folder, in octal digits. @throws The system's error when there is none. */
export async function fileMode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8).padStart(3, '0');
}

/** Whether others than its owner can do anything with what has this mode. */
export function isExposed(mode: string): boolean {
  return process.platform !== 'win32' && !mode.endsWith('00');
}
