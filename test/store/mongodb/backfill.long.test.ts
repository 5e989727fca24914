import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Db, Document } from 'mongodb';
import { openStore, type StoreOptions } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { defaultRules } from '../../../src/catalogue/sort-keys.ts';
import { indexVersion } from '../../../src/store/mongodb/order.ts';
import { indexEntry } from '../../../src/store/mongodb/index-entry.ts';
import { indexed, insertRaw, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const { mongod, skip } = await useMongod();

async function database(t: TestContext): Promise<{ url: string; db: Db }> {
  const url = newDatabaseUrl(mongod);
  return { url, db: await openDriver(t, url) };
}

async function opened(t: TestContext, url: string, options?: StoreOptions): Promise<CompleteStore> {
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

test(
  'books are indexed again if their entries were made with another version of folding',
  { skip },
  async (t) => {
    const { url, db } = await database(t);
    const store = await openStore(url);
    for (const title of ['Nesbø', 'Emma', 'Łódź']) await store.create({ ...emma, title });
    await store.close();
    const books = db.collection<{ _id: number; rev: string }>('books');
    const old = {
      words: ['title:nesb', 'author:austen'],
      title: 'nesb',
      author: 'jane austen',
      year: emma.year,
    };
    await books.updateOne({ _id: 1 }, { $set: { index: old } });
    const before = await books.find().toArray();
    const mark = { _id: 'books.folding' as never };
    await db.collection('counters').updateOne(mark, { $set: { version: 'another' } });
    const { lines, logger } = recorder();
    const again = await opened(t, url, { logger });
    assert.equal(await again.count({ titleWords: 'nesbo' }), 1);
    assert.equal((await again.find({ sort: 'title' }, { limit: 3 })).books.at(-1)?.title, 'Nesbø');
    assert.deepEqual(lines, [['info', { indexed: 1 }, 'all books are indexed']]);
    const revisions = (all: { rev: string }[]) => all.map(({ rev }) => rev);
    assert.deepEqual(revisions(await books.find().toArray()), revisions(before));
    assert.equal((await db.collection('counters').findOne(mark))?.version, indexVersion(defaultRules));
    assert.equal((await again.findDuplicatesOf([{ ...emma, title: 'nesbo' }]))[0]?.id, 1);
    await db.collection('counters').updateOne(mark, { $set: { version: 'another' } });
    await assert.rejects(again.findDuplicatesOf([emma]), { code: 'unavailable' });
  },
);

describe('documents without an index entry of this version', { skip }, () => {
  test('are in every search after several services have opened the database at once', async (t) => {
    const { url, db } = await database(t);
    const documents = Array.from({ length: 3000 }, (_, i) => ({
      _id: i + 1,
      ...emma,
      year: i,
      unknown: `x${i}`,
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
    assert.equal(last?.unknown, 'x2999');
  });

  test('include those of version 1, whose entries may be outdated', async (t) => {
    const { url, db } = await database(t);
    const stale = indexEntry({ ...emma, title: 'Persuasion' }, defaultRules);
    await insertRaw(db, [
      { _id: 1, ...emma, index: stale },
      { _id: 2, ...emma, index: indexEntry(emma, defaultRules), indexed: true },
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
    const ids = Array.from({ length: 80 }, (_, i) => 1 + i * 50);
    await Promise.all(ids.map((id) => store.update(id, { title: 'Persuasion' })));
    await store.delete(2);
    await indexed(db);
    assert.equal(await store.count({ q: 'persuasion' }), 80);
    assert.equal(await store.count({ q: 'emma' }), count - 81);
  });

  test('are reported at the end; nothing is reported when there are none', async (t) => {
    const { url, db } = await database(t);
    const first = recorder();
    await (await openStore(url, { logger: first.logger })).close();
    assert.deepEqual(first.lines, []);
    await insertRaw(db, [
      { _id: 1, ...emma },
      { _id: 2, ...emma },
    ]);
    const second = recorder();
    await opened(t, url, { logger: second.logger });
    assert.deepEqual(second.lines, [['info', { indexed: 2 }, 'all books are indexed']]);
  });

  test('that are not books are left out everywhere; one warning names the first; `get` fails', async (t) => {
    const { url, db } = await database(t);
    await insertRaw(db, [
      { _id: 1, title: 'no year', author: 'x' },
      { _id: 2, ...emma, year: NaN },
      { _id: 3, ...emma, title: null },
      { _id: 4, ...emma, author: ['x'] },
      { _id: 5, ...emma, year: 1.5 },
      { _id: 6, ...emma },
    ]);
    const { lines, logger } = recorder();
    const store = await opened(t, url, { logger });
    await store.create(emma);
    assert.deepEqual(
      lines
        .filter(([level, , message]) => level === 'warn' && !message.startsWith('migrat'))
        .map(([, fields]) => fields),
      [{ id: 1 }],
    );
    const listed: number[] = [];
    for await (const page of store.iterate()) listed.push(...page.map(({ id }) => id));
    assert.deepEqual(listed, [6, 7]);
    for (const query of [{}, { q: 'emma' }, { sort: 'title' }, { sort: '-year' }, { yearFrom: 0 }] as const) {
      const { books } = await store.find(query, { limit: 10 });
      assert.deepEqual(books.map(({ id }) => id).sort(), [6, 7]);
      assert.equal(await store.count(query), 2);
    }
    for (const id of [1, 2, 3, 4, 5]) await assert.rejects(store.get(id), { code: 'store_damaged' });
  });
});
