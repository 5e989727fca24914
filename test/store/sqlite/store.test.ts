import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { openStore, type Logger } from '../../../src/index.ts';
import { indexedIntegers, indexedTexts } from '../../../src/catalogue/fields.ts';
import { inspectStore } from '../../../src/store/drivers.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { orderOf, placesOf } from '../../../src/store/sqlite/filter.ts';
import { defaultRules } from '../../../src/catalogue/sort-keys.ts';
import { indexVersion } from '../../../src/store/sqlite/order.ts';
import { sortColumn } from '../../../src/store/sqlite/schema.ts';
import { queries } from '../../../src/store/sqlite/queries.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { bookOf } from '../../support/books.ts';
import { compiledPath } from '../../support/compiled-path.ts';
import {
  changeFile,
  faultsOf,
  insertSql,
  openFile,
  readFileRows,
  spoilRecord,
} from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const support = join(import.meta.dirname, '../../support');

test('a page of a sorted listing is found in its index by the position, also among equal keys', async (t) => {
  const folder = await temporaryFolder(t);
  await (await openStore(`file:${folder}`)).close();
  for (const sort of [...indexedTexts, ...indexedIntegers]) {
    const column = sortColumn(sort);
    const from = `books INDEXED BY books_by_${sort}`;
    const source = { from, where: `${column} IS NOT NULL`, values: [] };
    for (const isDescending of [false, true]) {
      const filter = { words: [], fieldWords: {}, texts: {}, ranges: {}, sort, isDescending };
      const sign = isDescending ? '<' : '>';
      const plans = placesOf(filter, { key: 'x', id: 7 }, source).map(({ where }) =>
        readFileRows(
          folder,
          `EXPLAIN QUERY PLAN SELECT id FROM ${from} WHERE ${where.replaceAll('?', "'x'")} ORDER BY ${orderOf(filter, source)}`,
        ),
      );
      const [equal = [], beyond = []] = plans;
      assert.deepEqual([equal.length, beyond.length], [1, 1], 'it sorts nothing');
      assert.ok(
        String(equal[0]?.detail).endsWith(`(${column}=? AND rowid${sign}?)`),
        String(equal[0]?.detail),
      );
      assert.ok(String(beyond[0]?.detail).endsWith(`${column}${sign}?)`), String(beyond[0]?.detail));
    }
  }
});

test('several processes write one store at once: no id reused, nothing lost, index and log agree', async (t) => {
  const folder = await temporaryFolder(t);
  const runs = Array.from({ length: 3 }, async () => {
    const child = fork(compiledPath(join(support, 'writer.ts')), [`file:${folder}`, '300']);
    const [[ids]] = (await Promise.all([once(child, 'message'), once(child, 'exit')])) as [
      [number[]],
      unknown,
    ];
    return ids;
  });
  const ids = (await Promise.all(runs)).flat();
  assert.equal(new Set(ids).size, 900);
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  const stored: number[] = [];
  for await (const page of store.iterate()) stored.push(...page.map((book) => book.id));
  assert.deepEqual(
    stored,
    ids.sort((a, b) => a - b),
  );
  assert.deepEqual(faultsOf(folder), []);
});

test('a check of writes does not wait for those of an import: one that succeeds is proof enough', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  const ended: string[] = [];
  const run = async (name: string, call: Promise<unknown>) => {
    await call;
    ended.push(name);
  };
  const writes = [
    run('create', store.create(emma)),
    run('import', store.createMany(Array.from({ length: 1000 }, () => emma))),
  ];
  for (let turn = 0; turn < 10; turn++) await setImmediate(); // They are collected until then.
  await Promise.all([...writes, run('check', store.checkWrites())]);
  assert.deepEqual([ended.length, ended.at(-1)], [3, 'import']);
  const now = performance.now();
  const clock = t.mock.method(performance, 'now', () => now);
  const other = openFile(folder);
  other.exec('BEGIN IMMEDIATE'); // The thread cannot write.
  await store.checkWrites();
  other.close();
  clock.mock.restore();
});

