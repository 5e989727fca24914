import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CreateCollectionOptions, Db, Document } from 'mongodb';
import { MongoMemoryServer } from 'mongodb-memory-server-core';
import { openStore } from '../../../src/index.ts';
import { findMongod } from '../../support/mongod-binary.ts';
import { insertRaw, openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const { mongod, skip } = await useMongod();

async function assertRefused(url: string, message: RegExp): Promise<void> {
  await assert.rejects(openStore(url), (error: Error & { code: string }) => {
    assert.equal(error.code, 'store_unusable');
    assert.match(error.message, message);
    return true;
  });
}

const created = (name: string, options: CreateCollectionOptions) => (db: Db) =>
  db.createCollection(name, options);
const collation = { locale: 'en', strength: 2 };
const validator = { $jsonSchema: { required: ['unknown'] } };
const foreign: [what: string, fill: (db: Db) => Promise<unknown>, message: RegExp][] = [
  [
    'other _ids in books',
    (db) => insertRaw(db, [{ title: 'x' }]),
    /"books" has an _id that is not a whole number/,
  ],
  [
    'a fraction as the highest _id',
    (db) => insertRaw(db, [{ _id: 1.5 }]),
    /an _id that is not a whole number/,
  ],
  [
    'a counter that is text',
    (db) => insertRaw(db, [{ _id: 'books', seq: 'x' }], 'counters'),
    /counter of ids/,
  ],
  ['a view named books', created('books', { viewOn: 'other', pipeline: [] }), /"books" is a view/],
  ['a capped collection', created('books', { capped: true, size: 1e6 }), /"books" is a capped collection/],
  ['capped counters', created('counters', { capped: true, size: 1e6 }), /"counters" is a capped collection/],
  ['a collation', created('books', { collation }), /"books" is a collection with a collation/],
  [
    'a clustered collection',
    created('books', { clusteredIndex: { key: { _id: 1 }, unique: true } }),
    /"books" is a clustered collection/,
  ],
  ['a time series', created('books', { timeseries: { timeField: 'at' } }), /"books" is a timeseries/],
  ['a validator', created('books', { validator }), /"books" is a collection with a validator/],
  [
    'a foreign index with the name of one of ours',
    (db) => db.collection('books').createIndexes([{ key: { unknown: 1 }, name: 'shelflist_title' }]),
    /another index named shelflist_title; drop it/,
  ],
];

describe('a database is refused, with advice, if it has', { skip }, () => {
  for (const [what, fill, message] of foreign) {
    test(what, async (t) => {
      const url = newDatabaseUrl(mongod);
      await fill(await openDriver(t, url));
      await assertRefused(url, message);
    });
  }
});

describe('a database is accepted if it has', { skip }, () => {
  test('a validator that collMod has removed', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    await db.createCollection('books', { validator });
    await db.command({ collMod: 'books', validator: {} });
    const store = await openStore(url);
    t.after(() => store.close());
    assert.equal((await store.create(emma)).id, 1);
  });

  test('a foreign _id that appears later: it gets neither into the counter nor into a listing', async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const store = await openStore(url);
    t.after(() => store.close());
    await insertRaw(db, [
      { _id: 'foreign', ...emma },
      { _id: 1, ...emma },
    ] as Document[]);
    assert.equal((await store.create(emma)).id, 2); // 1 is taken, so the counter is raised.
    const counter = await db.collection<{ _id: string; seq: number }>('counters').findOne({ _id: 'books' });
    assert.equal(counter?.seq, 2);
    const ids: number[] = [];
    for await (const page of store.iterate()) ids.push(...page.map(({ id }) => id));
    assert.deepEqual(ids, [1, 2]);
    assert.deepEqual(
      (await store.find({ sort: '-id' }, { limit: 9 })).books.map(({ id }) => id),
      [2, 1],
    );
  });
});

test('a server without a replica set is refused, with advice', { skip }, async (t) => {
  const binary = await findMongod();
  if (binary === undefined) return;
  const server = await MongoMemoryServer.create({
    binary: { systemBinary: binary.path, version: binary.version },
    instance: { args: process.platform === 'win32' ? [] : ['--nounixsocket'] },
  });
  t.after(() => server.stop());
  await assertRefused(
    server.getUri('alone'),
    /not a replica set; start mongod with --replSet rs0 and run rs.initiate\(\)/,
  );
});

test('a server whose replica set is not initiated is refused, with advice', { skip }, async (t) => {
  const binary = await findMongod();
  if (binary === undefined) return;
  const server = await MongoMemoryServer.create({
    binary: { systemBinary: binary.path, version: binary.version },
    instance: { args: ['--replSet', 'rs0', ...(process.platform === 'win32' ? [] : ['--nounixsocket'])] },
  });
  t.after(() => server.stop());
  for (const url of [server.getUri('alone'), `${server.getUri('alone')}?directConnection=true`])
    await assertRefused(url, /its replica set is not initiated; run rs\.initiate\(\) once in mongosh/);
});
