import { open, rm, type FileHandle } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ShelflistError } from '../../../catalogue/errors.ts';
import type { Io } from '../../io.ts';

/** A file that an import writes row by row, and continues when the import is repeated. */
export interface RejectsFile {
  /**
   * Checks the existing content of the file.
   *
   * @param isOurs Whether an earlier run of this import wrote a text.
   * @throws {ShelflistError} `failed`: another program, or another import, wrote it.
   */
  begin(isOurs: (text: string) => boolean): void;
  /** Adds a row, unless the file has it already. */
  add(row: string, head: string): Promise<void>;
  /** Ends the file, and removes it if it is empty. */
  close(): Promise<void>;
}

/** @throws {ShelflistError} `failed`: the file cannot be created or read. */
export async function openRejectsFile(io: Io, file: string): Promise<RejectsFile> {
  const path = resolve(io.directory, file);
  const attempt = async <T>(action: () => Promise<T>): Promise<T> => {
    try {
      return await action();
    } catch (error) {
      throw cannotWrite(file, error);
    }
  };
  const handle = await attempt(() => openOrCreate(path));
  const there = await attempt(() => readExisting(handle));
  let text = there ?? '';
  let isAccepted = there === '';
  let at = 0; // Where the file has the next row, if it does.
  let isInOrder = true;
  let isEnded = false;
  let size = Buffer.byteLength(text);
  const append = async (row: string) => {
    size += (await handle.write(row, size)).bytesWritten;
  };
  /** Whether the file had this row at the start. Usually, it follows the row found before. */
  const has = (row: string) => {
    if (!text.startsWith(row, at)) {
      isInOrder &&= at === text.length; // The file ends there, so that nothing needs to be searched.
      const found = isInOrder ? -1 : text.indexOf(`\n${row}`);
      if (found < 0) return false;
      at = found + 1;
    }
    at += row.length;
    return true;
  };
  /** Completes the last line of the existing file; drops it if the last run was killed in the middle of it. */
  const endLast = async (row: string) => {
    isEnded = true;
    if (row.startsWith(text.slice(at))) {
      text = text.slice(0, at);
      size = Buffer.byteLength(text);
      await handle.truncate(size);
    } else if (!text.endsWith('\n')) await append('\n');
  };
  return {
    begin(isOurs) {
      if (there === undefined || (there !== '' && !isOurs(there)))
        throw new ShelflistError('failed', {
          message: `${file} exists already; name another file for the rejects`,
        });
      isAccepted = true;
    },
    add: (row, head) =>
      attempt(async () => {
        if (size === 0 && head !== '') await append(head);
        if (at === 0 && text.startsWith(head)) at = head.length;
        if (text !== '' && has(row)) return;
        if (text !== '' && !isEnded) await endLast(row);
        await append(row);
      }),
    async close() {
      await handle.close();
      if (isAccepted && size === 0) await rm(path, { force: true });
    },
  };
}

/** Never truncates a file: it may hold rows of the last import that the user has corrected. */
async function openOrCreate(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'wx+');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return open(path, 'r+');
  }
}

/** In bytes. A larger file is not continued. */
const maxExistingBytes = 64 * 1024 * 1024;

/** The text of a file; `undefined` if it is too large. */
async function readExisting(handle: FileHandle): Promise<string | undefined> {
  const { size } = await handle.stat();
  return size > maxExistingBytes ? undefined : handle.readFile('utf8');
}

function cannotWrite(file: string, error: unknown): ShelflistError {
  const code = (error as NodeJS.ErrnoException).code ?? 'unknown reason';
  return new ShelflistError('failed', {
    message: `cannot write the rejects to ${file} (${code})`,
    cause: error,
  });
}
