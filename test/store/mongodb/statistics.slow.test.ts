import assert from 'node:assert/strict';
import { test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { toFilter } from '../../../src/catalogue/query.ts';
import { readStatistics } from '../../../src/store/mongodb/statistics.ts';
import { openStore } from '../../../src/index.ts';
import { openReading, useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

test('statistics of words read only the books with too many words for the index', { skip }, async (t) => {
  const { url } = await database(t);
  const store = await opened(t, url);
  const memory = await openStore('memory:');
  const long = Array.from({ length: 3000 }, (_, i) => `w${i}`).join(' ');
  const books = [
    ...Array.from({ length: 200 }, (_, i) => ({ ...emma, author: `Author ${i % 30}`, year: i % 3 })),
    { title: `emma ${long}`, author: 'Author 29', year: 0 },
    { title: `emma ${long}`, author: 'Only Long', year: 1 },
    { title: long, author: 'Another', year: 2 },
  ];
  for (const each of [store, memory]) await Promise.all(books.map((book) => each.create(book)));
  const { client, reading } = await openReading(t, url);
  let most = 0;
  client.on('commandSucceeded', ({ commandName, reply }) => {
    const { cursor } = reply as { cursor?: { firstBatch: unknown[] } };
    if (commandName === 'find') most = Math.max(most, cursor?.firstBatch.length ?? 0);
  });
  for (const query of [
    { q: 'emma' },
    { q: 'emma', yearFrom: 1 },
    { q: 'w2999' },
    { q: 'emm w7' },
    { q: 'none' },
  ])
    assert.deepEqual(await readStatistics(reading, toFilter(query)), await memory.statistics(query));
  assert.ok(most <= 100, `${most} books read at once`);
});
