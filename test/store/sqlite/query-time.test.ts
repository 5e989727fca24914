import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { toFilter } from '../../../src/catalogue/query.ts';
import type { Statistics } from '../../../src/catalogue/statistics.ts';
import { readBatch } from '../../../src/store/sqlite/changes/earlier-states.ts';
import type { Connection } from '../../../src/store/sqlite/binding.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { statistics } from '../../../src/store/sqlite/queries/statistics.ts';
import { countWords } from '../../../src/store/sqlite/queries/vocabulary.ts';
import { Searcher } from '../../../src/store/sqlite/searcher.ts';
import { Statements } from '../../../src/store/sqlite/statements.ts';
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
  t.after(() => {
    db.close();
  });
  return db;
}

type Query = (statements: Statements, checkTime: () => void) => unknown;

const queries: [what: string, query: Query][] = [
  ['what a batch has done', (statements, checkTime) => readBatch(statements, batch, checkTime)],
  ['words', (statements, checkTime) => countWords(statements, ['emma', 'persuasion'], 'title', checkTime)],
  ['statistics of all books', (statements, checkTime) => statistics(statements, toFilter({}), checkTime)],
];

for (const [what, query] of queries)
  test(`a query for ${what} ends when its time is over, at any check`, async (t) => {
    const statements = await prepare(t);
    let checks = 0;
    query(statements, () => checks++);
    assert.ok(checks > 0);
    for (let last = 1; last <= checks; last++) {
      let left = last;
      const checkTime = () => {
        if (--left === 0) throw new Error('over');
      };
      assert.throws(() => query(statements, checkTime), /^Error: over$/);
    }
  });

test('what a batch has done is counted in parts of any size', async (t) => {
  const statements = await prepare(t);
  const checkTime = () => undefined;
  const whole = readBatch(statements, batch, checkTime);
  assert.equal(whole?.created, 5);
  for (const books of [1, 2, 3, 4]) assert.deepEqual(readBatch(statements, batch, checkTime, books), whole);
});

test('the authors of all books are counted in parts of any size', async (t) => {
  const statements = await prepare(t);
  for (const books of [1, 2, 3, 4, 5, 6]) {
    const { authors: found, count } = statistics(statements, toFilter({}), () => undefined, books);
    assert.equal(count, 5);
    assert.deepEqual(found, [
      { author: 'b', count: 2 },
      { author: 'a', count: 1 },
      { author: 'ﬀ', count: 1 },
    ]);
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
    () => searcher.countWords(['emma'], 'title'),
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
