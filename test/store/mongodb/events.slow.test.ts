import assert from 'node:assert/strict';
import { after, describe, test, type TestContext } from 'node:test';
import type { Collection, Db, Document, UpdateFilter } from 'mongodb';
import { openStore } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { formatToken, parseToken } from '../../../src/store/mongodb/events.ts';
import { readEvents } from '../../../src/store-suite/events.ts';
import { openDriver } from '../../support/mongo-driver.ts';
import { newDatabaseUrl, startMongod } from '../../support/mongod.ts';

const mongod = await startMongod();
const skip = 'skip' in mongod ? mongod.skip : false;
after(() => ('skip' in mongod ? undefined : mongod.stop()));

interface NumberedDocument extends Document {
  _id: number;
}

async function opened(t: TestContext): Promise<{ url: string; store: CompleteStore; db: Db }> {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  const store = await openStore(url);
  t.after(() => store.close());
  return { url, store, db };
}

describe('events of a MongoDB store', { skip }, () => {
  const state = (change: string) => ({ ...emma, rev: null, at: new Date(), change });
  const update = (change: UpdateFilter<NumberedDocument>) => (books: Collection<NumberedDocument>) =>
    books.updateOne({ _id: 1 }, change);
  const table: [
    what: string,
    write: (books: Collection<NumberedDocument>) => Promise<unknown>,
    kinds: string[],
  ][] = [
    ['an insert by another program', (books) => books.insertOne({ _id: 5, ...emma }), ['5 created']],
    ['an insert of a tombstone', (books) => books.insertOne({ _id: 5, ...emma, deletedAt: new Date() }), []],
    ['an update of a field', update({ $set: { year: 1 } }), ['1 updated']],
    ['an update of what is not a field', update({ $set: { rev: 'x', index: {}, other: 1 } }), []],
    ['a replacement', (books) => books.replaceOne({ _id: 1 }, { ...emma, year: 2 }), ['1 updated']],
    [
      'a replacement by a tombstone',
      (books) => books.replaceOne({ _id: 1 }, { ...emma, deletedAt: new Date() }),
      ['1 deleted'],
    ],
    ['a removal', (books) => books.deleteOne({ _id: 1 }), ['1 deleted']],
    ['a document of another kind', (books) => books.insertOne({ _id: 'x' as never }), []],
    [
      'a deletion and a restoration',
      async (books) => {
        await update({ $set: { deletedAt: new Date() }, $push: { history: state('deleted') as never } })(
          books,
        );
        await update({ $unset: { deletedAt: 1 }, $push: { history: state('reverted') as never } })(books);
      },
      ['1 deleted', '1 reverted'],
    ],
    [
      'a revert to an earlier state, pushed to a history of any length',
      async (books) => {
        await update({ $set: { year: 7 }, $push: { history: state('updated') as never } })(books);
        await update({ $set: { year: 8 }, $push: { history: state('reverted') as never } })(books);
        await update({
          $set: { year: 9 },
          $push: { history: { $each: [state('reverted')], $slice: -1 } as never },
        })(books);
        await update({ $set: { year: 10 }, $push: { history: state('updated') as never } })(books);
      },
      ['1 updated', '1 reverted', '1 reverted', '1 updated'],
    ],
  ];
  for (const [what, write, kinds] of table)
    test(`${what}: ${kinds.join(', ') || 'none'}`, async (t) => {
      const { store, db } = await opened(t);
      await store.create(emma);
      const { position } = await store.events();
      await write(db.collection<NumberedDocument>('books'));
      const { events } = await readEvents(store, position);
      assert.deepEqual(
        events.map(({ id, change }) => `${id} ${change}`),
        kinds,
      );
    });

  test('continue, perhaps with a reset, when a renamed collection is back', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    const { position } = await store.events();
    await db.renameCollection('books', 'away');
    await assert.rejects(store.events({ since: position }), { code: 'unavailable' });
    await db.renameCollection('away', 'books');
    const back = await store.events({ since: position });
    const { id } = await store.create(emma);
    const { events } = await readEvents(store, back.position);
    assert.deepEqual(
      events.map((event) => event.id),
      [id],
    );
  });

  test('are undefined after a position of another collection, and after one in the future', async (t) => {
    const [one, two] = [await opened(t), await opened(t)];
    await one.store.create(emma);
    const { position } = await one.store.events();
    await two.store.create(emma);
    const foreign = await two.store.events({ since: position });
    // A position without an event names a time only, so every collection knows it.
    if (foreign.events !== undefined) assert.equal(foreign.events.length, 1);
    const { events } = await readEvents(one.store, position);
    assert.deepEqual(events, []);
    const [event] = (await readEvents(two.store, (await two.store.events()).position)).events;
    assert.equal(event, undefined);
    const { _data: data } = parseToken(position) as { _data: string };
    const future = formatToken({ _data: `82FFFFFFF0${data.slice(10)}` });
    assert.equal((await one.store.events({ since: future })).events, undefined);
  });

  test('of ids beyond 32 bits continue after each of their positions', async (t) => {
    const { store, db } = await opened(t);
    const { position } = await store.events();
    const books = db.collection<NumberedDocument>('books');
    for (let i = 0; i < 3; i++) await books.insertOne({ _id: 2 ** 40 + i, ...emma });
    const { events } = await readEvents(store, position);
    assert.equal(events.length, 3);
    for (const [i, each] of events.entries())
      assert.deepEqual((await readEvents(store, each.position)).events, events.slice(i + 1));
  });

  test('name no user for what another program has restored from a dump', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma, { user: 'ann' });
    const books = db.collection<NumberedDocument>('books');
    const found = await books.findOne({ _id: 1 });
    await books.deleteOne({ _id: 1 });
    const { position } = await store.events();
    await books.insertOne({ ...found, _id: 1, rev: 'a later one' });
    const { events } = await readEvents(store, position);
    assert.deepEqual(
      events.map(({ id, change, user }) => ({ id, change, user })),
      [{ id: 1, change: 'created', user: undefined }],
    );
  });

  test('name no user for what another program has replaced, whoever made the change before', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma, { user: 'ann' });
    const { position } = await store.events();
    const books = db.collection<NumberedDocument>('books');
    const found = await books.findOne({ _id: 1 });
    await books.replaceOne({ _id: 1 }, { ...found, year: 1 });
    const { events } = await readEvents(store, position);
    assert.deepEqual(
      events.map(({ id, change, user }) => ({ id, change, user })),
      [{ id: 1, change: 'updated', user: undefined }],
    );
  });
});
