import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { toFilter } from '../../../src/catalogue/query.ts';
import type { Statistics } from '../../../src/catalogue/statistics.ts';
import { runSync } from '../../../src/lib/gensync.ts';
import { readBatch } from '../../../src/store/contract/log.ts';
import { ChangeLog } from '../../../src/store/sqlite/log.ts';
import type { Connection } from '../../../src/store/sqlite/binding.ts';
import { BookTable } from '../../../src/store/sqlite/change.ts';
import { toBackground } from '../../../src/lib/scheduler.ts';
import { matchExpression, smallestSource, sourcesOf } from '../../../src/store/sqlite/filter.ts';
import { connect, Statements } from '../../../src/store/sqlite/connection.ts';
import { statistics } from '../../../src/store/sqlite/statistics.ts';
import { queries } from '../../../src/store/sqlite/queries.ts';
import { readWords } from '../../../src/store/sqlite/words.ts';
import { checkFunction, Reader, type QueryContext } from '../../../src/store/sqlite/reading.ts';
import { changeFile } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

const batch = 'a-batch-of-books';
const authors = ['b', 'a', 'b', 'ﬀ', ''];

/** The statements of a connection to a store of some books. */
async function prepare(t: TestContext): Promise<Statements> {
  return new Statements(await prepareFile(t));
}

async function prepareFile(t: TestContext): Promise<Connection> {
  const folder = await temporaryFolder(t);
  const store = await openStore(`file:${folder}`);
  await Promise.all(
    ['emma', 'persuasion', 'sanditon', 'lady', 'emma'].map((title, year) =>
      store.create({ title, author: authors[year] ?? '', year }, { batch }),
    ),
  );
  await store.close();
  const db = connect(join(folder, 'shelflist.db'), { isNew: true });
  db.function(checkFunction, () => 1);
  t.after(() => {
    db.close();
  });
  return db;
}

type Query = (reading: QueryContext) => unknown;

const timedQueries: [what: string, query: Query][] = [
  ['what a batch has done', (reading) => runSync(readBatch(new ChangeLog(reading), batch))],
  ['words', (reading) => readWords(reading)],
  ['statistics of all books', (reading) => statistics(reading, toFilter({}))],
  [
    'statistics from a sample',
    (reading) => statistics(reading, toFilter({ q: 'a' }), { all: 1, matches: 1, sample: 2 }),
  ],
];

for (const [what, query] of timedQueries)
  test(`a query for ${what} ends when its time is over, at any check`, async (t) => {
    const statements = await prepare(t);
    let checks = 0;
    query({ statements, checkTime: () => checks++ });
    assert.ok(checks > 0);
    for (let last = 1; last <= checks; last++) {
      let left = last;
      const checkTime = () => {
        if (--left === 0) throw new Error('over');
      };
      assert.throws(() => query({ statements, checkTime }), /^Error: over$/);
    }
  });

test('a question is answered from one state of the file, though another process writes between its parts', async (t) => {
  const db = await prepareFile(t);
  const folder = dirname(db.location() ?? '');
  let isWritten = false;
  const reader = new Reader(db, () => {
    if (!isWritten) changeFile(folder, 'DELETE FROM books WHERE id <= 3');
    isWritten = true;
    return false;
  });
  const ask = () => reader.answer(() => queries.statistics(reader, toFilter({})));
  const counted = ({ count, authors: found }: Statistics) => [count, found.map((each) => each.count)];
  assert.deepEqual(counted(ask()), [5, [2, 1, 1]]);
  assert.equal(isWritten, true);
  assert.deepEqual(counted(ask()), [2, [1]]);
});

