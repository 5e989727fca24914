import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Long } from 'mongodb';
import { openStore, ShelflistError } from '../../../src/index.ts';
import { insertRaw } from '../../support/mongo-driver.ts';
import { useMongod } from '../../support/mongodb-tests.ts';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';

const { skip, openedTwice: opened } = await useMongod();

/** Repeats a question until it is answered: it reads many changes, for which a busy machine may need longer than the deadline. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof ShelflistError) || error.code !== 'unavailable') throw error;
    return patiently(ask);
  }
}

describe('the version', { skip }, () => {
  test('is the same for services that start later, before anything is written', async (t) => {
    const { url, store, other } = await opened(t);
    const version = await store.version();
    const third = await openStore(url);
    t.after(() => third.close());
    assert.deepEqual([await other.version(), await third.version()], [version, version]);
    await third.create(emma);
    const later = await store.version();
    const fourth = await openStore(url);
    t.after(() => fourth.close());
    assert.deepEqual([await other.version(), await fourth.version()], [later, later]);
  });

  test('is the same for many services that first ask at the same moment', async (t) => {
    const { url } = await opened(t);
    const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(url)));
    t.after(() => Promise.all(stores.map((each) => each.close())));
    const versions = await Promise.all(stores.map((each) => each.version()));
    assert.equal(new Set(versions).size, 1);
  });

  test('changes with a write of another program', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    const version = await store.version();
    await insertRaw(db, [{ _id: 5, ...emma }]);
    assert.notEqual(await store.version(), version);
  });

  test('starts over when the resume point is lost, corrupt or from another server', async (t) => {
    const { url, store, db } = await opened(t);
    await store.create(emma);
    await store.version();
    const counters = db.collection<{ _id: string }>('counters');
    let year = 0;
    const future = `82FFFFFFFF${'0'.repeat(8)}2B0229296E04`;
    for (const position of [
      undefined,
      'x',
      { _data: 'x' },
      { _data: future },
      { _data: '8200000001000000012B0229296E04' },
    ]) {
      await counters.updateOne({ _id: 'books.stream' }, { $set: { position, version: 'old' } });
      const another = await openStore(url);
      t.after(() => another.close());
      const version = await another.version();
      assert.notEqual(version, 'old');
      await store.update(1, { year: ++year });
      assert.notEqual(await another.version(), version);
    }
  });

  test('continues after the stream broke on the server, and changes with the next write', async (t) => {
    const { store, db } = await opened(t);
    await store.create(emma);
    const before = await store.version();
    assert.equal(await store.version(), before);
    const admin = db.client.db('admin');
    const match = { type: 'idleCursor', ns: `${db.databaseName}.books` };
    // A small id would come as a number, and go back as a double.
    const cursors = await admin
      .aggregate([{ $currentOp: { idleCursors: true } }, { $match: match }], { promoteLongs: false })
      .toArray();
    await db.command({
      killCursors: 'books',
      cursors: cursors.map(({ cursor }) => (cursor as { cursorId: Long }).cursorId),
    });
    assert.ok(cursors.length > 0);
    assert.equal(await store.version(), before);
    await store.update(1, { year: 1 });
    assert.notEqual(await store.version(), before);
  });

  test('changes with more changes than one read takes', async (t) => {
    const { store, db } = await opened(t);
    const before = await store.version();
    const documents = Array.from({ length: 30_000 }, (_, i) => ({ _id: i + 1, ...emma }));
    await insertRaw(db, documents);
    const version = await patiently(() => store.version());
    assert.notEqual(version, before);
    await store.update(7, { year: 1 });
    assert.notEqual(await store.version(), version);
  });
});
