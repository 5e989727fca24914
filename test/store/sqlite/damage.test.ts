import assert from 'node:assert/strict';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { isOfDamage, type ShelflistError } from '../../../src/catalogue/errors.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import { closeFiles } from '../../support/garbage.ts';
import { changeFile, damageTable, readFileRows } from '../../support/sqlite-file.ts';
import { temporaryFolder, type Scope } from '../../support/temp.ts';

/** A closed store with a few books. */
async function filled(scope: Scope): Promise<string> {
  const path = join(await temporaryFolder(scope), 'data');
  const store = await openStore(`file:${path}`);
  for (let year = 0; year < 3; year++) await store.create({ ...emma, year });
  await store.delete(1);
  await closeFiles(store);
  return path;
}

const ignoring = 'CREATE TRIGGER zz BEFORE INSERT ON books BEGIN SELECT RAISE(IGNORE); END';

describe('a start refuses a file that would lose or fail writes:', () => {
  for (const [what, sql, problem] of [
    ['a trigger of another program', ignoring, 'the trigger zz is foreign'],
    [
      'a UNIQUE index',
      'DROP INDEX books_by_year; CREATE UNIQUE INDEX books_by_year ON books (year)',
      'index books_by_year',
    ],
    ['no row in meta', 'DELETE FROM meta', 'the table meta has no row'],
    ['a time that no date has', 'UPDATE meta SET clock = 9007199254740991', 'latest change is out of range'],
    [
      'rules of the order that are none',
      "UPDATE meta SET sort_rules = 'x{'",
      'rules of the order are out of range',
    ],
    ['a number of an older format', 'PRAGMA user_version = 3', 'the table books is not that of format 3'],
  ] as const)
    test(what, async (t) => {
      const path = await filled(t);
      changeFile(path, sql);
      await assert.rejects(openStore(`file:${path}`), (error: Error & { code?: string }) => {
        assert.equal(error.code, 'store_unusable');
        assert.match(error.message, /it is damaged \(.+\); move the folder away and restore a backup/);
        assert.ok(error.message.includes(problem), error.message);
        return true;
      });
    });

  test('a damaged page', async (t) => {
    const path = await filled(t);
    await damageTable(path, 'books_by_author');
    await assert.rejects(openStore(`file:${path}`), { code: 'store_unusable', message: /is damaged/ });
  });
});

test('a start raises a counter below the id of a book in the trash: no id is given twice', async (t) => {
  const path = await filled(t);
  changeFile(path, "DELETE FROM books; UPDATE sqlite_sequence SET seq = 1 WHERE name = 'books'");
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  assert.equal((await store.create(emma)).id, 4);
});

test('a trigger that another program adds to an open file stops all writes until it is dropped', async (t) => {
  const path = await filled(t);
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  assert.equal((await store.create(emma)).id, 4);
  changeFile(path, ignoring);
  for (const write of [() => store.create(emma), () => store.checkWrites()])
    await assert.rejects(write, {
      code: 'unavailable',
      message: /^the store refuses all writes: the trigger zz is foreign/,
      retryAfter: undefined,
    });
  changeFile(path, 'DROP TRIGGER zz');
  await store.checkWrites();
  assert.equal((await store.create(emma)).id, 5);
});

test('a store without its row of meta is not ready, before and after a write has failed', async (t) => {
  const path = await filled(t);
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  const [meta = {}] = readFileRows(path, 'SELECT * FROM meta');
  await store.checkWrites(); // The thread checks tables and values when it opens the file.
  changeFile(path, 'DELETE FROM meta');
  await assert.rejects(() => store.checkWrites(), { message: /the table meta has no row/ });
  await assert.rejects(() => store.create(emma), { code: 'unavailable' });
  assert.equal(await store.update(999, {}), undefined);
  await assert.rejects(() => store.checkWrites(), { message: /the table meta has no row/ });
  const values = Object.values(meta).map((value) =>
    typeof value === 'string' ? `'${value}'` : String(value),
  );
  changeFile(path, `INSERT INTO meta VALUES (${values.join()})`);
  await store.checkWrites();
  assert.equal((await store.create(emma)).id, 4, 'the check gave no id away');
});

test('once a search has found a damaged page, no write is acknowledged, and the store says so', async (t) => {
  const path = await filled(t);
  const store = await openStore(`file:${path}`);
  t.after(() => closeFiles(store));
  const [row] = readFileRows(path, "SELECT rootpage FROM sqlite_schema WHERE name = 'changes_deleted'");
  const file = await open(join(path, 'shelflist.db'), 'r+');
  await file.write(Buffer.alloc(4096, 0xff), 0, 4096, (Number(row?.rootpage) - 1) * 4096);
  await file.close();
  assert.equal((await store.create(emma)).id, 4, 'it is not known yet');
  await store.checkWrites();
  const isNamed = { code: 'store_damaged', message: /see `shelflist doctor`/ };
  await assert.rejects(store.trash({ limit: 1 }), isNamed);
  for (const write of [
    () => store.create(emma),
    () => store.createMany([emma]),
    () => store.update(2, { year: 9 }),
    () => store.delete(2),
    () => store.revert(2),
    () => store.undo('some-batch', { as: 'undo-some', limit: 1 }),
    () => store.checkWrites(),
  ])
    await assert.rejects(write, (error: ShelflistError) => {
      assert.deepEqual([error.code, error.retryAfter, isOfDamage(error)], ['unavailable', undefined, true]);
      return error.message.startsWith('the store refuses all writes');
    });
  assert.equal((await store.get(4))?.id, 4, 'books are read as far as they can be');
});
