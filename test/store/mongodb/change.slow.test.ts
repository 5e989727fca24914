import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import type { Db, Document } from 'mongodb';
import { openStore } from '../../../src/index.ts';
import { insertRaw, openDriver, until } from '../../support/mongo-driver.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const { mongod, skip, openedTwice: opened } = await useMongod();

const documentOf = (db: Db, id: number) =>
  db.collection<Document & { _id: number }>('books').findOne({ _id: id });

describe('the document of a book', { skip }, () => {
  test('keeps the states that were replaced, newest last', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    const first = (await documentOf(db, 1))?.rev as unknown;
    await store.update(1, { year: 1816 });
    await store.update(1, { year: 1816 }); // Changes nothing.
    const second = (await documentOf(db, 1))?.rev as unknown;
    await store.delete(1);
    const { history, deletedAt, index, title, rev } = { ...(await documentOf(db, 1)) };
    const states = (history as Document[]).map(({ at, ...state }) => {
      assert.ok(at instanceof Date);
      return state;
    });
    assert.deepEqual(states, [
      { rev: first, change: 'updated', ...emma },
      { rev: second, change: 'deleted', ...emma, year: 1816 },
    ]);
    assert.ok(deletedAt instanceof Date);
    assert.equal(index, undefined);
    assert.equal(title, 'Emma');
    assert.equal(new Set([first, second, rev]).size, 3);
  });

  test('keeps a bounded number of states, the newest ones, and no large ones', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    for (let year = 0; year < 100; year++) await store.update(1, { year });
    const { history } = { ...(await documentOf(db, 1)) };
    const years = (history as Document[]).map(({ year }) => Number(year));
    assert.ok(years.length >= 16 && years.length < 32);
    assert.deepEqual(
      years,
      years.map((_, i) => 99 - years.length + i),
    );
    await store.update(1, { title: 'x'.repeat(1_000_000) });
    await store.update(1, { title: 'short' });
    const { history: later } = { ...(await documentOf(db, 1)) };
    assert.ok((later as Document[]).every(({ title }) => String(title).length < 100));
  });

  test('of another program keeps its other fields, and an update that does not see a change of that program', async (t) => {
    const { store, db } = await opened(t);
    await insertRaw(db, [{ _id: 1, ...emma, unknown: 'x', history: 'mine' }]);
    await store.update(1, { year: 1 });
    await db
      .collection<Document & { _id: number }>('books')
      .updateOne({ _id: 1 }, { $set: { title: 'Theirs' } });
    assert.deepEqual(await store.update(1, { year: 2 }), { id: 1, ...emma, title: 'Theirs', year: 2 });
    const { unknown, history } = { ...(await documentOf(db, 1)) };
    assert.deepEqual([unknown, history], ['x', 'mine']);
    assert.equal(await store.count({ title: 'theirs' }), 1);
  });

  test('is refused if it becomes too large by several updates', async (t) => {
    const { store } = await opened(t);
    await store.create(emma);
    const title = 'x'.repeat(13 * 2 ** 20);
    await store.update(1, { title });
    await assert.rejects(store.update(1, { author: title }), { code: 'invalid_input' });
    assert.equal((await store.get(1))?.author, emma.author);
  });

  test('gets a new revision from a write that changes nothing, and no version', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    await store.update(1, { year: 1 });
    await store.update(1, { year: emma.year });
    const { version } = { ...(await store.history(1))?.at(-1) };
    const writes = {
      update: () => store.update(1, { year: emma.year }),
      revert: () => store.revert(1, { version }),
      delete: () => store.delete(1),
    };
    for (const [name, write] of Object.entries(writes)) {
      if (name === 'delete') await store.delete(1);
      const before = [await store.version(), await documentOf(db, 1)] as const;
      await write();
      const { rev, ...rest } = { ...(await documentOf(db, 1)) };
      const { rev: revBefore, ...restBefore } = { ...before[1] };
      assert.notEqual(rev, revBefore, name);
      assert.deepEqual(rest, restBefore, name);
      assert.equal(await store.version(), before[0], name);
    }
  });

  test('that is not a book can be deleted, or turned into a book by an update', async (t) => {
    const { store, db } = await opened(t);
    await insertRaw(db, [
      { _id: 1, title: 'no author', year: 1 },
      { _id: 2, title: { $gt: '' }, author: null, year: NaN },
    ]);
    await assert.rejects(store.update(1, { year: 2 }), { code: 'store_damaged' });
    assert.deepEqual(await store.update(1, emma), { id: 1, ...emma });
    await store.delete(2);
    assert.equal(await store.get(2), undefined);
  });
});

test(
  'deleted books are removed for good after historyDays, which may change; those of another program never are',
  { skip },
  async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const ids = async () => (await db.collection('books').distinct('_id')) as unknown;
    const open = async (historyDays: number) => {
      const store = await openStore(url, { historyDays });
      t.after(() => store.close());
      return store;
    };
    const store = await open(30);
    for (let i = 0; i < 3; i++) await store.create(emma);
    for (const id of [1, 2]) await store.delete(id);
    const deletedAt = new Date(Date.now() - 8 * 86_400_000);
    await db.collection('books').updateOne({ _id: 1 as never }, { $set: { deletedAt } });
    await insertRaw(db, [{ _id: 4, deletedAt }]);
    await open(9);
    assert.deepEqual(await ids(), [1, 2, 3, 4]);
    await open(7);
    await until(async () => !isDeepStrictEqual(await ids(), [1, 2, 3, 4]), 'the tombstone is removed');
    assert.deepEqual(await ids(), [2, 3, 4]);
  },
);

test(
  'indexes of earlier versions that expire documents by the clock of the server are dropped',
  { skip },
  async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    const expiring = [
      { collection: 'books', key: { deletedAt: 1 }, name: 'shelflist_deleted' },
      { collection: 'repeat_keys', key: { at: 1 }, name: 'shelflist_expiry' },
      { collection: 'books', key: { lent: 1 }, name: 'of_another_program' },
    ] as const;
    for (const { collection, key, name } of expiring)
      await db.collection(collection).createIndexes([{ key, name, expireAfterSeconds: 7_776_000 }]);
    const store = await openStore(url);
    t.after(() => store.close());
    const left = async () => {
      const all = await Promise.all(['books', 'repeat_keys'].map((name) => db.collection(name).indexes()));
      return all.flat().flatMap(({ name, expireAfterSeconds }) => (expireAfterSeconds ? name : []));
    };
    await until(async () => (await left()).length === 1, 'they are dropped');
    assert.deepEqual(await left(), ['of_another_program']);
    await until(
      async () =>
        (await db.collection('repeat_keys').indexes()).some(({ name }) => name === 'shelflist_expiry'),
      'the index of the keys is built again',
    );
  },
);

test('many updates of one book at once all happen, one after the other', { skip }, async (t) => {
  const { store, other } = await opened(t);
  await store.create(emma);
  const years = Array.from({ length: 16 }, (_, i) => i);
  const results = await Promise.all(years.map((year) => (year % 2 ? store : other).update(1, { year })));
  assert.deepEqual(
    results.map((book) => book?.year),
    years,
  );
  await until(async () => years.includes((await store.get(1))?.year ?? -1), 'one of them is the last');
});
