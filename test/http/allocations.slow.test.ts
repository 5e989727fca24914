import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openStore } from '../../src/index.ts';
import { checkBudget } from '../support/budgets.ts';
import { startMeasured } from '../support/heap.ts';
import { manyTitles } from '../support/many-titles.ts';
import { temporaryFolder } from '../support/temp.ts';

/**
 * Without collections, the heap grows by what is allocated. Optimised code allocates less, but when it is compiled depends on the
 * machine: interpreted code allocates the same everywhere.
 */
const countable = [
  '--min-semi-space-size=512',
  '--max-semi-space-size=512',
  '--no-opt',
  '--no-maglev',
  '--no-sparkplug',
];
const requests = 1000;

test('a request allocates few bytes', async (t) => {
  const databaseUrl = `file:${join(await temporaryFolder(t), 'data')}`;
  const store = await openStore(databaseUrl);
  await store.createMany(manyTitles(1000));
  await store.close();
  const { ask, heapBytes } = await startMeasured(t, databaseUrl, countable);
  const table: [name: string, pathOf: (i: number) => string][] = [
    ['GET /book/{id}', (i) => `/book/${1 + (i % 1000)}`],
    // All books are of later years: each answer is another one, so that none is kept.
    ['a page of GET /books', (i) => `/books?limit=20&yearFrom=${i - 10_000}`],
  ];
  for (const [name, pathOf] of table) {
    const askAll = async (from: number) => {
      for (let i = from; i < from + requests; i++) assert.equal(await ask(pathOf(i)), 200);
    };
    await askAll(0); // Fills caches, and what functions learn from their first calls.
    await heapBytes('collect');
    const before = await heapBytes('look');
    await askAll(requests);
    const grown = (await heapBytes('look')) - before;
    t.diagnostic(`${name}: ${grown / requests} bytes`);
    checkBudget(`bytes allocated by ${name}`, Math.round(grown / requests));
  }
});
