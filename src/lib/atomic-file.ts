import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

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

  /** Removes the temporary file. */
  async discard(): Promise<void> {
    await rm(this.draft, { force: true });
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
