import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MongoClient } from 'mongodb';
import { toFilter } from '../../../src/catalogue/query.ts';
import type { Book } from '../../../src/index.ts';
import { statistics as exactly } from '../../../src/store/memory/statistics.ts';
import { openDatabase } from '../../../src/store/mongodb/schema.ts';
import { readStatistics } from '../../../src/store/mongodb/statistics.ts';
import { readSuggestions } from '../../../src/store/mongodb/suggest.ts';
import { assertEstimated, assertSuggested, lowLimits, manyBooks } from '../../support/estimates.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

test(
  'many books are estimated from a sample in MongoDB, with exact authors and suggestions',
  { skip },
  async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    const books: Book[] = [];
    for (let i = 0; i < manyBooks.length; i += 1000) {
      const some = manyBooks.slice(i, i + 1000);
      const { ids } = await store.createMany(some);
      for (const [n, each] of some.entries()) books.push({ id: ids[n] ?? 0, ...each });
    }
    const client = await new MongoClient(url).connect();
    t.after(() => client.close());
    const reading = {
      database: openDatabase(client, client.db().databaseName),
      maxTimeMS: 60_000,
      signal: AbortSignal.timeout(60_000),
      onDamaged: () => undefined,
    };
    for (const query of [
      {},
      { q: 'the' },
      { titleWords: 'mothers' },
      { q: 'etude', yearFrom: 1950 },
      { yearFrom: 1930 },
    ])
      assertEstimated(await readStatistics(reading, toFilter(query), lowLimits), books, query);
    for (const query of [
      { author: 'Author 5' },
      { q: '77' },
      { q: 'the', year: 1995 },
      { q: 'none' },
      { q: 'the 77' },
    ])
      assert.deepEqual(await readStatistics(reading, toFilter(query), lowLimits), exactly(books, query));
    for (const text of ['', 'a', '599', 'author 1', 'zz'])
      assertSuggested(await readSuggestions(reading, 'author', text, 10, 1000), books, text);
  },
);
