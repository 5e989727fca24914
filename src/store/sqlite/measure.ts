// What an operator watches, from the files of a store.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inspectFileSystem } from '../../lib/file-system.ts';
import type { StoreMeasures } from '../contract/store.ts';
import { backupMark, fileName } from './setup.ts';

export async function measureFiles(path: string): Promise<StoreMeasures> {
  const file = join(path, fileName);
  const [database, log, mark, disk] = await Promise.all([
    stat(file),
    stat(`${file}-wal`).catch(() => undefined),
    readFile(join(path, backupMark), 'utf8').catch(() => ''),
    inspectFileSystem(path).catch(() => undefined),
  ]);
  return {
    databaseBytes: database.size,
    walBytes: log?.size ?? 0,
    ...(disk !== undefined && { diskFreeBytes: disk.freeBytes, diskBytes: disk.totalBytes }),
    ...(/^\d+\n$/.test(mark) && { lastBackupSeconds: Number(mark) }),
  };
}
