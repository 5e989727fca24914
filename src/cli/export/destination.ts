import { link, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ShelflistError } from '../../errors.ts';
import type { Io } from '../io.ts';
import { write } from '../output/records.ts';
import { draftPath } from '../private-file.ts';

/** Where an export goes. */
export interface Destination {
  /** `false` when nobody reads any more. @throws {ShelflistError} `failed`: the disk is full, for example. */
  write(text: string): Promise<boolean>;
  /** All of it was written: a file has its name from here on. */
  keep(): Promise<void>;
  /** It is not all of it: a file is taken away. */
  drop(): Promise<void>;
}

/**
 * Opens a file, or standard output for `-`. A file is written beside its name and gets it when it is whole, so that
 * there is never half of one; what `replace` replaces keeps its mode, and stays where a link to it leads.
 *
 * @throws {ShelflistError} `failed`: it is there already and `replace` is not said, or it cannot be made.
 */
export async function openDestination(io: Io, file: string, replace: boolean): Promise<Destination> {
  if (file === '-') {
    return {
      write: (text) => write(io, text),
      keep: () => Promise.resolve(),
      drop: () => Promise.resolve(),
    };
  }
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
      throw code === 'EEXIST' ? isThere(file) : cannotWrite(file, code, error);
    }
  };
  const { path, mode } = await findPlace(resolve(io.directory, file), file, replace);
  const draft = draftPath(path);
  const handle = await attempt(() => open(draft, 'wx', mode));
  return {
    write: (text) =>
      attempt(async () => {
        await handle.appendFile(text);
        return true;
      }),
    keep: () =>
      attempt(async () => {
        if (mode !== undefined) await handle.chmod(mode);
        await handle.sync();
        await handle.close();
        await (replace ? rename(draft, path) : takeName(draft, path));
      }),
    drop: async () => {
      await handle.close();
      await rm(draft, { force: true });
    },
  };
}

/** Where the file is to be, and the mode of the one that is there. */
async function findPlace(
  path: string,
  file: string,
  replace: boolean,
): Promise<{ path: string; mode?: number }> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return { path };
  if (!found.isFile())
    throw new ShelflistError('failed', { message: `${file} is no file; - is standard output` });
  if (!replace) throw isThere(file);
  return { path: await realpath(path), mode: found.mode & 0o777 };
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

function isThere(file: string): ShelflistError {
  return new ShelflistError('failed', { message: `${file} is there already; --force replaces it` });
}

function cannotWrite(file: string, code: string, cause: unknown): ShelflistError {
  return new ShelflistError('failed', { message: `cannot write ${file} (${code})`, cause });
}
