import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Db } from 'mongodb';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database } = await useMongod();

const collections = ['books', 'counters', 'batches', 'repeat_keys'];

async function opened(t: TestContext): Promise<{ url: string; db: Db; store: CompleteStore }> {
  const { url, db } = await database(t);
  const store = await openStore(url);
  t.after(() => store.close());
  await store.createMany([emma, emma], { batch: 'batch-001', idempotencyKey: { key: 'k', digest: 'd' } });
  return { url, db, store };
}

const calls: Record<string, (store: CompleteStore) => Promise<unknown>> = {
  get: (store) => store.get(1),
  find: (store) => store.find({}, { limit: 9 }),
  search: (store) => store.find({ q: 'emma' }, { limit: 9 }),
  count: (store) => store.count({}),
  iterate: async (store) => {
    for await (const page of store.iterate()) return page;
    return undefined;
  },
  statistics: (store) => store.statistics({}),
  version: (store) => store.version(),
  events: (store) => store.events(),
  history: (store) => store.history(1),
  batches: (store) => store.batches({ limit: 9 }),
  create: (store) => store.create(emma, { batch: 'batch-002' }),
  createMany: (store) => store.createMany([emma]),
  'createMany with a key': (store) =>
    store.createMany([emma], { idempotencyKey: { key: 'k2', digest: 'd' } }),
  update: (store) => store.update(1, { year: 1 }),
  delete: (store) => store.delete(1),
  undo: (store) => store.undo('batch-001', { as: 'undo-001', limit: 9 }),
};

async function assertRefused(store: CompleteStore, name: string): Promise<void> {
  for (const [what, call] of Object.entries(calls))
    await assert.rejects(call(store), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'unavailable', `${what}: ${error.message}`);
      assert.match(
        error.message,
        new RegExp(`"${name}" of mongodb://.* was renamed, dropped or replaced`),
        what,
      );
      assert.match(error.message, /; rename it back, or stop the services, restore a backup/, what);
      return true;
    });
}

const namesIn = async (db: Db) =>
  (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);

describe('a store that loses a collection while it is open', { skip }, () => {
  for (const name of collections) {
    test(`${name} is renamed: every call is refused, none creates it, and calls succeed once it is back`, async (t) => {
      const { url, db, store } = await opened(t);
      const version = await store.version();
      await db.renameCollection(name, 'away');
      await assertRefused(store, name);
      assert.deepEqual(
        (await namesIn(db)).sort(),
        [...collections.filter((each) => each !== name), 'away'].sort(),
      );
      if (name === 'books')
        await assert.rejects(openStore(url), /"books" is missing, .* ids up to 2 were given; rename it back/);
      await db.renameCollection('away', name);
      assert.deepEqual(
        (await store.find({}, { limit: 9 })).books,
        [1, 2].map((id) => ({ id, ...emma })),
      );
      assert.equal((await store.create(emma)).id, 3);
      assert.notEqual(await store.version(), version);
      assert.deepEqual(
        (await store.createMany([emma, emma], { idempotencyKey: { key: 'k', digest: 'd' } })).ids,
        [1, 2],
      );
    });
  }

  test('its database is dropped: calls are refused until a restart, which begins a new catalogue', async (t) => {
    const { url, db, store } = await opened(t);
    await db.dropDatabase();
    await assertRefused(store, 'books');
    assert.deepEqual(await namesIn(db), []);
    const next = await openStore(url);
    t.after(() => next.close());
    await assertRefused(store, 'books');
    assert.equal((await next.create(emma)).id, 1);
  });

  test('it is replaced by a restored one: calls are refused until a restart, which raises the counter', async (t) => {
    const { url, db, store } = await opened(t);
    await db.collection('books').drop();
    await db.collection<{ _id: number }>('books').insertOne({ _id: 7, ...emma });
    await assertRefused(store, 'books');
    const next = await openStore(url);
    t.after(() => next.close());
    assert.deepEqual(await next.get(7), { id: 7, ...emma });
    assert.equal((await next.create(emma)).id, 8);
  });

  test('it is renamed while books are written: no acknowledged book is lost', async (t) => {
    const { db, store } = await opened(t);
    const acknowledged: number[] = [];
    let isRenamed = false;
    const write = async () => {
      for (;;) {
        const created = await store
          .createMany(Array.from({ length: 20 }, () => emma))
          .catch((error: unknown) => {
            if (!isRenamed) throw error;
            return undefined;
          });
        if (created === undefined) return;
        acknowledged.push(...created.ids);
        if (acknowledged.length >= 200 && !isRenamed) {
          isRenamed = true;
          await db.renameCollection('books', 'away');
        }
      }
    };
    await Promise.all([write(), write(), write()]);
    const away = db.collection<{ _id: number }>('away', { readConcern: { level: 'majority' } });
    const kept = new Set((await away.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
    assert.deepEqual(
      acknowledged.filter((id) => !kept.has(id)),
      [],
    );
  });
});

test('a missing collection of books is accepted if no id was ever given', { skip }, async (t) => {
  const { url, db } = await database(t);
  await (await openStore(url)).close();
  await db.collection('books').drop();
  const store = await openStore(url);
  t.after(() => store.close());
  assert.equal((await store.create(emma)).id, 1);
});
