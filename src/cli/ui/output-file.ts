import { realpath, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ShelflistError } from '../../catalogue/errors.ts';
import { AtomicFile } from '../../lib/atomic-file.ts';
import { isStoreFolder } from '../../store/sqlite/setup.ts';
import { shellWord, type Io } from '../io.ts';

/** A file that a command writes. It is written as `draft`, and gets its name when it is complete. */
export interface OutputFile {
  readonly draft: string;
  /** The mode of the file that it replaces. */
  readonly mode: number | undefined;
  /** Runs an action on the draft. @throws {ShelflistError} `failed` for an error of the system. */
  attempt<T>(action: () => Promise<T>): Promise<T>;
  /** Gives the complete file its name. @throws {ShelflistError} `failed` */
  keep(): Promise<void>;
  /** Removes the draft. */
  drop(): Promise<void>;
}

/**
 * Checks the path of a file, and creates nothing yet. A replaced file keeps its mode, and links to it stay valid.
 *
 * @throws {ShelflistError} `failed`: it exists and `replace` is false, or it would be in the folder of a store.
 */
export async function findOutputFile(
  io: Io,
  file: string,
  { replace, otherwise = '' }: { replace: boolean; otherwise?: string },
): Promise<OutputFile> {
  let path = resolve(io.directory, file);
  const found = await stat(path).catch(() => undefined);
  if (found !== undefined) {
    if (!found.isFile()) throw new ShelflistError('failed', { message: `${file} is not a file${otherwise}` });
    if (!replace) throw isThere(file);
    path = await realpath(path);
  }
  if (await isStoreFolder(dirname(path)))
    throw new ShelflistError('failed', {
      message: `${file} would be in the folder of a store; choose another`,
    });
  const mode = found && found.mode & 0o777;
  const newFile = new AtomicFile(path, { replace });
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
    keep: () => attempt(() => newFile.commit(mode)),
    drop: () => newFile.discard(),
  };
}

function isThere(file: string): ShelflistError {
  return new ShelflistError('failed', { message: `${file} exists already; --force replaces it` });
}

function cannotWrite(file: string, reason: string, cause: unknown): ShelflistError {
  const folder = dirname(file);
  const message =
    reason === 'ENOENT' // The draft is a new file, so only its folder can be missing.
      ? `cannot write ${file}: the folder ${folder} does not exist; create it: mkdir -p ${shellWord(folder)}`
      : `cannot write ${file} (${reason})`;
  return new ShelflistError('failed', { message, cause });
}
