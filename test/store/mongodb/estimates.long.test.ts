import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { toFilter } from '../../../src/catalogue/query.ts';
import { statistics as exactly } from '../../../src/store/questions/fallback.ts';
import { readStatistics } from '../../../src/store/mongodb/statistics.ts';
import { readSuggestions } from '../../../src/store/mongodb/suggest.ts';
import {
  assertEstimated,
  assertSuggested,
  broad,
  lowLimits,
  selective,
  storeMany,
} from '../../support/estimates.ts';
import { openReading, useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

/** A store with `manyBooks`, as its questions see it, and these books. */
async function storeManyIn(t: TestContext, hasGaps: boolean) {
  const { url, db } = await database(t);
  const store = await opened(t, url);
  const counters = db.collection<{ _id: string; seq: number }>('counters');
  const raise = async (seq: number) => {
    await counters.updateOne({ _id: 'books' }, { $set: { seq } });
  };
  const books = await storeMany(store, hasGaps ? raise : undefined);
  const { reading } = await openReading(t, url, { maxTimeMS: 60_000 });
  return { books, reading };
}

test(
  'many books are estimated from a sample in MongoDB, with exact authors and suggestions',
  { skip },
  async (t) => {
    const { books, reading } = await storeManyIn(t, false);
    for (const query of broad)
      assertEstimated(await readStatistics(reading, toFilter(query), lowLimits), books, query);
    for (const query of selective)
      assert.deepEqual(await readStatistics(reading, toFilter(query), lowLimits), exactly(books, query));
    for (const text of ['', 'a', '599', 'author 1', 'zz'])
      assertSuggested(await readSuggestions(reading, 'author', text, 10, 1000), books, text);
  },
);

test('statistics and suggestions are as good when some ids are far away, in MongoDB', { skip }, async (t) => {
  const { books, reading } = await storeManyIn(t, true);
  for (const query of broad)
    assertEstimated(await readStatistics(reading, toFilter(query), lowLimits), books, query);
  for (const text of ['', '599'])
    assertSuggested(await readSuggestions(reading, 'author', text, 10, 1000), books, text);
});
