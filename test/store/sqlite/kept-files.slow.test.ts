import assert from 'node:assert/strict';
import { copyFileSync, existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { version } from '../../../package.json';
import { fieldNames } from '../../../src/catalogue/fields.ts';
import { openStore } from '../../../src/index.ts';
import { inspectStore, restoreStore } from '../../../src/store/drivers.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { createTables, fieldFormats, migrate, newestFormat } from '../../../src/store/sqlite/migrations.ts';
import { askAll, keptAnswers, keptFile, keptFormats, placeKeptFile } from '../kept-formats.ts';
import { DatabaseSync, changeFile, faultsOf, readFileRows } from '../../support/sqlite-file.ts';
import { fileMode } from '../../../src/lib/atomic-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

const historyDays = 36_500;

/** Tables with their columns, indexes and triggers, without the spaces and the order that an ALTER leaves. */
function schemaOf(path: string): unknown {
  const shadow = /^(words_|sqlite_)/;
  return {
    columns: readFileRows(
      path,
      `SELECT t.name AS "table", c.name, c.type, c."notnull", c.pk FROM pragma_table_list t, pragma_table_info(t.name) c
       WHERE t.schema = 'main' AND NOT t.name GLOB 'words_*' ORDER BY 1, c.cid`,
    ),
    others: readFileRows(path, "SELECT name, sql FROM sqlite_schema WHERE type <> 'table' ORDER BY name")
      .filter(({ name }) => !shadow.test(String(name)))
      .map(({ name, sql }) => [name, String(sql).replaceAll(/\s+/g, ' ')]),
  };
}

test('the tables of each format have the fields that it introduced, and those before', () => {
  for (const format of [...keptFormats, newestFormat]) {
    using db = new DatabaseSync(':memory:');
    createTables(db, format);
    const rows = db.prepare("SELECT name FROM pragma_table_info('books')").all() as { name: unknown }[];
    const columns = rows.map(({ name }) => name);
    for (const name of fieldNames)
      assert.equal(columns.includes(name), fieldFormats[name] <= format, `${name} in format ${format}`);
  }
});

for (const format of keptFormats)
  describe(`a data file of format ${format}`, () => {
    test('is migrated at the start: no book, state, batch or id is lost, and searches find the books', async (t) => {
      const path = await temporaryFolder(t);
      await placeKeptFile(format, path);
      const expected = await keptAnswers(format);
      const lines: unknown[] = [];
      const info = (fields: object, message: string) => lines.push({ ...fields, message });
      const logger = { info: () => undefined, warn: info, error: info }; // What the default level shows.
      const store = await openStore(`file:${path}`, { historyDays, logger });
      assert.deepEqual(await askAll(store, expected), expected);
      assert.equal((await store.create({ title: 'Next' })).id, expected.lastId + 1);
      const [batch] = expected.batches;
      const undone = await store.undo(batch?.id ?? '', { as: 'undo-test', limit: 1000 });
      assert.deepEqual([undone?.undone, undone?.left.length], [56, 4]);
      await store.close();
      assert.deepEqual(faultsOf(path), []);
      assert.deepEqual(lines[0], {
        from: format,
        to: newestFormat,
        copy: join(path, `shelflist.db.format-${format}`),
        message: 'migrating the store to a newer format, after a copy',
      });
    });

    test('has the tables of a new file afterwards, and the name of the release', async (t) => {
      const [path, fresh] = [await temporaryFolder(t), await temporaryFolder(t)];
      await placeKeptFile(format, path);
      for (const each of [path, fresh]) await (await openStore(`file:${each}`)).close();
      assert.deepEqual(schemaOf(path), schemaOf(fresh));
      assert.equal(readFileRows(path, 'SELECT release FROM meta')[0]?.release, version);
      assert.equal(readFileRows(path, 'PRAGMA user_version')[0]?.user_version, newestFormat);
      assert.deepEqual((await inspectStore(`file:${path}`))?.problems, []);
    });

    test('is kept as a copy, which only its owner can read, and which is a backup', async (t) => {
      const path = await temporaryFolder(t);
      await placeKeptFile(format, path);
      await (await openStore(`file:${path}`)).close();
      const copy = join(path, `shelflist.db.format-${format}`);
      assert.equal(await fileMode(copy), '600');
      const again = join(await temporaryFolder(t), 'again');
      await restoreStore(copy, `file:${again}`, AbortSignal.timeout(60_000));
      const store = await openStore(`file:${again}`, { historyDays });
      t.after(() => store.close());
      const expected = await keptAnswers(format);
      assert.deepEqual(await askAll(store, expected), expected);
    });

    test('is restored as a backup', async (t) => {
      const folder = await temporaryFolder(t);
      const file = join(folder, 'old.backup');
      await writeFile(file, await keptFile(format));
      const url = `file:${join(folder, 'restored')}`;
      const expected = await keptAnswers(format);
      const { books, lastId } = await restoreStore(file, url, AbortSignal.timeout(60_000));
      assert.deepEqual([books, lastId], [expected.list.length, expected.lastId]);
      const store = await openStore(url, { historyDays });
      t.after(() => store.close());
      assert.deepEqual(await askAll(store, expected), expected);
    });

    test('stays as it is where it cannot be copied', async (t) => {
      const path = await temporaryFolder(t);
      await placeKeptFile(format, path);
      await mkdir(join(path, `shelflist.db.format-${format}`, 'taken'), { recursive: true });
      await assert.rejects(openStore(`file:${path}`), {
        code: 'store_unusable',
        message: /cannot be copied before its migration \(.+\); move \S+\.format-\d away$/,
      });
      assert.deepEqual(await readFile(join(path, 'shelflist.db')), await keptFile(format));
    });
  });

test('a file of a later format is refused with the release that wrote it', async (t) => {
  const path = await temporaryFolder(t);
  await (await openStore(`file:${path}`)).close();
  changeFile(path, "PRAGMA user_version = 99; UPDATE meta SET release = '7.8.9'");
  await assert.rejects(openStore(`file:${path}`), {
    message: `cannot use the store ${path}: shelflist 7.8.9 wrote it in format 99, and this is ${version}, which knows formats up to ${newestFormat}; use that release or a later one`,
  });
});

for (const number of [0, -5])
  test(`a file of this program with the number ${number} for its format is refused, and nothing is written`, async (t) => {
    const path = await temporaryFolder(t);
    await (await openStore(`file:${path}`)).close();
    changeFile(path, `PRAGMA user_version = ${number}`);
    const names = await readdir(path);
    await assert.rejects(openStore(`file:${path}`), {
      message: `cannot use the store ${path}: it has no format of shelflist (${number}); restore a backup`,
    });
    assert.deepEqual(await readdir(path), names);
  });

test('a file of a later format without a release is refused, whatever its tables are', async (t) => {
  const path = await temporaryFolder(t);
  await (await openStore(`file:${path}`)).close();
  changeFile(path, 'PRAGMA user_version = 99; ALTER TABLE meta RENAME TO other');
  await assert.rejects(openStore(`file:${path}`), /shelflist of a later release wrote it in format 99/);
});

test('a start that another one overtakes keeps its copy of the old format', async (t) => {
  const [path, done] = [await temporaryFolder(t), await temporaryFolder(t)];
  for (const each of [path, done]) await placeKeptFile(1, each);
  const other = connect(join(done, 'shelflist.db'));
  await migrate(other, join(done, 'shelflist.db'), undefined);
  other.close();
  const file = join(path, 'shelflist.db');
  /** The other start ends before this one has the file alone. */
  class Overtaken extends DatabaseSync {
    override exec(sql: string) {
      if (sql.includes('EXCLUSIVE') && !existsSync(`${file}.format-1`))
        for (const name of ['shelflist.db', 'shelflist.db.format-1'])
          copyFileSync(join(done, name), join(path, name));
      super.exec(sql);
    }
  }
  const db = new Overtaken(file, { returnArrays: true });
  t.after(() => {
    db.close();
  });
  await migrate(db, file, undefined);
  assert.deepEqual(await readFile(`${file}.format-1`), await readFile(join(done, 'shelflist.db.format-1')));
});

test('a migration logs how far its copy is, and each step', async (t) => {
  const path = await temporaryFolder(t);
  await placeKeptFile(1, path);
  changeFile(path, 'CREATE TABLE filler AS SELECT zeroblob(40000000)');
  const lines: string[] = [];
  const ignore = () => undefined;
  const warn = (fields: object, message: string) => lines.push(`${message} ${Object.keys(fields).join()}`);
  let now = 0;
  t.mock.method(performance, 'now', () => (now += 5001));
  const db = connect(join(path, 'shelflist.db'));
  t.after(() => {
    db.close();
  });
  await migrate(db, join(path, 'shelflist.db'), { info: ignore, warn, error: ignore });
  assert.deepEqual(
    [...new Set(lines)],
    [
      'migrating the store to a newer format, after a copy from,to,copy',
      'copying the store before its migration copy,percent',
      'migrating the copied store, one format at a time to',
      'migrated the store; to roll back, restore the copy with the previous release format,copy',
    ],
  );
});

test('copies that were cut off do not stay beside the file', async (t) => {
  const path = await temporaryFolder(t);
  await placeKeptFile(1, path);
  const draft = 'shelflist.db.format-1.0a1b2c3d.tmp';
  const foreign = 'shelflist.db.format-1.of.mine.tmp';
  for (const name of [draft, `${draft}-journal`, foreign]) await writeFile(join(path, name), 'half');
  await (await openStore(`file:${path}`)).close();
  const names = await readdir(path);
  assert.deepEqual(
    names.filter((name) => name.includes('.tmp')),
    [foreign],
  );
});
