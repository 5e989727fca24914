import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CommandError, isFailure } from '../command-error.ts';
import type { Io } from '../io.ts';

/**
 * Runs an action with a private temporary folder.
 *
 * @throws {CommandError} `failed`: it cannot be created, or its disk is full.
 */
export async function withTemporaryFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-backup-')).catch((error: unknown) => {
    throw cannotSave(error as NodeJS.ErrnoException);
  });
  try {
    return await action(folder);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    throw ['ENOSPC', 'EDQUOT', 'EFBIG'].includes(code) ? cannotSave(error as NodeJS.ErrnoException) : error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Makes the error of a temporary file that cannot be written. */
export function cannotSave(cause: NodeJS.ErrnoException): CommandError {
  const message = `cannot write a temporary file to ${tmpdir()} (${cause.code ?? cause.message}); set TMPDIR to a folder with room`;
  return new CommandError('failed', { message, cause });
}

/**
 * Runs an action on a backup as a plain file: one that is compressed with gzip (by its first bytes), or that comes from standard
 * input, is first written to a private temporary file.
 *
 * @param signal Ends writing the temporary file, which is then removed.
 * @param action Gets the path of the plain file, and the name for errors.
 * @throws {CommandError} `failed`: it cannot be read, or the signal has aborted.
 */
export async function withPlainBackup<T>(
  { stdin, directory }: Io,
  file: string,
  signal: AbortSignal,
  action: (path: string, name: string) => Promise<T>,
): Promise<T> {
  if (file === '-' && stdin.isTTY === true)
    throw new CommandError('usage', { message: 'a terminal is not a backup: redirect standard input' });
  const path = resolve(directory, file);
  const name = file === '-' ? 'on standard input' : path;
  try {
    if (file !== '-' && !(await isGzip(path))) return await action(path, name);
    return await withTemporaryFolder(async (folder) => {
      const plain = join(folder, 'backup');
      await save(file === '-' ? stdin : createReadStream(path), plain, signal);
      if (file !== '-' || !(await isGzip(plain))) return await action(plain, name);
      await save(createReadStream(plain), `${plain}.plain`, signal);
      return await action(`${plain}.plain`, name);
    });
  } catch (error) {
    throw isFailure(error) ? error : cannotRead(file, error as NodeJS.ErrnoException);
  }
}

const gzipStart = Buffer.from([0x1f, 0x8b]);

async function isGzip(path: string): Promise<boolean> {
  const handle = await open(path);
  try {
    const start = Buffer.alloc(gzipStart.length);
    await handle.read(start);
    return start.equals(gzipStart);
  } finally {
    await handle.close();
  }
}

/** Saves a stream, decompressed if it is a compressed file. */
async function save(source: Readable, path: string, signal: AbortSignal): Promise<void> {
  const output = createWriteStream(path, { flags: 'wx', mode: 0o600 });
  if ('path' in source) await pipeline(source, createGunzip(), output, { signal });
  else await pipeline(source, output, { signal });
}

function cannotRead(file: string, cause: NodeJS.ErrnoException): CommandError {
  const { code = '', message } = cause;
  const reasons: Readonly<Record<string, string>> = {
    ENOENT: 'no such file; name one that `shelflist backup` has written',
    EISDIR: 'it is a folder; name a file in it',
    EACCES: 'this user may not read it',
  };
  const reason =
    reasons[code] ??
    (code.startsWith('Z_')
      ? 'it is damaged: it cannot be decompressed; choose another backup'
      : code || message);
  return new CommandError('failed', { message: `cannot read ${file}: ${reason}`, cause });
}
