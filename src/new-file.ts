import { link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * A file that is written beside its name and gets it when it is whole, so that there is never half of one. What it throws
 * is the system's: `EEXIST` for one that is there already.
 */
export class NewFile {
  /** What it is called until then. Nobody else has this name: it is made anew. */
  readonly draft: string;
  readonly #path: string;
  readonly #replace: boolean;

  /** @param replace Whether it takes the place of a file that is there. */
  constructor(path: string, { replace }: { replace: boolean }) {
    this.#path = path;
    this.#replace = replace;
    this.draft = `${path}.${Math.random().toString(36).slice(2, 10)}.tmp`;
  }

  /**
   * All of it was written: it has its name from here on, also after a power cut.
   *
   * @param mode What it is changed to. Default: it stays what it was made with.
   */
  async keep(mode?: number): Promise<void> {
    await sync(this.draft, mode);
    await (this.#replace ? rename(this.draft, this.#path) : takeName(this.draft, this.#path));
    await syncFolder(dirname(this.#path));
  }

  /** It is not all of it, or not wanted any more. */
  async drop(): Promise<void> {
    await rm(this.draft, { force: true });
  }
}

/** After that, what was made or renamed in a folder is there after a power cut. */
export async function syncFolder(path: string): Promise<void> {
  await sync(path).catch(() => undefined); // Windows and some file systems have no folders that can be synced.
}

async function sync(path: string, mode?: number): Promise<void> {
  // Windows syncs only what is open for writing; elsewhere a file may be one that nobody can write.
  const handle = await open(path, process.platform === 'win32' ? 'r+' : 'r');
  try {
    if (mode !== undefined) await handle.chmod(mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Renames, but not over a file that was made meanwhile. */
async function takeName(draft: string, path: string): Promise<void> {
  try {
    await link(draft, path);
    await rm(draft);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') throw error;
    await rename(draft, path); // A file system without links.
  }
}