test('while another process is stuck in a write, writes are "unavailable", reads continue, and later writes succeed', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  await store.create(emma);
  const holder = fork(compiledPath(join(support, 'holder.ts')), [folder]);
  t.after(() => holder.kill('SIGKILL'));
  await once(holder, 'message');
  const deadline = AbortSignal.timeout(5000);
  const writes = [store.create(emma), store.update(1, { year: 1 }), store.delete(1)].map(failure);
  assert.deepEqual(await store.get(1), { id: 1, ...emma });
  assert.equal(await store.count({ q: 'emma' }), 1);
  const late = failure(store.create(emma)); // It waits for the batch before it.
  const lateDeadline = AbortSignal.timeout(5000);
  const another = openStore(`file:${folder}`).then((each) => each.close()); // A start does not wait for a writer.
  for (const write of writes) assert.equal(await write, 'unavailable');
  assert.equal(deadline.aborted, false, 'within 5 s');
  assert.equal(await late, 'unavailable');
  assert.equal(lateDeadline.aborted, false, 'within 5 s of its own call');
  await another;
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  assert.deepEqual(await store.create(emma), { id: 2, ...emma }, 'no refused write is done later');
  assert.deepEqual(await store.get(1), { id: 1, ...emma });
});

test('a write that waits for a stuck process behind another task of this one is not done after its refusal', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  await store.create(emma, { batch: 'a-batch-of-books' });
  const holder = fork(compiledPath(join(support, 'holder.ts')), [folder]);
  t.after(() => holder.kill('SIGKILL'));
  await once(holder, 'message');
  const undo = failure(store.undo('a-batch-of-books', { as: 'the-undo-of-it', limit: 9 }));
  const create = failure(store.create(emma));
  assert.deepEqual(await Promise.all([undo, create]), ['unavailable', 'unavailable']);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  assert.equal((await store.create(emma)).id, 2);
  assert.ok(await store.get(1));
});

/** The code of the error of a call. */
async function failure(call: Promise<unknown>): Promise<string | undefined> {
  return call.then(
    () => undefined,
    (error: unknown) => (error as { code?: string }).code,
  );
}

test('a record that is not a book is an error, never an answer', async (t) => {
  const path = await temporaryFolder(t);
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  for (let i = 0; i < 3; i++) await store.create(emma);
  spoilRecord(path, 2);
  const uses = [() => store.get(2), () => store.update(2, { year: 1 }), () => store.update(2, {})];
  for (const use of uses)
    await assert.rejects(use, { code: 'store_damaged', message: /record 2 is not a book/ });
  const listed: number[] = [];
  for await (const page of store.iterate()) listed.push(...page.map(({ id }) => id));
  assert.deepEqual(listed, [1, 3]);
  assert.ok(await store.get(1));
  const { books } = await store.find({ q: 'emma' }, { limit: 9 });
  assert.deepEqual(
    books.map(({ id }) => id),
    [1, 3],
  );
  await store.delete(2);
  assert.equal(await store.get(2), undefined);
});

test('integers of another program that no number holds make their records no books; all others are found', async (t) => {
  const path = await temporaryFolder(t);
  const store = await openStore(`file:${path}`);
  t.after(() => store.close());
  for (let i = 0; i < 4; i++) await store.create({ ...emma, year: i });
  const begun = await store.version();
  const large = 2n ** 53n + 1n;
  changeFile(path, `PRAGMA ignore_check_constraints = ON; UPDATE books SET year = ${large} WHERE id = 2`);
  assert.deepEqual((await inspectStore(`file:${path}`))?.damaged, [2]);
  changeFile(path, `PRAGMA ignore_check_constraints = ON; UPDATE books SET id = ${large} WHERE id = 4`);
  const listed: number[] = [];
  for await (const page of store.iterate()) listed.push(...page.map(({ id }) => id));
  assert.deepEqual(listed, [1, 3]);
  const queries = [
    {},
    { q: 'emma' },
    { title: 'emma' },
    { sort: 'year' },
    { sort: '-year' },
    { sort: 'title' },
  ] as const;
  for (const query of queries) {
    const { books } = await store.find(query, { limit: 9 });
    assert.deepEqual(books.map(({ id }) => id).sort(), [1, 3], JSON.stringify(query));
  }
  assert.equal((await store.statistics({})).years.first, 2);
  assert.equal((await store.statistics({ q: 'emma' })).years.first, 2);
  assert.ok(await store.count({}));
  assert.equal((await store.suggest('title', 'em', { limit: 9 }))[0]?.value, 'Emma');
  assert.ok((await store.events({ since: begun })).events);
  await store.update(3, { title: 'Persuasion' });
  assert.equal(
    (await store.find({ q: 'persuasion' }, { limit: 9 })).books[0]?.id,
    3,
    'readers see later writes',
  );
  await assert.rejects(store.get(2), { code: 'store_damaged' });
  await assert.rejects(store.revert(2), { code: 'store_damaged' });
  await store.delete(2);
  assert.equal((await store.history(2))?.[0]?.year, 1, 'the state that is not a book is left out');
});

