import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inspectStore } from '../../../src/store/drivers.ts';
import { openStore } from '../../../src/index.ts';
import { insertRaw, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const { mongod, skip } = await useMongod();

describe('the report on a MongoDB database', { skip }, () => {
  test('a store measures its database', async (t) => {
    const store = await openStore(newDatabaseUrl(mongod));
    t.after(() => store.close());
    await store.create(emma);
    const { databaseBytes = 0, ...others } = await store.measure();
    assert.ok(databaseBytes > 0);
    assert.deepEqual(others, {});
  });

  test('names the first hundred records that are not books, and no deleted book', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const store = await openStore(url);
    t.after(() => store.close());
    for (let i = 0; i < 3; i++) await store.create(emma);
    await store.delete(3);
    const bad = [
      {},
      { year: NaN },
      { title: null },
      { author: ['x'] },
      { year: 1.5 },
      { year: 2 ** 60 },
      { year: '1' },
    ];
    await insertRaw(db, [
      ...bad.map((fields, i) => ({ _id: 10 + i, ...(i > 0 && emma), ...fields })),
      { _id: 20, ...emma },
      { _id: 30, ...emma, year: 5e9 },
    ]);
    const expected = { lastId: 3, highestId: 30, damaged: [10, 11, 12, 13, 14, 15, 16], problems: [] };
    assert.deepEqual(await inspectStore(url), expected);
    await insertRaw(
      db,
      Array.from({ length: 200 }, (_, i) => ({ _id: 100 + i })),
    );
    assert.equal((await inspectStore(url))?.damaged.length, 100);
  });

  test('names what would hinder a start or a search, as the start does', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const store = await openStore(url);
    t.after(() => store.close());
    await store.create(emma);
    await store.create(emma);
    assert.equal((await inspectStore(url))?.obstacles, undefined);
    const books = db.collection<{ _id: unknown }>('books');
    await books.dropIndex('shelflist_author');
    await books.updateOne({ _id: 2 as never }, { $set: { title: 'Persuasion' } });
    const { obstacles = [] } = (await inspectStore(url)) ?? {};
    assert.deepEqual(
      obstacles.map(({ fix }) => fix),
      [
        'restart the service: it builds them',
        'in mongosh: db.books.updateMany({_id: {$in: [2]}}, {$unset: {rev: 1}}); then restart the service',
      ],
    );
    assert.match(obstacles[0]?.finding ?? '', /indexes are missing.*: shelflist_author$/);
    await books.insertOne({ _id: 'foreign' });
    await assert.rejects(
      inspectStore(url),
      /"books" has an _id that is not a whole number; name another database/,
    );
    await books.deleteOne({ _id: 'foreign' as never });
    await books.createIndexes([{ key: { unknown: 1 }, name: 'shelflist_author' }]);
    await assert.rejects(inspectStore(url), /another index named shelflist_author; drop it/);
  });

  test('is undefined where no store was opened; nothing is changed', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    assert.equal(await inspectStore(url), undefined);
    assert.deepEqual(await db.listCollections().toArray(), []);
  });
});
