import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ShelflistError } from '../errors.ts';
import { NewFile } from '../new-file.ts';
import { isStoreFolder } from '../store/sqlite/folder.ts';
import type { Io } from './io.ts';

/** A file that a command makes. It is written as `draft`, and gets its name when it is whole. */
export interface OutputFile {
  readonly draft: string;
  /** Of the file that it replaces. */
  readonly mode: number | undefined;
  /** Does something with the draft. @throws {ShelflistError} `failed`, in place of the system's error. */
  attempt<T>(action: () => Promise<T>): Promise<T>;
  /** All of it was written. @throws {ShelflistError} `failed` */
  keep(): Promise<void>;
  /** It is not all of it. */
  drop(): Promise<void>;
}

/**
 * Finds the place of a file, and makes nothing yet. What `replace` replaces keeps its mode, and stays where a link to it
 * leads.
 *
 * @throws {ShelflistError} `failed`: it is there already and `replace` is not said, or it would lie among a store's own.
 */
export async function findOutputFile(
  io: Io,
  file: string,
  { replace, otherwise = '' }: { replace: boolean; otherwise?: string },
): Promise<OutputFile> {
  let path = resolve(io.directory, file);
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined) {
    if (!found.isFile()) throw new ShelflistError('failed', { message: `${file} is no file${otherwise}` });
    if (!replace) throw isThere(file);
    path = await realpath(path);
  }
  if (await isStoreFolder(dirname(path)))
    throw new ShelflistError('failed', {
      message: `${file} would be in the folder of a store; choose another`,
    });
  const mode = found && found.mode & 0o777;
  const newFile = new NewFile(path, { replace });
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (error instanceof ShelflistError) throw error;
      throw code === 'EEXIST' ? isThere(file) : cannotWrite(file, code ?? message, error);
    }
  };
  return {
    draft: newFile.draft,
    mode,
    attempt,
    keep: () => attempt(() => newFile.keep(mode)),
    drop: () => newFile.drop(),
  };
}

function isThere(file: string): ShelflistError {
  return new ShelflistError('failed', { message: `${file} is there already; --force replaces it` });
}

function cannotWrite(file: string, reason: string, cause: unknown): ShelflistError {
  return new ShelflistError('failed', { message: `cannot write ${file} (${reason})`, cause });
}
