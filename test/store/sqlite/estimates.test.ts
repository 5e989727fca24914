import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { toFilter } from '../../../src/catalogue/query.ts';
import { openStore, type Book, type BookQuery } from '../../../src/index.ts';
import { statistics as exactly } from '../../../src/store/memory/statistics.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { statistics } from '../../../src/store/sqlite/statistics.ts';
import { suggest } from '../../../src/store/sqlite/suggest.ts';
import { assertEstimated, assertSuggested, lowLimits, manyBooks } from '../../support/estimates.ts';
import { temporaryFolder } from '../../support/temp.ts';

const folder = await temporaryFolder({ after });
const store = await openStore(`file:${folder}`);
const books: Book[] = [];
for (let i = 0; i < manyBooks.length; i += 1000) {
  const some = manyBooks.slice(i, i + 1000);
  const { ids } = await store.createMany(some);
  for (const [n, each] of some.entries()) books.push({ id: ids[n] ?? 0, ...each });
}
await store.close();
const db = connect(join(folder, 'shelflist.db'));
after(() => {
  db.close();
});
const reader = new Reader(db, () => false);
const ask = (query: BookQuery, limits = lowLimits) =>
  reader.answer(() => statistics(reader, toFilter(query), limits));

describe('statistics of more books than are counted one by one, in the embedded store', () => {
  for (const query of [
    {},
    { q: 'the' },
    { q: 'day' },
    { titleWords: 'mothers' },
    { titleWords: 'autre' },
    { q: 'etude', yearFrom: 1950 },
    { yearFrom: 1930, yearTo: 2005 },
    { authorWords: 'author' },
  ])
    test(`are estimated, with exact authors: ${JSON.stringify(query)}`, () => {
      assertEstimated(ask(query), books, query);
    });

  for (const query of [
    { author: 'Author 5' },
    { q: '77' },
    { q: 'the', year: 1995 },
    { q: 'none' },
    { q: 'the 77' },
  ])
    test(`are exact if an index leads to few of them: ${JSON.stringify(query)}`, () => {
      assert.deepEqual(ask(query), exactly(books, query));
    });

  test('are the same when the question is repeated', () => {
    assert.deepEqual(ask({ q: 'the' }), ask({ q: 'the' }));
  });

  test('are exact if the sample is the whole catalogue, but say that they are estimated', () => {
    const all = { ...lowLimits, sample: 10_000 };
    for (const query of [{}, { q: 'the' }, { q: 'brother' }])
      assert.deepEqual({ ...ask(query, all), estimated: false }, exactly(books, query));
  });
});

test('suggestions from a sample have exact counts, in the embedded store', () => {
  for (const text of ['', 'a', 'author', '599', 'author 1', 'author 30', 'zz'])
    assertSuggested(
      reader.answer(() => suggest(reader, 'author', toFilter({ authorWords: text }), 10, 1000)),
      books,
      text,
    );
});
