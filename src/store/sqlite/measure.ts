// What an operator watches, from the files of a store, and the mark of its last backup.
import { randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectFileSystem } from '../../lib/file-system.ts';
import type { StoreMeasures } from '../contract/store.ts';
import { fileName } from './setup.ts';

/** An empty file in the folder of a store: its time is that of the last good backup. A backup does not contain it. */
const backupMark = '.last-backup';

/**
 * Notes that a backup is complete. A new file takes the place of the old one: that may be a link that the owner of the folder made,
 * which root must not follow, or belong to another user.
 */
export async function noteBackup(path: string): Promise<void> {
  const draft = join(path, `${backupMark}.${randomUUID()}`);
  const file = await open(draft, 'wx', 0o600);
  try {
    try {
      const { uid, gid } = await stat(path);
      if (process.getuid?.() === 0) await file.chown(uid, gid);
    } finally {
      await file.close();
    }
    await rename(draft, join(path, backupMark));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
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