test('a query whose caller no longer waits is abandoned', async (t) => {
  const db = await prepareFile(t);
  let isStopped = false;
  const reader = new Reader(db, () => isStopped);
  const questions = [
    () => queries.statistics(reader, toFilter({})),
    () => queries.words(reader, undefined),
    () => queries.batch(reader, batch),
    () => queries.list(reader, { first: 1, last: 9 }),
    () => queries.find(reader, toFilter({}), 9, undefined),
    () => queries.find(reader, toFilter({ q: 'emma' }), 9, undefined),
    () => queries.find(reader, toFilter({ title: 'emma' }), 9, undefined),
    () => queries.suggest(reader, 'title', toFilter({ titleWords: 'em' }), 9),
    () => queries.suggest(reader, 'title', toFilter({}), 9),
  ];
  for (const ask of questions) {
    isStopped = false;
    assert.ok(ask());
    isStopped = true;
    assert.throws(ask, { code: 'unavailable', message: 'the query was abandoned' });
  }
});

test('a search is abandoned before its first row', async (t) => {
  const db = await prepareFile(t);
  const table = new BookTable(new Statements(db));
  db.exec('BEGIN');
  for (let id = 10; id <= 300; id++) table.create({ title: 'tale of two', author: 'b', year: id });
  db.exec('COMMIT');
  let left = Infinity;
  const reader = new Reader(db, () => left-- <= 0);
  const questions = [
    () => queries.find(reader, toFilter({ titleWords: 'tale', sort: 'title' }), 9, undefined),
    () => queries.find(reader, toFilter({ yearFrom: 10, yearTo: 300, sort: 'title' }), 9, undefined),
    () => queries.count(reader, toFilter({ titleWords: 'tale' })),
  ];
  for (const ask of questions) {
    left = Infinity;
    const answer = ask();
    // The first check precedes the search of an index, the second is within the statement that collects the books.
    left = 1;
    assert.throws(ask, { code: 'unavailable', message: 'the query was abandoned' });
    left = Infinity;
    assert.deepEqual(ask(), answer);
  }
});

test('a word that few books have is looked up alone, before short prefixes', async (t) => {
  const db = await prepareFile(t);
  const statements = new Statements(db);
  const asked: unknown[] = [];
  const row = statements.row.bind(statements);
  statements.row = (sql, ...values) => {
    asked.push(values[0]);
    return row(sql, ...values);
  };
  const sources = sourcesOf(toFilter({ q: 'persuasio', titleWords: 'p e s u' }));
  const smallest = smallestSource({ statements, checkTime: () => undefined }, sources, 1000);
  assert.deepEqual(asked, ['"persuasio"*']);
  assert.deepEqual(smallest?.values, ['"persuasio"*']);
  const reader = new Reader(db);
  const find = (words: string) =>
    queries
      .find(reader, toFilter({ q: 'persuasio', titleWords: words, sort: 'title' }), 9, undefined)
      .books.map(({ id }) => id);
  assert.deepEqual(
    [find('p'), find('e'), queries.count(reader, toFilter({ q: 'persuasio', titleWords: 'e' }))],
    [[2], [], 0],
  );
});

test('a search for short prefixes looks up three of them, and checks the others', async (t) => {
  const db = await prepareFile(t);
  new BookTable(new Statements(db)).create({ title: 'a b c d', author: 'e', year: 1 });
  assert.equal(matchExpression(toFilter({ q: 'a b c d e' })), '"a"* AND "b"* AND "c"*');
  const reader = new Reader(db);
  assert.equal(queries.count(reader, toFilter({ q: 'a b c d e' })), 1);
  assert.equal(queries.count(reader, toFilter({ q: 'a b c d f' })), 0);
});

test('searches in the background do not delay others', async (t) => {
  const store = await openStore(`file:${await temporaryFolder(t)}`);
  t.after(() => store.close());
  await store.create({ title: 'Emma' });
  const { signal } = new AbortController();
  const background = toBackground(new AbortController().signal);
  await Promise.all([store.count({ q: 'e' }, { signal }), store.count({ q: 'e' }, { signal: background })]);
  const answered: string[] = [];
  const strangers = Array.from({ length: 500 }, async () => {
    await store.count({ q: 'e' }, { signal: background });
    answered.push('background');
  });
  await store.count({ q: 'e' }, { signal });
  answered.push('other');
  await Promise.all(strangers);
  assert.ok(answered.indexOf('other') < 500, 'the last question was answered last');
});
