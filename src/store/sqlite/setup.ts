// Checks and creates the folder of a store, and explains why one cannot be used.
import { constants, statfsSync } from 'node:fs';
import { access, lstat, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ShelflistError } from '../../catalogue/errors.ts';
import { syncFolder } from '../../lib/atomic-file.ts';
import { makeFolder } from '../../lib/make-folder.ts';
import { missingTarget } from '../../lib/missing.ts';
import { isBusy, isDamaged, isForbidden, isFull, isIoError } from './connection.ts';

/** The database; SQLite puts `-wal` and `-shm` files beside it. */
export const fileName = 'shelflist.db';
/** See `write-queue.ts`. */
export const queueFileName = 'shelflist.queue';
/** The file in the folder of a store with the time of the last good backup, in seconds since 1970. A backup does not contain it. */
export const backupMark = '.last-backup';
/** The data file of version 1 (LMDB). */
const oldFileName = 'data.mdb';

const diskFull = 'its disk is full; make room, or name another folder';
const wrongUser = 'run this as the user of the service, or, if this is that user, change its owner';
const isThere = 'there is a store already; stop its service and move the folder away first';

export const restoreOrMove =
  'move the folder away and restore a backup in its place (shelflist restore), or name another folder';

/**
 * Makes sure that a store may be opened in a folder: it exists (created if not), can be written, and holds a store or
 * nothing.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function prepareFolder(path: string): Promise<{ isNew: boolean }> {
  const entries = await createFolder(path);
  const isNew = !entries.includes(fileName);
  if (isNew) refuseOthers(path, entries);
  else await checkAccess(path, entries);
  if (!isNew) await refuseEmpty(path, entries);
  return { isNew };
}

/**
 * Makes sure that a store may be restored into a folder: it exists (created if not), can be written, and holds nothing.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function prepareEmptyFolder(path: string): Promise<void> {
  refuseFilled(path, await createFolder(path));
}

/** Refuses a folder that {@link prepareEmptyFolder} refuses, and creates none. @throws {ShelflistError} `store_unusable` */
export async function checkEmptyFolder(path: string): Promise<void> {
  refuseFilled(path, await readFolder(path));
}

function refuseFilled(path: string, entries: readonly string[]): void {
  if (entries.includes(fileName)) throw unusable(path, isThere);
  refuseOthers(path, entries);
}

/** Whether a folder holds a store. @throws {ShelflistError} `store_unusable`: this user cannot read it, or its books are gone. */
export async function hasStore(path: string): Promise<boolean> {
  const entries = await readdir(path).catch((cause: unknown): string[] => {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' && missingTarget(path) === undefined) return [];
    throw unusable(path, folderProblem(path, cause), cause);
  });
  refuseOldFormat(path, entries);
  if (!entries.includes(fileName)) return false;
  await checkAccess(path, entries);
  await refuseEmpty(path, entries);
  return true;
}

/** Whether a folder contains a store, in whatever state. */
export async function isStoreFolder(path: string): Promise<boolean> {
  const entries = await readdir(path).catch((): string[] => []);
  return entries.includes(fileName) || entries.includes(oldFileName);
}

async function createFolder(path: string): Promise<readonly string[]> {
  try {
    for (const folder of makeFolder(path)) await syncFolder(dirname(folder));
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await readdir(path);
  } catch (cause) {
    throw unusable(path, folderProblem(path, cause), cause);
  }
}

/** What a folder contains, if this user may write to it: nothing, if it could be created. */
async function readFolder(path: string): Promise<readonly string[]> {
  try {
    const existing = await findExisting(path);
    const entries = existing === path ? await readdir(path) : [];
    await access(existing, constants.W_OK | constants.X_OK);
    return entries;
  } catch (cause) {
    throw unusable(path, folderProblem(path, cause), cause);
  }
}

/** The path, or the nearest one above it where something exists. */
async function findExisting(path: string): Promise<string> {
  try {
    await lstat(path);
    return path;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return findExisting(dirname(path));
  }
}

/** Ignores lost+found, which volumes have, and the dot files of file managers: neither is data. */
function refuseOthers(path: string, entries: readonly string[]): void {
  refuseOldFormat(path, entries);
  const orphan = entries.find((name) => name.startsWith(`${fileName}-`));
  if (orphan !== undefined)
    throw unusable(
      path,
      `${orphan} belongs to a database that no longer exists; put ${fileName} back, or move the folder away`,
    );
  const foreign = entries.find(
    (name) =>
      !name.startsWith('.') &&
      name !== 'lost+found' &&
      name !== queueFileName &&
      !(name.startsWith(`${fileName}.`) && /\.tmp(-journal|-wal|-shm)?$/.test(name)), // An interrupted restore or copy.
  );
  if (foreign === undefined) return;
  throw unusable(path, `the folder contains other files (${foreign}); name an empty or a new folder`);
}

