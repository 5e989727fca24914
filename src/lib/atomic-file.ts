import { link, open, rename, rm, chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from './make-folder.ts';
import { isMissing } from './missing.ts';

/**
 * Writes a file under a temporary name and renames it when it is complete, so that it never exists in part. Errors are those
 * of the system: `EEXIST` if the file exists.
 */
export class AtomicFile {
  /** The temporary path, which is unique. */
  readonly draft: string;
  readonly #path: string;
  readonly #replace: boolean;

  /** @param replace Whether to replace an existing file. */
  constructor(path: string, { replace }: { replace: boolean }) {
    this.#path = path;
    this.#replace = replace;
    this.draft = `${path}.${Math.random().toString(36).slice(2, 10)}.tmp`;
  }

  /**
   * Gives the complete file its name. It then survives a power cut.
   *
   * @param mode The new permissions. Default: unchanged.
   */
  async commit(mode?: number): Promise<void> {
    await sync(this.draft, mode);
    await (this.#replace ? rename(this.draft, this.#path) : takeName(this.draft, this.#path));
    await syncFolder(dirname(this.#path));
  }

  /** Removes the temporary file, and the journal that SQLite leaves beside one, if it can: an error here would hide the one before. */
  async discard(): Promise<void> {
    for (const end of ['', '-journal']) await rm(this.draft + end, { force: true }).catch(() => undefined);
  }
}

/** Makes the files created or renamed in a folder survive a power cut. */
export async function syncFolder(path: string): Promise<void> {
  await sync(path).catch(() => undefined); // Windows and some file systems cannot sync folders.
}

async function sync(path: string, mode?: number): Promise<void> {
  // Windows syncs only files opened for writing; elsewhere, the file may be read-only.
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames, but fails with `EEXIST` if the target was created meanwhile. */
async function takeName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
    await rm(draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await rename(draft, path); // The file system has no links.
  }
}

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
  makeFolder(folder, privateFolder);
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

/** Reads a private file; `undefined` if it does not exist. @throws The system's error if it cannot be read. */
export async function readPrivateFile(path: string): Promise<PrivateFile | undefined> {
  try {
    const mode = await fileMode(path);
    return isExposed(mode) ? { mode } : { mode, text: await readFile(path, 'utf8') };
  } catch (error) {
    if (isMissing(path, error)) return undefined;
    throw error;
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
