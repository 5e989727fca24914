import assert from 'node:assert/strict';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { inspectStore, openCopySource, restoreStore, verifyBackup } from '../../../src/store/drivers.ts';
import { newestFormat } from '../../../src/store/sqlite/migrations.ts';
import { placeKeptFile } from '../kept-formats.ts';
import { closeFiles } from '../../support/garbage.ts';
import { changeFile } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

describe('a store, and its backup, are found damaged with', () => {
  for (const [what, sql, problem] of [
    ['a missing trigger', 'DROP TRIGGER book_updated', 'the trigger book_updated is missing'],
    ['a missing table', 'DROP TABLE batches', 'the table batches is missing'],
    ['a missing index', 'DROP INDEX books_by_year', 'the index books_by_year is missing'],
    [
      'a missing column',
      'ALTER TABLE repeats DROP COLUMN batch',
      `the table repeats is not that of format ${newestFormat}`,
    ],
    [
      'a trigger that does nothing',
      'DROP TRIGGER book_deleted; CREATE TRIGGER book_deleted AFTER DELETE ON books BEGIN SELECT 1; END',
      `the trigger book_deleted is not that of format ${newestFormat}`,
    ],
  ] as const)
    test(what, async (t) => {
      const folder = await temporaryFolder(t);
      const path = join(folder, 'data');
      await closeFiles(await openStore(`file:${path}`));
      changeFile(path, `${sql}; PRAGMA journal_mode = DELETE`);
      assert.deepEqual((await inspectStore(`file:${path}`))?.problems, [problem]);
      const backup = join(folder, 'x');
      await copyFile(join(path, 'shelflist.db'), backup);
      const message = `cannot use the store x: it is damaged (${problem}); choose another one`;
      await assert.rejects(verifyBackup(backup, 'x'), { code: 'store_unusable', message });
      await assert.rejects(openCopySource({ file: backup, name: 'x' }), { message });
      const signal = AbortSignal.timeout(60_000);
      await assert.rejects(restoreStore(backup, `file:${folder}/new`, signal, 'x'), { message });
    });

  for (const format of [1, 2])
    test(`a missing trigger of format ${format}`, async (t) => {
      const path = await temporaryFolder(t);
      await placeKeptFile(format, path);
      assert.deepEqual((await inspectStore(`file:${path}`))?.problems, []);
      changeFile(path, 'DROP TRIGGER book_updated');
      assert.deepEqual((await inspectStore(`file:${path}`))?.problems, [
        'the trigger book_updated is missing',
      ]);
    });
});

test('tables, indexes and triggers of another program in a store are no damage', async (t) => {
  const path = await temporaryFolder(t);
  await closeFiles(await openStore(`file:${path}`));
  changeFile(path, 'CREATE TABLE notes (text); CREATE INDEX of_mine ON books (year, title); ANALYZE');
  assert.deepEqual((await inspectStore(`file:${path}`))?.problems, []);
});
