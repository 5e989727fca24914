import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import type { Db, Document } from 'mongodb';
import { openStore, type BookStore, type StoreOptions } from '../../../src/index.ts';
import { indexEntry } from '../../../src/store/mongodb/entry.ts';
import { indexed, insertRaw, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

async function database(t: TestContext): Promise<{ url: string; db: Db }> {
  const url = newDatabaseUrl(mongod);
  return { url, db: await openDriver(t, url) };
}

async function opened(t: TestContext, url: string, options?: StoreOptions): Promise<BookStore> {
  const store = await openStore(url, options);
  t.after(() => store.close());
  return store;
}

/** A logger, and the events it received. */
function recorder() {
  const lines: [level: string, fields: object, message: string][] = [];
  const level = (name: string) => (fields: object, message: string) =>
    void lines.push([name, fields, message]);
  return { lines, logger: { info: level('info'), warn: level('warn'), error: level('error') } };
}

describe('documents without an index entry of this version', { skip }, () => {
  test('are in every search after several services have opened the database at once', async (t) => {
    const { url, db } = await database(t);
    const documents = Array.from({ length: 3000 }, (_, i) => ({
      _id: i + 1,
      ...emma,
      year: i,
      isbn: `x${i}`,
    }));
    await insertRaw(db, documents);
    const stores = await Promise.all([1, 2, 3].map(() => opened(t, url)));
    await indexed(db);
    for (const store of stores) {
      assert.equal(await store.count({ q: 'austen' }), 3000);
      assert.equal(await store.count({}), 3000);
      const { books } = await store.find({ q: 'austen', sort: '-year' }, { limit: 3 });
      assert.deepEqual(
        books.map(({ id }) => id),
        [3000, 2999, 2998],
      );
    }
    const last = await db.collection<Document & { _id: number }>('books').findOne({ _id: 3000 });
    assert.equal(last?.isbn, 'x2999');
  });

  test('include those of version 1, whose entries may be outdated', async (t) => {
    const { url, db } = await database(t);
    const stale = indexEntry({ ...emma, title: 'Persuasion' });
    await insertRaw(db, [
      { _id: 1, ...emma, index: stale },
      { _id: 2, ...emma, index: indexEntry(emma), indexed: true },
    ]);
    const store = await opened(t, url);
    await indexed(db);
    assert.equal(await store.count({ q: 'emma' }), 2);
    assert.equal(await store.count({ title: 'persuasion' }), 0);
    assert.equal(await db.collection('books').countDocuments({ indexed: { $exists: true } }), 0);
  });

  test('are in lists and found by id until then, and in searches when another service starts', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await insertRaw(db, [{ _id: 7, ...emma }]);
    assert.deepEqual(await store.get(7), { id: 7, ...emma });
    assert.deepEqual((await store.find({}, { limit: 5 })).books.length, 1);
    assert.equal(await store.count({ q: 'emma' }), 0);
    await opened(t, url);
    await indexed(db);
    assert.equal(await store.count({ q: 'emma' }), 1);
  });

  test('get their entries during writes to them: no write is lost', async (t) => {
    const { url, db } = await database(t);
    const count = 4000;
    await insertRaw(
      db,
      Array.from({ length: count }, (_, i) => ({ _id: i + 1, ...emma })),
    );
    const store = await opened(t, url);
    const ids = Array.from({ length: 200 }, (_, i) => 1 + i * 20);
    await Promise.all(ids.map((id) => store.update(id, { title: 'Persuasion' })));
    await store.delete(2);
    await indexed(db);
    assert.equal(await store.count({ q: 'persuasion' }), 200);
    assert.equal(await store.count({ q: 'emma' }), count - 201);
  });

  test('are reported at the end; nothing is reported when there are none', async (t) => {
    const { url, db } = await database(t);
    const first = recorder();
    await (await openStore(url, first)).close();
    assert.deepEqual(first.lines, []);
    await insertRaw(db, [
      { _id: 1, ...emma },
      { _id: 2, ...emma },
    ]);
    const second = recorder();
    await opened(t, url, second);
    assert.deepEqual(second.lines, [['info', { indexed: 2 }, 'all books are indexed']]);
  });

  test('that are not books are left out everywhere; one warning names the first; `get` fails', async (t) => {
    const { url, db } = await database(t);
    await insertRaw(db, [
      { _id: 1, title: 'no year', author: 'x' },
      { _id: 2, title: 'x', author: 'x', year: NaN },
      { _id: 3, title: null, author: 'x', year: 1 },
      { _id: 4, title: 'x', author: ['x'], year: 1 },
      { _id: 5, title: 'x', author: 'x', year: 1.5 },
      { _id: 6, ...emma },
    ]);
    const { lines, logger } = recorder();
    const store = await opened(t, url, { logger });
    await store.create(emma);
    assert.deepEqual(
      lines.filter(([level]) => level === 'warn').map(([, fields]) => fields),
      [{ id: 1 }],
    );
    const listed: number[] = [];
    for await (const page of store.list()) listed.push(...page.map(({ id }) => id));
    assert.deepEqual(listed, [6, 7]);
    for (const query of [{}, { q: 'emma' }, { sort: 'title' }, { sort: '-year' }, { yearFrom: 0 }] as const) {
      const { books } = await store.find(query, { limit: 10 });
      assert.deepEqual(books.map(({ id }) => id).sort(), [6, 7]);
      assert.equal(await store.count(query), 2);
    }
    for (const id of [1, 2, 3, 4, 5]) await assert.rejects(store.get(id), { code: 'store_damaged' });
  });
});
