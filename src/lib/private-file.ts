import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AtomicFile } from './atomic-file.ts';

/** Readable by this user only. On Windows, modes have no effect, and the access list of the profile protects it. */
const privateFile = 0o600;
const privateFolder = 0o700;

/** Creates a private file. @throws The system's `EEXIST` if it exists: it is never overwritten. */
export async function createPrivateFile(path: string, text: string): Promise<void> {
  await writeFile(path, text, { mode: privateFile, flag: 'wx' });
}

/** Writes a private file atomically, in a private folder. */
export async function replacePrivateFile(path: string, text: string): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: privateFolder });
  if (isExposed(await fileMode(folder))) await chmod(folder, privateFolder); // It existed before.
  const file = new AtomicFile(path, { replace: true });
  try {
    await createPrivateFile(file.draft, text);
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

interface PrivateFile {
  /** In octal digits: `600`. */
  mode: string;
  /** Missing if others can read the file too: they may know its content. */
  text?: string;
}

/** Reads a private file; `undefined` if it does not exist or this user cannot read it. */
export async function readPrivateFile(path: string): Promise<PrivateFile | undefined> {
  try {
    const mode = await fileMode(path);
    return isExposed(mode) ? { mode } : { mode, text: await readFile(path, 'utf8') };
  } catch {
    return undefined;
  }
}

/** The mode of a file or folder, in octal digits. @throws The system's error if it does not exist. */
export async function fileMode(path: string): Promise<string> {
  return ((await stat(path)).mode & 0o777).toString(8).padStart(3, '0');
}

/** Whether this mode gives access to others than the owner. */
export function isExposed(mode: string): boolean {
  return process.platform !== 'win32' && !mode.endsWith('00');
}
