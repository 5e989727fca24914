import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import type { ShelflistError } from '../../../src/index.ts';
import { insertRaw } from '../../support/mongo-driver.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

const repeat = { key: 'key', digest: 'digest' };

describe('books with a repeat key', { skip }, () => {
  test('get other ids when another program took one of theirs, and a repeat returns these', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await insertRaw(db, [{ _id: 2, ...emma }]);
    const first = await store.createMany([emma, emma, emma], { repeat });
    assert.deepEqual(first.ids, [4, 5, 6]);
    const again = await (await opened(t, url)).createMany([emma, emma, emma], { repeat });
    assert.deepEqual([again.ids, again.isReplay], [[4, 5, 6], true]);
    assert.equal(await db.collection('books').countDocuments(), 4);
  });

  test('are found by the key of an earlier release with the same digest', async (t) => {
    const store = await opened(t, (await database(t)).url);
    await store.createMany([emma], { repeat: { key: 'former', digest: 'digest' } });
    const former = { keys: ['former'], digest: 'digest' };
    const { ids, isReplay } = await store.createMany([emma], {
      repeat: { key: 'key', digest: 'new', former },
    });
    assert.deepEqual([ids, isReplay], [[1], true]);
    const other = { key: 'key', digest: 'other', former: { ...former, digest: 'other' } };
    assert.deepEqual((await store.createMany([emma], { repeat: other })).ids, [2]);
  });

  test('are stored by a repeat if the first process died before its transaction was committed', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    const session = db.client.startSession();
    t.after(() => session.endSession());
    session.startTransaction();
    await db.collection('books').insertOne({ _id: 1 as never, ...emma }, { session });
    await db.collection('repeat_keys').insertOne({ _id: 'key' as never, digest: 'digest' }, { session });
    await assert.rejects(
      store.createMany([emma], { repeat }),
      ({ code, headers }: ShelflistError) => code === 'request_in_progress' && headers['Retry-After'] === '1',
    );
    await session.abortTransaction();
    const { ids, isReplay } = await store.createMany([emma], { repeat });
    assert.equal(isReplay, false);
    assert.deepEqual(await store.get(ids[0] ?? 0), { id: ids[0], ...emma });
    assert.equal(await db.collection('books').countDocuments(), 1);
  });
});
