// What an operator watches, from the files of a store, and the mark of its last backup.
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectFileSystem } from '../../lib/file-system.ts';
import type { StoreMeasures } from '../contract/store.ts';
import { handOver } from './backup.ts';
import { fileName } from './setup.ts';

/** An empty file in the folder of a store: its time is that of the last good backup. A backup does not contain it. */
const backupMark = '.last-backup';

/** Notes that a backup is complete. */
export async function noteBackup(path: string): Promise<void> {
  const mark = join(path, backupMark);
  const file = await open(mark, 'a', 0o600);
  try {
    const now = new Date();
    await file.utimes(now, now);
  } finally {
    await file.close();
  }
  await handOver(mark, path);
}

export async function measureFiles(path: string): Promise<StoreMeasures> {
  const file = join(path, fileName);
  const [database, log, mark, disk] = await Promise.all([
    stat(file),
    stat(`${file}-wal`).catch(() => undefined),
    stat(join(path, backupMark)).catch(() => undefined),
    inspectFileSystem(path),
  ]);
  return {
    databaseBytes: database.size,
    walBytes: log?.size ?? 0,
    diskFreeBytes: disk.freeBytes,
    diskBytes: disk.totalBytes,
    ...(mark !== undefined && { lastBackupSeconds: Math.floor(mark.mtimeMs / 1000) }),
  };
}