test('versions from before a restore are not repeated', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${join(folder, 'a')}`);
  await store.create(emma);
  const { backUp, restore } = await import('../../../src/store/sqlite/backup.ts');
  await backUp(join(folder, 'a'), join(folder, 'copy'));
  await store.update(1, { year: 1 });
  const version = await store.version();
  await store.close();
  await restore(join(folder, 'copy'), join(folder, 'b'), new AbortController().signal, join(folder, 'copy'));
  const restored = await openStore(`file:${join(folder, 'b')}`);
  t.after(() => restored.close());
  await restored.update(1, { year: 2 });
  assert.notEqual(await restored.version(), version);
  assert.equal((await restored.events({ since: version })).events, undefined);
});

test('the database file of a store in use is not accepted as a backup: its log has the newest books', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${join(folder, 'a')}`);
  t.after(() => store.close());
  await store.create(emma);
  const { restore } = await import('../../../src/store/sqlite/backup.ts');
  const signal = new AbortController().signal;
  await assert.rejects(
    restore(join(folder, 'a/shelflist.db'), join(folder, 'b'), signal, join(folder, 'a/shelflist.db')),
    {
      code: 'store_unusable',
      message: /shelflist\.db: it belongs to a store in use.+shelflist backup/,
    },
  );
  await assert.rejects(stat(join(folder, 'b')), { code: 'ENOENT' });
});

describe('books that another program added', () => {
  test('are found though some of its records are not books', async (t) => {
    const path = await temporaryFolder(t);
    await (await openStore(`file:${path}`)).close();
    const large = 2n ** 53n + 1n;
    changeFile(
      path,
      `PRAGMA ignore_check_constraints = ON; ${insertSql({ ...emma, year: 1.5e17 })};
       UPDATE books SET id = ${large}; ${insertSql({ ...emma, id: 1, year: 1.5e17 })}; ${insertSql({ ...emma, id: 2 })}`,
    );
    const told: string[] = [];
    const tell = (_: object, message: string) => void told.push(message);
    const store = await openStore(`file:${path}`, { logger: { info: tell, warn: tell, error: tell } });
    t.after(() => store.close());
    assert.deepEqual(told, ['indexed the books that another program or version wrote']);
    const { books } = await store.find({ q: 'emma', sort: 'title' }, { limit: 9 });
    assert.deepEqual(
      books.map(({ id }) => id),
      [2],
    );
  });

  test('are found at once if they are few, and the log says how many were indexed', async (t) => {
    const path = await temporaryFolder(t);
    await (await openStore(`file:${path}`)).close();
    const books = Array.from({ length: 2500 }, (_, i) =>
      bookOf({ title: `Straße ${i + 1}`, author: 'Another Program', year: i + 1 }),
    );
    changeFile(path, `BEGIN; ${books.map(insertSql).join('; ')}; COMMIT`);
    const told: [object, string][] = [];
    const tell = (fields: object, message: string) => void told.push([fields, message]);
    const logger: Logger = { info: tell, warn: tell, error: tell };
    const store = await openStore(`file:${path}`, { logger });
    t.after(() => store.close());
    assert.equal(await store.count({ q: 'strasse program' }), 2500);
    const found = await store.find({ title: 'STRASSE 7', sort: '-title' }, { limit: 2 });
    assert.deepEqual(
      found.books.map(({ id }) => id),
      [7],
    );
    assert.deepEqual(told, [[{ books: 2500 }, 'indexed the books that another program or version wrote']]);
    assert.deepEqual(faultsOf(path), []);
    assert.equal(
      readFileRows(path, "SELECT 1 FROM changes WHERE kind = 'updated'").length,
      0,
      'indexing is not a change',
    );
  });
});

