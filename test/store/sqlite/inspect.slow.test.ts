import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import {
  backUpStore,
  inspectStore,
  openCopySource,
  restoreStore,
  verifyBackup,
} from '../../../src/store/drivers.ts';
import { newestFormat } from '../../../src/store/sqlite/migrations.ts';
import { keptFormats, placeKeptFile } from '../kept-formats.ts';
import { closeFiles } from '../../support/garbage.ts';
import { sized } from '../../support/size.ts';
import { changeFile, faultsOf } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

const foreign = (part: string) => `the ${part} is foreign, and may change or refuse writes: drop it`;

describe('a store, and its backup, are found damaged with', () => {
  for (const [what, sql, problem] of [
    ['a missing trigger', 'DROP TRIGGER book_updated', 'the trigger book_updated is missing'],
    ['a missing table', 'DROP TABLE batches', 'the table batches is missing'],
    ['a missing index', 'DROP INDEX books_by_year', 'the index books_by_year is missing'],
    [
      'a trigger that ignores inserts',
      'CREATE TRIGGER zz BEFORE INSERT ON books BEGIN SELECT RAISE(IGNORE); END',
      foreign('trigger zz'),
    ],
    [
      'a trigger that deletes',
      'CREATE TRIGGER zz AFTER INSERT ON books BEGIN DELETE FROM books WHERE id = new.id; END',
      foreign('trigger zz'),
    ],
    [
      'an endless trigger',
      `CREATE TRIGGER zz AFTER INSERT ON books BEGIN
       UPDATE meta SET clock = (WITH RECURSIVE n AS (SELECT 1 UNION ALL SELECT 1 FROM n) SELECT count(*) FROM n); END`,
      foreign('trigger zz'),
    ],
    [
      'a trigger that is named like one of SQLite',
      `CREATE TRIGGER zz BEFORE INSERT ON books BEGIN SELECT RAISE(IGNORE); END; PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET name = 'sqlite_zz', sql = replace(sql, 'zz', 'sqlite_zz') WHERE name = 'zz'`,
      foreign('trigger sqlite_zz'),
    ],
    ['a further UNIQUE index', 'CREATE UNIQUE INDEX one ON books (title)', foreign('index one')],
    ['an index of an expression', 'CREATE INDEX one ON books (abs(year))', foreign('index one')],
    [
      'an index with a condition',
      'CREATE INDEX one ON books (year) WHERE abs(year) > 5',
      foreign('index one'),
    ],
    [
      'an index with an order of another program',
      `CREATE INDEX one ON books (title COLLATE NOCASE); PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, 'NOCASE', 'mine') WHERE name = 'one'`,
      foreign('index one'),
    ],
    [
      'a column of a table that is no more checked',
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, 'PRIMARY KEY AUTOINCREMENT CHECK', 'PRIMARY KEY CHECK') WHERE name = 'books'`,
      `the table books is not that of format ${newestFormat}`,
    ],
    [
      'a constraint that ignores what breaks it',
      `PRAGMA writable_schema = ON;
       UPDATE sqlite_schema SET sql = replace(sql, 'author_order TEXT', 'author_order TEXT CHECK (id < 5)') WHERE name = 'books'`,
      `the table books is not that of format ${newestFormat}`,
    ],
    ['no row in meta', 'DELETE FROM meta', 'the table meta has no row'],
    ['two rows in meta', 'INSERT INTO meta SELECT * FROM meta', 'the table meta has several rows'],
    ...[
      ['history_bytes = 9223372036854775807', 'the size of the history'],
      ['history_bytes = -1', 'the size of the history'],
      ['clock = -1', 'the time of the latest change'],
      ['clock = 9007199254740991', 'the time of the latest change'],
      ['history_clock = 9007199254740991', 'the clock of the history'],
      ['folded_to = -1', 'the place of the new words'],
      ["epoch = 'a.b'", 'the epoch'],
    ].map(
      ([value, what]) => [value, `UPDATE meta SET ${value}`, `${what} is out of range (table meta)`] as const,
    ),
    ...['x{', 'null', '{"articles":5,"names":"family"}', '{"articles":[],"names":"first"}'].map(
      (json) =>
        [
          `the rules ${json}`,
          `UPDATE meta SET sort_rules = '${json}'`,
          'the rules of the order are out of range',
        ] as const,
    ),
    [
      'a counter without a next number',
      "INSERT INTO sqlite_sequence VALUES ('changes', 9223372036854775807)",
      'a counter is out of range (table sqlite_sequence)',
    ],
    [
      'two counters',
      "INSERT INTO sqlite_sequence VALUES ('books', 3), ('books', 7)",
      'there are two counters for books',
    ],
    [
      'a change out of time',
      "INSERT INTO changes (book, kind, at) VALUES (1, 'created', 9007199254740991)",
      'a change is out of range (table changes)',
    ],
    [
      'an idempotency key of too many books',
      "INSERT INTO repeats VALUES ('k', 'd', 1, 1000000000, NULL, 1)",
      'an idempotency key is out of range (table repeats)',
    ],
    [
      'a batch of no time',
      "INSERT INTO batches VALUES (1, 'some-batch', -1, 0, 0, 0, 0)",
      'a batch is out of range (table batches)',
    ],
    ...[1, 2, 3].map(
      (format) =>
        [
          `the number of format ${format}`,
          `PRAGMA user_version = ${({ 1: 315695680, 2: 248359319 } as Record<number, number>)[format] ?? format}`,
          new RegExp(`^the \\w+ \\w+ is (?:not that of format ${format}|missing)$`),
        ] as const,
    ),
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
      const matches = (text: string) => (typeof problem === 'string' ? text === problem : problem.test(text));
      const [found = '', ...others] = (await inspectStore(`file:${path}`))?.problems ?? [];
      assert.ok(matches(found), found);
      assert.deepEqual(others, []);
      const backup = join(folder, 'x');
      await copyFile(join(path, 'shelflist.db'), backup);
      const isNamed = (error: Error & { code?: string }) => {
        const [, reason = ''] =
          /^cannot use the store x: it is damaged \((.+)\); choose another one$/.exec(error.message) ?? [];
        assert.ok(matches(reason), error.message);
        return error.code === 'store_unusable';
      };
      await assert.rejects(verifyBackup(backup, 'x'), isNamed);
      await assert.rejects(openCopySource({ file: backup, name: 'x' }), { code: 'store_unusable' });
      const signal = AbortSignal.timeout(60_000);
      await assert.rejects(restoreStore(backup, `file:${folder}/new`, signal, 'x'), isNamed);
    });

  for (const format of keptFormats)
    test(`a missing or foreign trigger of format ${format}`, async (t) => {
      const path = await temporaryFolder(t);
      await placeKeptFile(format, path);
      assert.deepEqual((await inspectStore(`file:${path}`))?.problems, []);
      changeFile(path, 'DROP TRIGGER book_updated');
      assert.deepEqual((await inspectStore(`file:${path}`))?.problems, [
        'the trigger book_updated is missing',
      ]);
      await placeKeptFile(format, path);
      changeFile(path, 'CREATE TRIGGER zz BEFORE INSERT ON books BEGIN SELECT RAISE(IGNORE); END');
      assert.deepEqual((await inspectStore(`file:${path}`))?.problems, [foreign('trigger zz')]);
      await assert.rejects(openStore(`file:${path}`), /it is damaged \(the trigger zz is foreign/);
    });
});

/** In the short form, the first and the newest one. */
const formats = [...keptFormats, newestFormat].filter((_, i, { length }) =>
  sized({ short: i % (length - 1) === 0, long: true }),
);

describe('harmless to a store of each format, and its backup:', () => {
  for (const [what, sql] of [
    ['a view', 'CREATE VIEW mine AS SELECT * FROM books'],
    [
      'a view that writes',
      `CREATE VIEW mine AS SELECT * FROM books; CREATE TRIGGER zz INSTEAD OF INSERT ON mine BEGIN SELECT 1; END`,
    ],
    ['a table that refers to books', 'CREATE TABLE notes (book REFERENCES books ON DELETE RESTRICT)'],
    [
      'an index with conditions, and a trigger, on such a table',
      `CREATE TABLE notes (text);
      CREATE UNIQUE INDEX one ON notes (lower(text)) WHERE text > ''; CREATE TRIGGER zz AFTER INSERT ON notes BEGIN SELECT 1; END`,
    ],
    ['a plain index', 'CREATE INDEX mine ON books (author COLLATE NOCASE, year DESC)'],
    [
      'the statistics of ANALYZE and the tables of Litestream',
      'CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER); ANALYZE',
    ],
    ['a size of the history that is a little wrong', 'UPDATE meta SET history_bytes = history_bytes + 1'],
  ] as const)
    test(what, async (t) => {
      const folder = await temporaryFolder(t);
      for (const format of formats) {
        const path = join(folder, `${format}`);
        await mkdir(path);
        if (format !== newestFormat) await placeKeptFile(format, path);
        else await closeFiles(await openStore(`file:${path}`));
        changeFile(path, sql);
        assert.deepEqual((await inspectStore(`file:${path}`))?.problems, []);
        const backup = `${path}.backup`;
        assert.equal((await backUpStore(`file:${path}`, backup)).foreign, undefined);
        await verifyBackup(backup, 'x');
        await restoreStore(backup, `file:${path}-new`, AbortSignal.timeout(60_000), 'x');
        const store = await openStore(`file:${path}-new`);
        changeFile(`${path}-new`, 'CREATE VIEW later AS SELECT 1');
        const { id } = await store.create(emma);
        await store.delete((await store.create(emma)).id);
        assert.deepEqual(await store.get(id), { id, ...emma });
        await closeFiles(store);
        assert.deepEqual(faultsOf(`${path}-new`), []);
        await closeFiles(await openStore(`file:${path}`));
      }
    });
});

test('a trigger of another program does not stop a backup, which says that it cannot be restored', async (t) => {
  const path = await temporaryFolder(t);
  await closeFiles(await openStore(`file:${path}`));
  changeFile(path, 'CREATE TRIGGER zz AFTER INSERT ON BOOKS BEGIN SELECT 1; END');
  assert.equal((await backUpStore(`file:${path}`, `${path}/x`)).foreign, foreign('trigger zz'));
  await assert.rejects(verifyBackup(`${path}/x`, 'x'), { code: 'store_unusable' });
});

test('a table of another program that has the name of one of a newer format', async (t) => {
  const path = await temporaryFolder(t);
  await placeKeptFile(1, path);
  changeFile(path, 'CREATE TABLE Batches (text)');
  const problem = 'the table Batches has a name that shelflist needs: rename it';
  assert.deepEqual((await inspectStore(`file:${path}`))?.problems, [problem]);
});
