// Copies a store in use into one file, and restores such a file.
import { constants, existsSync } from 'node:fs';
import { createHash, randomBytes } from 'node:crypto';
import { chmod, copyFile, open, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { AtomicFile } from '../../lib/atomic-file.ts';
import type { BackupReport } from '../contract/driver.ts';
import { loadBinding, type Connection } from './binding.ts';
import { connect, isBusy, isDamaged } from './connection.ts';
import {
  backupMark,
  explain,
  fileName,
  hasStore,
  prepareEmptyFolder,
  unusable,
  unwritable,
} from './setup.ts';
import { inspectBackup } from './inspect.ts';
import { createCheckThread } from './thread.ts';
import { bytesOfHistory, newEpoch } from './schema.ts';

/**
 * Copies the store in a folder into one file, as of one moment, while services write to it. It uses SQLite's online
 * backup in a single step, which no write interrupts.
 *
 * @param file A path where nothing exists yet.
 * @throws {ShelflistError} `store_unusable`: there is no store, or it cannot be read; the system's error when the file
 *   cannot be written, or SQLite's.
 */
export async function backUp(path: string, file: string): Promise<BackupReport> {
  if (!(await hasStore(path)))
    throw unusable(path, 'there is none; name the folder of the service by --database-url or DATABASE_URL');
  await (await open(file, 'wx', 0o600)).close(); // Reports the system's errors, which are clearer than SQLite's.
  await copyDatabase(path, file);
  leaveLog(file);
  const thread = createCheckThread(); // A service answers others meanwhile.
  try {
    return await thread.run('inspectNewBackup', [file, path]);
  } finally {
    await thread.close();
  }
}

/**
 * Restores a backup into a folder without a store; the store appears complete, or not at all.
 *
 * @throws {ShelflistError} `store_unusable`: the folder cannot be used, or the file is not a backup; the system's error
 *   when the file cannot be read; the signal's reason.
 */
export async function restore(
  file: string,
  path: string,
  signal: AbortSignal,
  name: string,
): Promise<BackupReport> {
  const report = await verify(file, name);
  await prepareEmptyFolder(path);
  await rm(join(path, backupMark), { force: true }); // Of the store that was here before.
  const copy = new AtomicFile(join(path, fileName), { replace: false });
  try {
    await copyFile(file, copy.draft, constants.COPYFILE_EXCL);
    // A backup may be read-only; a store must be writable by its owner.
    await chmod(copy.draft, ((await stat(copy.draft)).mode & 0o777) | 0o600);
    await handOver(copy.draft, path);
    // Versions given out after the backup are never repeated.
    const bytes = bytesOfHistory(report.format); // A crash of another program may have left another sum.
    leaveLog(copy.draft, `UPDATE meta SET epoch = '${newEpoch()}', history_bytes = ${bytes}`);
    signal.throwIfAborted();
    await copy.commit();
    return report;
  } catch (error) {
    await copy.discard();
    throw signal.aborted ? error : unwritable(path, error); // The backup itself has just been read.
  }
}

/** A number of pages that no file has: they are copied in one step. */
const allPages = 2 ** 31 - 1;

async function copyDatabase(path: string, file: string): Promise<void> {
  let db: Connection | undefined;
  try {
    db = connect(join(path, fileName));
    await loadBinding().backup(db, file, { rate: allPages });
  } catch (error) {
    if (db === undefined || isDamaged(error) || isBusy(error)) throw unusable(path, explain(error), error);
    throw new Error((error as Error).message, { cause: error }); // Without the binding's code, which says nothing.
  } finally {
    db?.close();
  }
}

/**
 * @throws {ShelflistError} `store_unusable`: the file is empty, or has a write-ahead log, which opening it alone would ignore, and
 *   which a service may fill at any time.
 */
export async function checkFile(file: string, name: string): Promise<void> {
  const found = await stat(file);
  if (!found.isFile() || found.size === 0)
    throw unusable(name, 'it is not a backup: it is empty, or not a file');
  if (existsSync(`${file}-wal`))
    throw unusable(
      name,
      'it belongs to a store in use, or one that was not closed; copy that with `shelflist backup`',
    );
}

/** Runs SQL and leaves write-ahead mode, in which a reader creates files beside the file: the folder may be read-only. */
function leaveLog(file: string, sql = ''): void {
  const { DatabaseSync } = loadBinding();
  const db = new DatabaseSync(file);
  try {
    db.exec(`PRAGMA synchronous = FULL; PRAGMA journal_mode = DELETE; ${sql}`);
  } finally {
    db.close();
  }
}

/**
 * Gives a file created by root to the owner of the folder. Follows no link, and waits for no pipe, that the owner has put in its place.
 */
export async function handOver(file: string, folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  const handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    await handle.chown(uid, gid);
  } finally {
    await handle.close();
  }
}

/** The file in the folder of a store with the random part of {@link backupSeries}. A backup does not contain it. */
const seriesMark = '.backup-series';

/**
 * Returns what identifies the backups of the store in a folder. It depends on the path, because a folder may be copied with all
 * its files, and on a random mark, because another machine may have the same path. A restored store begins a new series.
 */
export async function backupSeries(path: string): Promise<string> {
  const readMark = () => readFile(join(path, seriesMark), 'utf8').catch(() => '');
  let mark = await readMark();
  if (mark === '' && (await hasStore(path))) {
    const random = randomBytes(8).toString('hex');
    // Another backup may be faster, and this user may not write there.
    await writeMark(path, seriesMark, random, { replace: false }).catch(() => undefined);
    mark = await readMark();
  }
  return createHash('sha256')
    .update(`${mark || hostname()} ${path}`)
    .digest('hex')
    .slice(0, 8);
}

/** Notes that a backup is complete. A new file takes the place of the old one, which another user may have made. */
export async function noteBackup(path: string): Promise<void> {
  await writeMark(path, backupMark, `${Math.floor(Date.now() / 1000)}\n`, { replace: true });
}

/** Writes a file beside a store. All users may read it: the service may run as a different user from the backup. */
async function writeMark(
  path: string,
  name: string,
  text: string,
  options: { replace: boolean },
): Promise<void> {
  const file = new AtomicFile(join(path, name), options);
  try {
    await writeFile(file.draft, text, { flag: 'wx', mode: 0o644 });
    await handOver(file.draft, path);
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

/**
 * Examines a file that `backup` wrote.
 *
 * @throws {ShelflistError} `store_unusable`: it is not a backup, it is damaged, or it belongs to a store in use.
 */
export async function verify(file: string, name: string): Promise<BackupReport> {
  await checkFile(file, name);
  return inspectBackup(file, name);
}
