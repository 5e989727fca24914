import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { join } from 'node:path';
import { toFilter } from '../../../src/catalogue/query.ts';
import { openStore, type BookQuery } from '../../../src/index.ts';
import { statistics as exactly } from '../../../src/store/questions/fallback.ts';
import { connect } from '../../../src/store/sqlite/connection.ts';
import { Reader } from '../../../src/store/sqlite/reading.ts';
import { statistics } from '../../../src/store/sqlite/statistics.ts';
import { suggest } from '../../../src/store/sqlite/suggest.ts';
import {
  assertEstimated,
  assertSuggested,
  broad,
  lowLimits,
  selective,
  storeMany,
} from '../../support/estimates.ts';
import { changeFile } from '../../support/sqlite-file.ts';
import { temporaryFolder } from '../../support/temp.ts';

/** A reader of a store with `manyBooks`, and these books. */
async function storeManyIn(hasGaps: boolean) {
  const folder = await temporaryFolder({ after });
  const store = await openStore(`file:${folder}`);
  const raise = (id: number) => {
    changeFile(folder, `UPDATE sqlite_sequence SET seq = ${id} WHERE name = 'books'`);
    return Promise.resolve();
  };
  const books = await storeMany(store, hasGaps ? raise : undefined);
  await store.close();
  const db = connect(join(folder, 'shelflist.db'));
  after(() => {
    db.close();
  });
  return { books, reader: new Reader(db, () => false) };
}

const { books, reader } = await storeManyIn(false);
const ask = (query: BookQuery, limits = lowLimits) =>
  reader.answer(() => statistics(reader, toFilter(query), limits));

describe('statistics of more books than are counted one by one, in the embedded store', () => {
  for (const query of [
    ...broad,
    { q: 'day' },
    { titleWords: 'autre' },
    { yearFrom: 1930, yearTo: 2005 },
    { authorWords: 'author' },
  ])
    test(`are estimated, with exact authors: ${JSON.stringify(query)}`, () => {
      assertEstimated(ask(query), books, query);
    });

  for (const query of selective)
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

test('statistics and suggestions are as good when some ids are far away, in the embedded store', async () => {
  const far = await storeManyIn(true);
  const answer = <T>(question: () => T) => far.reader.answer(question);
  for (const query of broad)
    assertEstimated(
      answer(() => statistics(far.reader, toFilter(query), lowLimits)),
      far.books,
      query,
    );
  for (const text of ['', '599'])
    assertSuggested(
      answer(() => suggest(far.reader, 'author', toFilter({ authorWords: text }), 10, 1000)),
      far.books,
      text,
    );
});