test('an undo takes back a whole batch, though it fills the log beyond its limit', async (context) => {
  const store = await openStore(`file:${await temporaryFolder(context)}`, { historyMaxBytes: 60_000 });
  context.after(() => store.close());
  const batch = 'a-large-batch';
  await Promise.all(
    Array.from({ length: 500 }, (_, i) => store.create({ title: `Book ${i} ${'x'.repeat(50)}` }, { batch })),
  );
  assert.equal((await store.batch(batch))?.created, 500);
  for (let before: number | undefined; ;) {
    const step = await store.undo(batch, { as: 'the-undo-of-it', limit: 100, before });
    assert.deepEqual(step?.left, []);
    before = step.next;
    if (before === undefined) break;
  }
  assert.equal(await store.count({}), 0);
});

test('books are indexed again if they were indexed with another version of folding, in any number of steps', async (t) => {
  const folder = await temporaryFolder(t);
  const first = await openStore(`file:${folder}`);
  const titles = ['Nesbø', 'Łódź', ...Array.from({ length: 2500 }, (_, i) => `Book ${i}`)];
  await Promise.all(titles.map((title) => first.create({ title })));
  const version = await first.version();
  await first.close();
  changeFile(
    folder,
    `UPDATE books SET title_key = 'old'; INSERT INTO words (words) VALUES ('delete-all');
     UPDATE meta SET folding = 'another', folded_to = 1000`,
  );
  const store = await openStore(`file:${folder}`);
  t.after(() => store.close());
  assert.equal(await store.count({ titleWords: 'nesbo' }), 1);
  assert.equal(await store.count({ titleWords: 'book' }), 2500);
  assert.equal((await store.find({ sort: '-title' }, { limit: 1 })).books[0]?.title, 'Nesbø');
  assert.notEqual(await store.version(), version);
  assert.deepEqual(faultsOf(folder), []);
  assert.deepEqual(
    readFileRows(folder, 'SELECT folding, folded_to FROM meta').map((row) => ({ ...row })),
    [{ folding: indexVersion(defaultRules), folded_to: null }],
  );
});

async function prepareOld(t: TestContext) {
  const folder = await temporaryFolder(t);
  await (await openStore(`file:${folder}`)).close();
  changeFile(folder, "UPDATE meta SET folding = 'another', folded_to = 0");
  const db = connect(join(folder, 'shelflist.db'));
  t.after(() => {
    db.close();
  });
  return db;
}

test('findDuplicatesOf is "unavailable" while books are indexed again: an import would add what it misses', async (t) => {
  const db = await prepareOld(t);
  const reader = new Reader(db);
  assert.throws(
    () => reader.answer(() => queries.findDuplicatesOf(reader, [{ title: 'Emma', author: '', year: 0 }])),
    {
      code: 'unavailable',
      message: /are being indexed for this release/,
    },
  );
});

test('the check of a file finds a book whose word for findDuplicatesOf is missing or that of another book', async (t) => {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  for (const title of ['Emma', 'Persuasion', 'Sanditon']) await store.create({ title });
  await store.close();
  const words = (id: number, text: string) =>
    `DELETE FROM words WHERE rowid = ${id}; INSERT INTO words (rowid, title) VALUES (${id}, '${text}');`;
  changeFile(folder, `${words(1, 'emma')} ${words(3, 'sanditon §1')}`);
  const faults = faultsOf(folder).map((text) => text.replace(/, not §\w+$/, ''));
  assert.deepEqual(faults, ['book 1 has no word for findDuplicatesOf', 'book 3 has §1 for findDuplicatesOf']);
});
