import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../../src/index.ts';
import { findByName } from '../../../src/server/routes/authors-by-name.ts';
import { bookOf } from '../../support/books.ts';

const { signal } = new AbortController();

test('a rare word is looked for among books, once it was in none of 20,000 authors', async () => {
  const store = await openStore('memory:');
  for (const author of ['Zed Rare', 'Zed rare', 'Zoe Rarely', 'Zoe Common', 'Zorro Rare'])
    await store.create(bookOf({ author }));
  let calls = 0;
  const nextAuthors: typeof store.nextAuthors = ({ limit, after = 'a' }) => {
    calls++;
    const names = Array.from({ length: limit }, (_, i) => `${after}${String(i).padStart(5, '0')}`);
    return Promise.resolve(names.map((key) => ({ key: key.slice(-20), author: key.slice(-20) })));
  };
  const query = { starts: ['rare'], isDescending: false };
  const first = await findByName({ ...store, nextAuthors }, { ...query, limit: 2, after: undefined }, signal);
  assert.deepEqual(first, {
    authors: [
      { author: 'Zed Rare', count: 2 },
      { author: 'Zoe Rarely', count: 1 },
    ],
    next: 'zoe rarely',
  });
  assert.equal(calls, 10);
  const rest = await findByName(store, { ...query, limit: 2, after: first.next }, signal);
  assert.deepEqual(rest, { authors: [{ author: 'Zorro Rare', count: 1 }], next: undefined });
  await store.close();
});

test('an author whose books are deleted meanwhile is left out, and the next page follows', async () => {
  const store = await openStore('memory:');
  for (const author of ['Anna', 'Berta', 'Cleo']) await store.create(bookOf({ author }));
  const nextAuthors: typeof store.nextAuthors = async (options) => {
    const names = await store.nextAuthors(options);
    await store.delete(1);
    return names;
  };
  const page = { starts: [], isDescending: false, limit: 2, after: undefined };
  assert.deepEqual(await findByName({ ...store, nextAuthors }, page, signal), {
    authors: [{ author: 'Berta', count: 1 }],
    next: 'berta',
  });
  await store.close();
});
