import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, describe, test, type TestContext } from 'node:test';
import { openStore, type StoreOptions } from '../../src/index.ts';
import type { CompleteStore, KeysetPosition } from '../../src/store.ts';
import { endOf } from '../../src/store/contract/page.ts';
import { bookOf } from '../support/books.ts';
import { isMongodbSelected, newDatabaseUrl, startSelectedMongod } from '../support/mongod.ts';
import { temporaryFolder } from '../support/temp.ts';

const mongod = await startSelectedMongod();
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const allStores: [name: string, urlOf: (t: TestContext) => Promise<string>, skip: string | false][] = [
  ['SQLite', async (t) => `file:${await temporaryFolder(t)}`, false],
  ['memory', () => Promise.resolve(`memory:${randomUUID()}`), false],
  ['MongoDB', () => Promise.resolve(newDatabaseUrl(mongod)), 'skip' in mongod && mongod.skip],
];
const stores = allStores.filter(([name]) => (name === 'MongoDB') === isMongodbSelected);

const authors = ['Ursula K. Le Guin', 'Jane Austen', 'Homer', 'van Gogh, Vincent', 'Louis 10', 'Louis 9'];

const titles = [
  ...['The Hobbit', 'Hobbit', 'A Hobbit', 'An Apple', 'The', 'the the', 'Zoo', 'Theory', '', 'Die Hobbit'],
  ...["L'Étranger", 'Letter'],
];
const orders: [articles: string[], sort: 'title' | '-title', ids: number[]][] = [
  [[], 'title', [9, 3, 4, 10, 2, 11, 12, 5, 1, 6, 8, 7]],
  [['The', 'a', 'AN'], 'title', [9, 4, 10, 1, 2, 3, 11, 12, 5, 6, 8, 7]],
  [['the', 'a', 'an'], '-title', [7, 8, 6, 5, 12, 11, 3, 2, 1, 10, 4, 9]],
  [['die', 'the', 'l’'], 'title', [9, 3, 4, 11, 1, 2, 10, 12, 5, 6, 8, 7]],
];

const byTitle = { sort: 'title' } as const;

/** The ids of all pages, and the version of the catalogue. */
async function read(store: CompleteStore, query: Parameters<CompleteStore['find']>[0], limit: number) {
  const ids: number[] = [];
  for (let after: KeysetPosition | undefined, isLast = false; !isLast;) {
    const page = await store.find(query, { limit, after });
    ids.push(...page.books.map(({ id }) => id));
    ({ isLast } = page);
    after = endOf(query, page);
  }
  return ids;
}

/** Opens a store, and waits until its books are sorted: on MongoDB, a start does not wait for that as long as it takes. */
async function openSorted(url: string, wishes: StoreOptions = {}) {
  const store = await openStore(url, wishes);
  const orderOf = async () => endOf(byTitle, await store.find(byTitle, { limit: 1 }))?.order ?? '';
  while (/\.\d+$/.test(await orderOf())); // The place up to which they are sorted.
  return store;
}

async function open(t: TestContext, url: string, wishes: StoreOptions = {}): Promise<CompleteStore> {
  const store = await openSorted(url, wishes);
  t.after(() => store.close());
  return store;
}

