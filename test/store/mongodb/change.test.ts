import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import type { Db, Document } from 'mongodb';
import { openStore, type BookStore } from '../../../src/index.ts';
import { insertRaw, openDriver, until } from '../../support/mongo-driver.ts';
import { newDatabaseUrl } from '../../support/mongod.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const { mongod, skip } = await useMongod();

/** A store, another service's store of the same books, and the driver. */
async function opened(t: TestContext): Promise<{ store: BookStore; other: BookStore; db: Db }> {
  const url = newDatabaseUrl(mongod);
  const db = await openDriver(t, url);
  const [store, other] = await Promise.all([openStore(url), openStore(url)]);
  t.after(() => Promise.all([store.close(), other.close()]));
  return { store, other, db };
}

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
      revert: () => store.revert(1, version),
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
  'tombstones expire after historyDays, which may change; those of another program never do',
  { skip },
  async (t) => {
    const url = newDatabaseUrl(mongod);
    const db = await openDriver(t, url);
    for (const historyDays of [undefined, 7, 7, 30]) {
      const store = await openStore(url, { historyDays });
      await store.close();
      const indexes = await db.collection('books').indexes();
      const { expireAfterSeconds, partialFilterExpression } = {
        ...indexes.find(({ name }) => name === 'shelflist_deleted'),
      };
      assert.equal(expireAfterSeconds, (historyDays ?? 90) * 86_400);
      assert.deepEqual(partialFilterExpression, { deletedAt: { $exists: true }, rev: { $type: 'string' } });
    }
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
