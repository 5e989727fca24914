import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import type { Document } from 'mongodb';
import {
  openStore,
  type BookQuery,
  type BookStore,
  type PageRequest,
  type Position,
} from '../../../src/index.ts';
import { indexed, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

async function database(t: TestContext) {
  const url = newDatabaseUrl(mongod);
  return { url, db: await openDriver(t, url) };
}

async function opened(t: TestContext, url: string): Promise<BookStore> {
  const store = await openStore(url);
  t.after(() => store.close());
  return store;
}

async function idsOf(
  store: BookStore,
  query: BookQuery,
  part: PageRequest = { limit: 1000 },
): Promise<number[]> {
  return (await store.find(query, part)).books.map(({ id }) => id);
}

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

describe('a catalogue of 20,000 books', { skip }, () => {
  test('is answered from the indexes: a question examines little more than its answer', async (t) => {
    const { url, db } = await database(t);
    const titles = (i: number) =>
      `Volume ${i % 2 ? 'odd' : 'even'} n${i} ${i % 1000 === 7 ? 'rare' : 'usual'}`;
    const documents = Array.from({ length: 20_000 }, (_, i) => ({
      _id: i + 1,
      title: titles(i),
      author: `Author a${i % 2000}`,
      year: i % 500,
    }));
    await db.collection<{ _id: number }>('books').insertMany(documents);
    const store = await opened(t, url);
    await indexed(db);
    await db.command({ profile: 2 });
    const table: [query: BookQuery, part: PageRequest, most: number][] = [
      [{}, { limit: 50 }, 60],
      [{}, { limit: 50, after: { key: 10_000, id: 10_000 } }, 60],
      [{ sort: '-id' }, { limit: 50, after: { key: 10_000, id: 10_000 } }, 60],
      [{ sort: 'title' }, { limit: 50 }, 60],
      [{ sort: '-title' }, { limit: 50 }, 60],
      [{ sort: 'title' }, { limit: 50, after: { key: 'volume odd', id: 1 } }, 60],
      [{ sort: '-title' }, { limit: 50, after: { key: 'volume odd', id: 1 } }, 60],
      [{ sort: 'author' }, { limit: 50 }, 120],
      [{ sort: '-year' }, { limit: 50, after: { key: 250, id: 10_000 } }, 120],
      [{ q: 'rare' }, { limit: 50 }, 50],
      [{ q: 'rare', sort: '-title' }, { limit: 5 }, 100],
      [{ q: 'volume usual rare' }, { limit: 50 }, 400],
      [{ q: 'n1234' }, { limit: 50 }, 40],
      [{ q: 'volume' }, { limit: 50 }, 400],
      [{ author: 'author a7' }, { limit: 50 }, 40],
      [{ author: 'author a7', sort: 'title' }, { limit: 50 }, 40],
      [{ title: 'volume odd n7 rare' }, { limit: 50 }, 10],
      [{ year: 77 }, { limit: 50 }, 100],
      [{ q: 'nothing' }, { limit: 50 }, 10],
    ];
    for (const [query, part, most] of table) {
      const since = new Date();
      const { books } = await store.find(query, part);
      const entries = await db
        .collection('system.profile')
        .find({ ns: `${db.databaseName}.books`, ts: { $gte: since } })
        .toArray();
      const examined = entries.reduce(
        (sum, each) => sum + Math.max(Number(each.keysExamined ?? 0), Number(each.docsExamined ?? 0)),
        0,
      );
      const what = JSON.stringify({ query, part, examined, found: books.length });
      assert.ok(entries.length > 0 && examined <= most, what);
    }
    await db.command({ profile: 0 });
  });
});

describe('books that have no index entry, or an old one', { skip }, () => {
  test('are found with the next write when another program puts them there, and get one', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    const books = db.collection<Document & { _id: number }>('books');
    await books.insertMany([
      { _id: 7, ...emma },
      { _id: 8, ...emma, year: 1816, isbn: 'x' },
    ]);
    await store.create({ ...emma, title: 'x' });
    assert.deepEqual(await idsOf(store, { q: 'emma', sort: '-year' }), [8, 7]);
    await indexed(db);
    assert.deepEqual(await idsOf(store, { q: 'emma', sort: '-year' }), [8, 7]);
    assert.equal(await store.count({ q: 'emma' }), 2);
    assert.deepEqual((await books.findOne({ _id: 8 }))?.isbn, 'x');
  });

  test('of a whole database that an earlier version wrote are found as soon as it is opened', async (t) => {
    const { url, db } = await database(t);
    const documents = Array.from({ length: 3000 }, (_, i) => ({ _id: i + 1, ...emma, year: i }));
    await db.collection<Document & { _id: number }>('books').insertMany(documents);
    const stores = await Promise.all([1, 2, 3].map(() => opened(t, url)));
    for (const store of stores) {
      assert.deepEqual(await idsOf(store, { q: 'austen', sort: '-year' }, { limit: 3 }), [3000, 2999, 2998]);
      assert.equal(await store.count({ q: 'austen' }), 3000);
    }
    await indexed(db);
    assert.equal(await stores[0]?.count({ q: 'austen', yearTo: 9 }), 10);
  });

  test('are indexed without a new version', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await store.create(emma);
    const version = await store.version();
    await indexed(db);
    assert.equal(await store.version(), version);
  });

  test('a record that is no book is an error and stops no other from being indexed', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    const books = db.collection<Document & { _id: number }>('books');
    await books.insertOne({ _id: 1, title: 'no author' });
    await store.create(emma);
    await assert.rejects(store.find({ q: 'emma' }, { limit: 1 }), { code: 'store_damaged' });
    await assert.rejects(store.count({ q: 'emma' }), { code: 'store_damaged' });
    await books.deleteOne({ _id: 1 });
    await indexed(db);
    assert.deepEqual(await idsOf(store, { q: 'emma' }), [2]);
  });

  for (const sort of ['title', '-title', 'id'] as const) {
    test(`are never missing and never there twice while they are changed and indexed: by ${sort}`, async (t) => {
      const { url, db } = await database(t);
      const [store, writer] = [await opened(t, url), await opened(t, url)];
      const count = 300;
      const fields = (i: number) => ({ ...emma, title: `t${String(i % 60).padStart(3, '0')}` });
      await Promise.all(Array.from({ length: count }, (_, i) => store.create(fields(i))));
      const end = new AbortController();
      const changes = (async () => {
        for (let i = 0; !end.signal.aborted; i++) {
          // Now a burst, now a pause in which books are indexed.
          await Promise.all(
            Array.from({ length: 20 }, (_, j) => writer.update(1 + ((i * 20 + j) % count), { year: i })),
          );
          if (i % 5 === 4) await indexed(db);
        }
      })();
      try {
        for (let round = 0; round < 15; round++) {
          const found: number[] = [];
          let after: Position | undefined;
          for (let isLast = false; !isLast;) {
            const page = await store.find({ q: 'jane', sort }, { limit: 40, after });
            found.push(...page.books.map(({ id }) => id));
            isLast = page.isLast;
            const last = page.books.at(-1);
            if (last !== undefined) after = { key: sort === 'id' ? last.id : last.title, id: last.id };
          }
          assert.equal(found.length, count);
          assert.equal(new Set(found).size, count);
          assert.equal(await store.count({ q: 'jane' }), count);
        }
      } finally {
        end.abort();
        await changes;
      }
    });
  }

  for (const sort of ['title', '-title', 'author', 'year'] as const) {
    test(`are in every answer while they move in its order: by ${sort}`, async (t) => {
      const { url } = await database(t);
      const [store, writer] = [await opened(t, url), await opened(t, url)];
      await Promise.all(Array.from({ length: 100 }, () => store.create(emma)));
      const end = new AbortController();
      const changes = (async () => {
        for (let i = 0; !end.signal.aborted; i++) {
          const place = i % 200 < 100 ? 'b' : 'a';
          await writer.update(1 + (i % 100), { title: place, author: `Jane ${place}`, year: (i * 7) % 200 });
        }
      })();
      try {
        for (let round = 0; round < 60; round++) {
          const found = await idsOf(store, { q: 'jane', sort });
          assert.equal(found.length, 100);
          assert.equal(new Set(found).size, 100);
        }
      } finally {
        end.abort();
        await changes;
      }
    });
  }

  test('are indexed anew when somebody takes away the marks, with the next write', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    const books = db.collection<Document & { _id: number }>('books');
    await Promise.all(Array.from({ length: 50 }, () => store.create(emma)));
    await indexed(db);
    await books.updateMany({ _id: { $lte: 10 } }, { $set: { title: 'Persuasion' } });
    await books.updateMany({}, { $unset: { indexed: '' } });
    await store.create(emma);
    assert.equal(await store.count({ q: 'persuasion' }), 10);
    await indexed(db);
    assert.equal(await store.count({ q: 'persuasion' }), 10);
    assert.equal(await store.count({ q: 'emma' }), 41);
    assert.equal((await idsOf(store, { title: 'persuasion', sort: 'title' })).length, 10);
  });
});
