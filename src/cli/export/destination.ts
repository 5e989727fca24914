import { open, rename, rm, stat } from 'node:fs/promises';
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
 * there is never half of one.
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
  const path = resolve(io.directory, file);
  if (!replace && (await stat(path).catch(() => undefined)) !== undefined) {
    throw new ShelflistError('failed', { message: `${file} is there already; --force replaces it` });
  }
  const draft = draftPath(path);
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
      throw new ShelflistError('failed', { message: `cannot write ${file} (${code})`, cause: error });
    }
  };
  const handle = await attempt(() => open(draft, 'wx'));
  return {
    write: (text) =>
      attempt(async () => {
        await handle.appendFile(text);
        return true;
      }),
    keep: () =>
      attempt(async () => {
        await handle.sync();
        await handle.close();
        await rename(draft, path);
      }),
    drop: async () => {
      await handle.close();
      await rm(draft, { force: true });
    },
  };
}
