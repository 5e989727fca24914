import { constants } from 'node:fs';
import { access, mkdir, mkdtemp, readdir, rm, stat, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { ShelflistError } from '../../errors.ts';
import { syncFolder } from '../../new-file.ts';
import { inspectDataFile } from './data-file.ts';

/** LMDB's own name for its data file in a folder. */
export const dataFile = 'data.mdb';
const lockFile = 'lock.mdb';

/**
 * Makes sure that LMDB may open this folder: it is there (made if not), can be written, and holds an LMDB
 * store or nothing. LMDB itself would map a foreign or a cut-off file into memory and crash on it.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function prepareFolder(path: string): Promise<{ isNew: boolean }> {
  const entries = await makeUsable(path);
  const isNew = !entries.includes(dataFile);
  if (isNew) refuseOthers(path, entries);
  else await checkDataFile(path);
  if (entries.includes(lockFile)) await checkLockFile(path);
  return { isNew };
}

/**
 * Makes sure that a store may be put into this folder: it is there (made if not), can be written, and holds nothing.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function prepareEmptyFolder(path: string): Promise<void> {
  const entries = await makeUsable(path);
  if (!entries.includes(dataFile)) refuseOthers(path, entries);
  // Also an empty one, which a service may be about to begin with.
  else throw unusable(path, 'there is a store already; stop its service and move the folder away first');
  for (const draft of entries.filter(isDraft)) await rm(join(path, draft));
}

/** Gives what is in it. */
async function makeUsable(path: string): Promise<readonly string[]> {
  try {
    await makeFolder(path);
    await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
    return await readdir(path);
  } catch (cause) {
    throw unusable(path, folderProblem(cause), cause);
  }
}

/** A restore that was cut off has left it. */
function isDraft(name: string): boolean {
  return name.startsWith(`${dataFile}.`) && name.endsWith('.tmp');
}

/** A volume of its own brings lost+found, a file manager its dot files: neither is somebody's data. */
function refuseOthers(path: string, entries: readonly string[]): void {
  const foreign = entries.find(
    (name) =>
      !name.startsWith('.') && name !== 'lost+found' && name !== lockFile && !name.startsWith(`${dataFile}.`), // A restore that was cut off.
  );
  if (foreign === undefined) return;
  throw unusable(path, `the folder holds something else (${foreign}); name an empty or a new folder`);
}

/** Whether there is a store in a folder. @throws {ShelflistError} `store_unusable`: there is one that cannot be read. */
export async function hasStore(path: string): Promise<boolean> {
  try {
    if ((await stat(join(path, dataFile))).size === 0) return false;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw unusable(path, folderProblem(cause), cause);
  }
  await checkDataFile(path);
  // Who cannot open the lock file would read unseen by those who write.
  if (await hasLockFile(path)) await checkLockFile(path);
  return true;
}

/** Whether it is the folder of a store, in whatever state. */
export async function hasDataFile(path: string): Promise<boolean> {
  return (await readdir(path).catch((): string[] => [])).includes(dataFile);
}

/** Whether LMDB has been at work in a folder: then those who have it open know of each other. */
export async function hasLockFile(path: string): Promise<boolean> {
  return (await readdir(path)).includes(lockFile);
}

/**
 * Runs `look` with a folder in which an environment can be looked at. LMDB makes a lock file wherever there is none,
 * and the service's own user could not open one that another has made: it is then made elsewhere, beside a link.
 */
export async function withoutLockFile<T>(path: string, look: (path: string) => Promise<T>): Promise<T> {
  return (await hasLockFile(path)) ? look(path) : withLink(join(path, dataFile), look);
}

/** Runs `look` with a folder that holds nothing but a link to a data file, whatever that is called. */
export async function withLink<T>(file: string, look: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'shelflist-'));
  try {
    await symlink(resolve(file), join(folder, dataFile));
    return await look(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Not by mkdir's own `recursive`: that never ends where a folder cannot be made though its parent is there (/proc). */
async function makeFolder(path: string): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent);
  try {
    await mkdir(path);
    await syncFolder(parent);
  } catch (error) {
    if (!(await isFolder(path))) throw error; // Another process, starting at the same moment, made it.
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

function folderProblem(cause: unknown): string {
  const code = (cause as NodeJS.ErrnoException).code;
  switch (code) {
    case 'EEXIST':
    case 'ENOTDIR':
      return 'it, or a part of its path, is a file; name a folder';
    case 'EACCES':
    case 'EPERM':
      return 'this user may not write there; change its owner or mode, or name another folder';
    case 'EROFS':
      return 'that file system is read-only; name another folder';
    default:
      return `the folder cannot be made or written (${code ?? 'unknown reason'})`;
  }
}

/** What is there is a store, and not cut off. */
async function checkDataFile(path: string): Promise<void> {
  const file = join(path, dataFile);
  try {
    await access(file, constants.R_OK | constants.W_OK);
    const state = await inspectDataFile(file);
    if (state === 'foreign')
      throw unusable(path, `${dataFile} is not a shelflist store, or it is damaged; ${restoreOrMove}`);
    if (state === 'cut off') throw unusable(path, `${dataFile} is cut off; ${restoreOrMove}`);
    if (state === 'damaged') throw unusable(path, `${dataFile} is damaged; ${restoreOrMove}`);
  } catch (cause) {
    if (cause instanceof ShelflistError) throw cause;
    throw unusable(path, folderProblem(cause), cause);
  }
}

/** LMDB opens it for writing, and lmdb-js does not survive that it cannot. */
async function checkLockFile(path: string): Promise<void> {
  try {
    await access(join(path, lockFile), constants.R_OK | constants.W_OK);
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? 'unknown reason';
    throw unusable(path, `this user may not write ${lockFile} (${code}); change its owner`, cause);
  }
}

const restoreOrMove =
  'move the folder away and put a backup in its place (the command restore), or name another folder';

/** The one form of "cannot open this store". */
export function unusable(path: string, problem: string, cause?: unknown): ShelflistError {
  return new ShelflistError('store_unusable', { message: `cannot use the store ${path}: ${problem}`, cause });
}
