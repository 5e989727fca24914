import { constants } from 'node:fs';
import { chown, copyFile, mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { NewFile } from '../../new-file.ts';
import {
  dataFile,
  hasLockFile,
  hasStore,
  prepareEmptyFolder,
  unusable,
  withLink,
  withoutLockFile,
} from './folder.ts';
import { inspectDataFile } from './data-file.ts';
import { copyEnvironment, measureEnvironment, type Contents } from './look.ts';

/**
 * Copies the store in a folder into one file, as it is at one moment, while services go on writing to it.
 *
 * @param file Where nothing is yet.
 * @throws {ShelflistError} `store_unusable`: there is no store, or it cannot be read; the system's error when the file
 *   cannot be written.
 */
export async function backUp(path: string, file: string): Promise<Contents> {
  if (!(await hasStore(path))) throw unusable(path, 'there is none; name the folder of the service');
  const folder = `${file}.d`; // LMDB copies into a folder, under the name that it has there.
  await mkdir(folder);
  try {
    for (let isWatched = false; !isWatched;) {
      isWatched = await hasLockFile(path);
      await rm(join(folder, dataFile), { force: true });
      await withoutLockFile(path, (place) => copyEnvironment(place, folder));
      // Writers know of who reads by the lock file: if one came meanwhile, they may have written over what was being read.
      isWatched ||= !(await hasLockFile(path));
    }
    const contents = await inspectBackup(join(folder, dataFile));
    await rename(join(folder, dataFile), file);
    return contents;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Puts a backup into a folder that holds no store yet; it is there when it is whole, or not at all.
 *
 * @throws {ShelflistError} `store_unusable`: the folder cannot take it, or the file is no backup; the system's error when
 *   the file cannot be read, or copied; the signal's reason.
 */
export async function restore(file: string, path: string, signal: AbortSignal): Promise<Contents> {
  const contents = await inspectBackup(file);
  await prepareEmptyFolder(path);
  const copy = new NewFile(join(path, dataFile), { replace: false });
  try {
    await copyFile(file, copy.draft, constants.COPYFILE_EXCL);
    await handOver(copy.draft, path);
    signal.throwIfAborted();
    // A backup may be one that nobody can write; a store is written by its owner.
    await copy.keep(((await stat(copy.draft)).mode & 0o777) | 0o600);
    return contents;
  } catch (error) {
    await copy.drop();
    throw error;
  }
}

async function inspectBackup(file: string): Promise<Contents> {
  const found = await stat(file);
  if (!found.isFile() || found.size === 0) throw unusable(file, 'it is no backup: it is empty, or no file');
  const state = await inspectDataFile(file);
  if (state === 'whole') return withLink(file, (folder) => measureEnvironment(folder, file));
  throw unusable(file, state === 'foreign' ? 'it is no backup, or it is damaged' : `it is ${state}`);
}

/** What root restores is for the user who has the folder. */
async function handOver(file: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  await chown(file, uid, gid);
}
