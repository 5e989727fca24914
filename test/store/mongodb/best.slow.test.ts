import { test } from 'node:test';
import { findByRank } from '../../../src/store/mongodb/best.ts';
import { openReading, useMongod } from '../../support/mongodb-tests.ts';
import { books, compareBestPages } from '../best-pages.ts';

const { skip, database, opened } = await useMongod();

test(
  'MongoDB lists books by rank as a simple store does, with all matches ranked and with those that are named',
  { skip },
  async (t) => {
    const { url } = await database(t);
    const store = await opened(t, url);
    await store.createMany(books);
    const { reading } = await openReading(t, url, { maxTimeMS: 60_000 });
    await compareBestPages((...asked) => findByRank(reading, ...asked));
  },
);
