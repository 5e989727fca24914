// Notices that a file of the store was moved, removed or replaced while it is open.
import { accessSync, constants, renameSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { readFile } from 'node:fs/promises';
import { ShelflistError } from '../../catalogue/errors.ts';

/**
 * The files that a store has open, each as device and inode; empty for a missing one. SQLite continues with them after they are
 * renamed or replaced: no later start would find the writes, and a new connection would mix the old log with a new file.
 */
export type FileIds = Readonly<Record<Suffix, string>>;

type Suffix = '' | '-wal' | '-shm';
const suffixes: readonly Suffix[] = ['', '-wal', '-shm'];

/** Call it while a connection has read from the file: until then, SQLite creates and removes the two files beside it. */
export function identifyFiles(file: string): FileIds {
  return { '': identify(file), '-wal': identify(`${file}-wal`), '-shm': identify(`${file}-shm`) };
}

function identify(file: string): string {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? '' : `${found.dev}:${found.ino}`;
}

/** @throws {ShelflistError} `unavailable`, with advice: a file was moved, removed or replaced. Takes about 10 µs. */
export function checkFiles(file: string, ids: FileIds): void {
  const lost = suffixes.find((suffix) => identify(file + suffix) !== ids[suffix]);
  if (lost === undefined) return;
  const advice =
    lost === ''
      ? 'put it back; if it is gone, try `shelflist export`, then stop the service and restore a backup'
      : 'stop the service and start it again';
  throw new ShelflistError('unavailable', {
    message: `${file}${lost} was moved, removed or replaced while it was in use, so nothing is written any more; ${advice}`,
  });
}

/** A write and its log need more than this. */
const minFreeBytes = 1_000_000;

/** @throws {ShelflistError} `unavailable`: the disk of the file is full, or nearly so. */
export function checkDisk(file: string): void {
  const { bsize, bavail } = statfsSync(dirname(file));
  if (bsize * bavail < minFreeBytes)
    throw new ShelflistError('unavailable', { message: `the disk of ${file} is full; make room` });
  accessSync(file, constants.W_OK); // Fails on a file system that has become read-only.
}

/** Whether the database still has its name. If not, its log must stay as it is: it has the latest writes. */
export function isInPlace(file: string, ids: FileIds): boolean {
  return identify(file) === ids[''];
}

/**
 * Whether the data file was replaced under a process, which then has its log open, but not this file. SQLite locks both as long as
 * they are open; this process does not count. `false` where the system does not list locks.
 */
export async function isReplaced(file: string): Promise<boolean> {
  const locks = await readFile('/proc/locks', 'utf8').catch(() => '');
  // The columns of proc_locks(5): the process is the fifth, and the file the sixth, as `major:minor:inode` in hexadecimal and decimal.
  const others = locks.split('\n').map((line) => line.replace(/.*->/, 'x:').trim().split(/ +/));
  const isLocked = (path: string) => {
    const inode = identify(path).split(':')[1];
    const isOf = (file = '') => inode !== undefined && file.endsWith(`:${inode}`);
    return others.some(([, , , , pid, file]) => Number(pid) !== process.pid && isOf(file));
  };
  return isLocked(`${file}-shm`) && !isLocked(file);
}

/** Renames the log of a database that was replaced, so that SQLite does not apply it to the file that has taken its place. */
export function setLogAside(file: string, ids: FileIds): void {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0 || isInPlace(file, ids)) return; // A start refuses a log beside a missing or empty file.
  for (const suffix of ['-wal', '-shm'] as const)
    if (identify(file + suffix) === ids[suffix])
      renameSync(file + suffix, `${file}.lost-${Date.now()}${suffix}`);
}
