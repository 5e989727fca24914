import assert from 'node:assert/strict';
import { chmod, chown, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { backUpStore, restoreStore } from '../../../src/store/drivers.ts';
import { backupSeries } from '../../../src/store/sqlite/backup.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

const signal = AbortSignal.timeout(60_000);

/** A folder with the backup of a store that has one book. */
async function folderWithBackup(scope: Scope): Promise<{ folder: string; backup: string }> {
  const folder = await temporaryFolder(scope);
  const store = await openStore(`file:${join(folder, 'data')}`);
  await store.create({ title: 'Emma' });
  await store.close();
  const backup = join(folder, 'x.backup');
  await backUpStore(`file:${join(folder, 'data')}`, backup);
  return { folder, backup };
}

test('a backup that may only be read is restored by a user who is not root', async (t) => {
  const { folder, backup } = await folderWithBackup(t);
  await restoreStore(backup, `file:${join(folder, 'first')}`, signal); // Loads all modules as root.
  await chmod(backup, 0o400);
  const nobody = 65534;
  const isRoot = process.getuid?.() === 0;
  if (isRoot) for (const path of [folder, backup]) await chown(path, nobody, nobody);
  if (isRoot) process.seteuid?.(nobody);
  const report = await restoreStore(backup, `file:${join(folder, 'new')}`, signal).finally(() => {
    if (isRoot) process.seteuid?.(0);
  });
  assert.equal(report.books, 1);
});

test('of two restores into a folder at once, one fails and says that there is a store', async (t) => {
  const { folder, backup } = await folderWithBackup(t);
  const path = join(folder, 'new');
  const results = await Promise.allSettled([1, 2].map(() => restoreStore(backup, `file:${path}`, signal)));
  const failed = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as Error] : []));
  assert.deepEqual(
    failed.map(({ message }) => message),
    [
      `cannot use the store ${path}: there is a store already; stop its service and move the folder away first`,
    ],
  );
  assert.deepEqual(await readdir(path), ['shelflist.db']);
});

test('the first backups of a store have one series, however many begin at once', async (t) => {
  for (let round = 0; round < 20; round++) {
    const folder = await temporaryFolder(t);
    await writeFile(join(folder, 'shelflist.db'), 'a store');
    const series = await Promise.all([1, 2, 3, 4].map(() => backupSeries(folder)));
    assert.equal(new Set(series).size, 1);
    assert.equal(await backupSeries(folder), series[0]);
  }
});
