import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { toFilter } from '../../../src/catalogue/query.ts';
import type { Statistics } from '../../../src/catalogue/statistics.ts';
import { readBatch } from '../../../src/store/sqlite/undo.ts';
import type { Connection } from '../../../src/store/sqlite/binding.ts';
import { BookTable } from '../../../src/store/sqlite/change.ts';
import { toBackground } from '../../../src/lib/time-slices.ts';
import { matchExpression, smallestSource, sourcesOf } from '../../../src/store/sqlite/filter.ts';
import { connect, Statements } from '../../../src/store/sqlite/connection.ts';
import { statistics } from '../../../src/store/sqlite/statistics.ts';
import { Searcher } from '../../../src/store/sqlite/searcher.ts';
import { readWords } from '../../../src/store/sqlite/words.ts';
import { checkFunction, type Reading } from '../../../src/store/sqlite/reading.ts';
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

type Query = (reading: Reading) => unknown;

const queries: [what: string, query: Query][] = [
  ['what a batch has done', (reading) => readBatch(reading, batch)],
  ['words', (reading) => readWords(reading)],
  ['statistics of all books', (reading) => statistics(reading, toFilter({}))],
  [
    'statistics from a sample',
    (reading) => statistics(reading, toFilter({ q: 'a' }), { all: 1, matches: 1, sample: 2 }),
  ],
];

for (const [what, query] of queries)
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
  const searcher = new Searcher(db, () => {
    if (!isWritten) changeFile(folder, 'DELETE FROM books WHERE id <= 3');
    isWritten = true;
    return false;
  });
  const ask = () => searcher.answer((each) => each.statistics(toFilter({})));
  const counted = ({ count, authors: found }: Statistics) => [count, found.map((each) => each.count)];
  assert.deepEqual(counted(ask()), [5, [2, 1, 1]]);
  assert.equal(isWritten, true);
  assert.deepEqual(counted(ask()), [2, [1]]);
});

test('a query whose caller no longer waits is abandoned', async (t) => {
  const db = await prepareFile(t);
  let isStopped = false;
  const searcher = new Searcher(db, () => isStopped);
  const questions = [
    () => searcher.statistics(toFilter({})),
    () => searcher.words(undefined),
    () => searcher.batch(batch),
    () => searcher.list({ first: 1, last: 9 }),
    () => searcher.find(toFilter({}), 9, undefined),
    () => searcher.find(toFilter({ q: 'emma' }), 9, undefined),
    () => searcher.find(toFilter({ title: 'emma' }), 9, undefined),
    () => searcher.suggest('title', toFilter({ titleWords: 'em' }), 9),
    () => searcher.suggest('title', toFilter({}), 9),
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
  const searcher = new Searcher(db, () => left-- <= 0);
  const questions = [
    () => searcher.find(toFilter({ titleWords: 'tale', sort: 'title' }), 9, undefined),
    () => searcher.find(toFilter({ yearFrom: 10, yearTo: 300, sort: 'title' }), 9, undefined),
    () => searcher.count(toFilter({ titleWords: 'tale' })),
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
  const searcher = new Searcher(db);
  const find = (words: string) =>
    searcher
      .find(toFilter({ q: 'persuasio', titleWords: words, sort: 'title' }), 9, undefined)
      .books.map(({ id }) => id);
  assert.deepEqual(
    [find('p'), find('e'), searcher.count(toFilter({ q: 'persuasio', titleWords: 'e' }))],
    [[2], [], 0],
  );
});

test('a search for short prefixes looks up three of them, and checks the others', async (t) => {
  const db = await prepareFile(t);
  new BookTable(new Statements(db)).create({ title: 'a b c d', author: 'e', year: 1 });
  assert.equal(matchExpression(toFilter({ q: 'a b c d e' })), '"a"* AND "b"* AND "c"*');
  const searcher = new Searcher(db);
  assert.equal(searcher.count(toFilter({ q: 'a b c d e' })), 1);
  assert.equal(searcher.count(toFilter({ q: 'a b c d f' })), 0);
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