function refuseOldFormat(path: string, entries: readonly string[]): void {
  if (!entries.includes(oldFileName) || entries.includes(fileName)) return;
  throw unusable(
    path,
    `it holds a store of an earlier version (${oldFileName}, LMDB), which this version does not read; ` +
      'export the books with that version and import them into a new folder',
  );
}

/** A start that was cut off leaves an empty database, but no log beside it, which SQLite would remove, and no backup was made. */
async function refuseEmpty(path: string, entries: readonly string[]): Promise<void> {
  const [hasLog, hasMark] = [entries.includes(`${fileName}-wal`), entries.includes(backupMark)];
  if (!(hasLog || hasMark) || (await stat(join(path, fileName))).size > 0) return;
  throw unusable(
    path,
    hasLog
      ? `${fileName} is empty, but ${fileName}-wal belongs to it; put ${fileName} back, or move the folder away`
      : `${fileName} is empty, but a backup was made here; ${restoreOrMove}`,
  );
}

/** Checks all files of SQLite: without write access to one, SQLite would fail later, with a less clear error. */
async function checkAccess(path: string, entries: readonly string[]): Promise<void> {
  for (const name of [fileName, `${fileName}-wal`, `${fileName}-shm`, queueFileName]) {
    if (!entries.includes(name)) continue;
    try {
      await access(`${path}/${name}`, constants.R_OK | constants.W_OK);
    } catch (cause) {
      const { code } = cause as NodeJS.ErrnoException;
      if (code === 'ENOENT') continue; // The last process with the store open has just closed it.
      const problem =
        code === 'EROFS'
          ? folderProblem(path, cause)
          : `this user may not write ${name} (${code ?? 'unknown reason'}); ${wrongUser}`;
      throw unusable(path, problem, cause);
    }
  }
}

function folderProblem(path: string, cause: unknown): string {
  const { code, path: part = path } = cause as NodeJS.ErrnoException;
  const target = missingTarget(part);
  if (target !== undefined) {
    const link = part === path ? 'it' : part;
    return `${link} is a link to ${target}, which is missing; put that back, or name another folder`;
  }
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it, or a part of its path, is a file; name a folder';
    case 'EACCES':
    case 'EPERM':
      return `this user may not write there; ${wrongUser}, or name another folder`;
    case 'EROFS':
      return 'its file system is read-only; remount it read-write, or name another folder';
    case 'ENOSPC':
    case 'EDQUOT':
      return diskFull;
    default:
      return `the folder cannot be created or written (${code ?? 'unknown reason'})`;
  }
}

/** Describes why the database in a folder could not be opened, and what to do. */
export function explain(error: unknown, path?: string): string {
  const message = error instanceof Error ? error.message : 'unknown reason';
  if (error instanceof ShelflistError) return message;
  if (isDamaged(error)) return `${fileName} is damaged, or not a database; ${restoreOrMove}`;
  if (isFull(error) || (path !== undefined && isOutOfSpace(error, path))) return diskFull;
  if (isBusy(error)) return 'another process has locked it; end that process';
  if (isForbidden(error)) return `this user may not write ${fileName}; ${wrongUser}`;
  return `SQLite refuses it (${message})`;
}

/** SQLite reports an I/O error when the disk has no space for its shared-memory file. */
function isOutOfSpace(error: unknown, path: string): boolean {
  return isIoError(error) && statfsSync(path).bavail === 0;
}

/** Makes the error of a new store that cannot be written. */
export function unwritable(path: string, cause: unknown): ShelflistError {
  if (cause instanceof ShelflistError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  if (code === 'EEXIST') return unusable(path, isThere, cause);
  if (code === 'ENOENT')
    return unusable(path, 'another process removed a file in it; run the command again', cause);
  if (isFull(cause))
    return unusable(path, `its disk, or that of ${tmpdir()}, is full; make room, or set TMPDIR`, cause);
  if (!/^E[A-Z]+$/.test(code ?? ''))
    return unusable(path, `it cannot be written (${message}); check its disk, or name another folder`, cause);
  return unusable(path, folderProblem(path, cause), cause);
}

/** Makes the error for every store that cannot be used. */
export function unusable(path: string, problem: string, cause?: unknown): ShelflistError {
  return new ShelflistError('store_unusable', { message: `cannot use the store ${path}: ${problem}`, cause });
}