for (const [name, urlOf, skip] of stores)
  describe(`articles that a store is opened with: ${name}`, { skip }, () => {
    for (const [articles, sort, ids] of orders)
      test(`are ignored by the order ${sort}, on pages of any length: ${articles.join(' ')}`, async (t) => {
        const store = await open(t, await urlOf(t), { sortArticles: articles });
        for (const title of titles) await store.create(bookOf({ title, author: 'x' }));
        for (const q of ['', 'x'])
          for (const limit of [1, 2, 3, 100])
            assert.deepEqual(await read(store, { sort, q }, limit), ids, `${q}, pages of ${limit}`);
      });

    test('change no filter, no search and no order by author', async (t) => {
      const store = await open(t, await urlOf(t), { sortArticles: ['the'] });
      for (const title of titles) await store.create(bookOf({ title, author: title }));
      const { books } = await store.find({ title: 'hobbit', sort: 'title' }, { limit: 9 });
      assert.deepEqual(
        books.map(({ id }) => id),
        [2],
      );
      assert.equal(await store.count({ q: 'the' }), 4);
      // Titles of several words have a family name.
      assert.deepEqual(await read(store, { sort: 'author' }, 5), [9, 4, 2, 3, 10, 1, 11, 12, 5, 6, 8, 7]);
    });

    test('refuse a position of an order with others, and take each of their own', async (t) => {
      const url = await urlOf(t);
      const first = await open(t, url, { sortArticles: ['the'] });
      for (const title of titles) await first.create({ title });
      const ignoring = { limit: 3, after: endOf(byTitle, await first.find(byTitle, { limit: 3 })) };
      const second = await open(t, url, { sortArticles: [] });
      const plain = { limit: 3, after: endOf(byTitle, await second.find(byTitle, { limit: 3 })) };
      const refusal = { code: 'invalid_query', message: /the sort order has changed/ };
      await assert.rejects(second.find(byTitle, ignoring), refusal);
      await assert.rejects(second.find({ sort: '-title' }, ignoring), refusal);
      assert.deepEqual(
        (await second.find(byTitle, plain)).books.map(({ id }) => id),
        orders[0]?.[2].slice(3, 6),
      );
      // It need not have noticed the change.
      assert.equal((await first.find(byTitle, plain)).books[0]?.id, orders[0]?.[2][3]);
      await assert.rejects(first.find(byTitle, ignoring), refusal);
      const byAuthor = { sort: 'author' } as const;
      await assert.rejects(second.find(byAuthor, { limit: 3, after: { key: '', id: 3 } }), refusal);
      const position = { ...endOf(byAuthor, await second.find(byAuthor, { limit: 1 })), key: '', id: 3 };
      assert.equal((await second.find(byAuthor, { limit: 3, after: position })).books[0]?.id, 4);
    });

    test('and names as they are written are kept by a store that is opened without them', async (t) => {
      const url = await urlOf(t);
      const first = await open(t, url, { sortNames: 'written' });
      for (const author of authors) await first.create(bookOf({ author }));
      const [written, family] = [
        [3, 2, 6, 5, 1, 4],
        [6, 5, 2, 4, 3, 1],
      ];
      for (const [wishes, ids] of [
        [{}, written],
        [{ sortArticles: ['the'] }, written],
        [{ sortNames: 'family' }, family],
        [{}, family],
      ] as const) {
        const store = await openSorted(url, wishes);
        assert.deepEqual(await read(store, { sort: 'author' }, 2), ids, JSON.stringify(wishes));
        assert.deepEqual(await read(store, { sort: '-author' }, 1), ids.toReversed());
        await store.close();
      }
    });

    test('follow each change of a title, its undo and its way back from the trash', async (t) => {
      const store = await open(t, await urlOf(t), { sortArticles: ['the'] });
      const [first, second] = [await store.create({ title: 'The B' }), await store.create({ title: 'C' })];
      await store.update(second.id, { title: 'The A' });
      assert.deepEqual(await read(store, { sort: 'title' }, 9), [2, 1]);
      await store.revert(second.id);
      assert.deepEqual(await read(store, { sort: 'title' }, 9), [1, 2]);
      await store.delete(first.id);
      await store.revert(first.id);
      assert.deepEqual(await read(store, { sort: 'title' }, 9), [1, 2]);
    });
  });

describe('the order of an embedded store', () => {
  test('is changed when the store is opened with other articles, for those who have it open, too', async (t) => {
    const url = `file:${await temporaryFolder(t)}`;
    const first = await open(t, url, { sortArticles: ['the'] });
    for (const title of titles) await first.create({ title });
    const version = await first.version();
    const second = await open(t, url, { sortArticles: ['a', 'an'] });
    const expected = [9, 4, 10, 2, 3, 11, 12, 5, 1, 6, 8, 7];
    assert.deepEqual(await read(second, byTitle, 5), expected);
    assert.deepEqual(await read(first, byTitle, 5), expected);
    assert.notEqual(await first.version(), version);
    const third = await openStore(url); // A tool that does not know the setting.
    assert.deepEqual(await read(third, byTitle, 5), expected);
    await third.close();
    const plain = await open(t, url, { sortArticles: [] });
    assert.deepEqual(await read(plain, byTitle, 5), orders[0]?.[2]);
    const created = await first.create({ title: 'An Aardvark' });
    assert.equal((await read(second, byTitle, 50)).indexOf(created.id), 2);
  });
});
