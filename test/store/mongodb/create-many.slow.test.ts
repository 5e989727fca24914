import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { ShelflistError } from '../../../src/index.ts';
import type { Created } from '../../../src/store.ts';
import { insertRaw, until } from '../../support/mongo-driver.ts';
import { useMongod } from '../../support/mongodb-tests.ts';

const { skip, database, opened } = await useMongod();

const repeat = { key: 'key', digest: 'digest' };

describe('books with an idempotency key', { skip }, () => {
  test('get other ids when another program took one of theirs, and a repeat returns these', async (t) => {
    const { url, db } = await database(t);
    const store = await opened(t, url);
    await insertRaw(db, [{ _id: 2, ...emma }]);
    const first = await store.createMany([emma, emma, emma], { idempotencyKey: repeat });
    assert.deepEqual(first.ids, [4, 5, 6]);
    const again = await (await opened(t, url)).createMany([emma, emma, emma], { idempotencyKey: repeat });
    assert.deepEqual([again.ids, again.isReplay], [[4, 5, 6], true]);
    assert.equal(await db.collection('books').countDocuments(), 4);
  });

  test('are found by the key of an earlier release with the same digest', async (t) => {
    const store = await opened(t, (await database(t)).url);
    await store.createMany([emma], { idempotencyKey: { key: 'former', digest: 'digest' } });
    const former = { keys: ['former'], digest: 'digest' };
    const { ids, isReplay } = await store.createMany([emma], {
      idempotencyKey: { key: 'key', digest: 'new', former },
    });
    assert.deepEqual([ids, isReplay], [[1], true]);
    const other = { key: 'key', digest: 'other', former: { ...former, digest: 'other' } };
    assert.deepEqual((await store.createMany([emma], { idempotencyKey: other })).ids, [2]);
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
      store.createMany([emma], { idempotencyKey: repeat }),
      ({ code, retryAfter }: ShelflistError) => code === 'request_in_progress' && retryAfter === 1,
    );
    await session.abortTransaction();
    const { ids, isReplay } = await store.createMany([emma], { idempotencyKey: repeat });
    assert.equal(isReplay, false);
    assert.deepEqual(await store.get(ids[0] ?? 0), { id: ids[0], ...emma });
    assert.equal(await db.collection('books').countDocuments(), 1);
  });
});

describe('books that follow those of a call that is on its way', { skip }, () => {
  /** A call before another one, which a test ends. */
  function earlier() {
    let end = { resolve: (_: Created): void => undefined, reject: (_: Error): void => undefined };
    const after = new Promise<Created>((resolve, reject) => {
      end = { resolve, reject };
    });
    return { after, ...end };
  }

  const created = (...ids: number[]): Created => ({ ids, batch: undefined, isReplay: false });

  test('are stored after them, under higher ids', async (t) => {
    const store = await opened(t, (await database(t)).url);
    const results: Promise<Created>[] = [];
    for (let i = 0; i < 6; i++)
      await new Promise<void>((onPrepared) => {
        const options = {
          idempotencyKey: { key: `key-${i}`, digest: 'digest' },
          after: results.at(-1),
          onPrepared,
        };
        results.push(
          store.createMany(
            Array.from({ length: 200 }, () => emma),
            options,
          ),
        );
      });
    const ids = (await Promise.all(results)).flatMap((each) => each.ids);
    assert.deepEqual(
      ids,
      Array.from({ length: 1200 }, (_, i) => i + 1),
    );
    assert.equal(await store.count({}), 1200);
  });

  test('are not stored before them', async (t) => {
    const store = await opened(t, (await database(t)).url);
    const { after, resolve } = earlier();
    let isStored = false;
    await new Promise<void>((onPrepared) => {
      void store
        .createMany([emma], { idempotencyKey: repeat, after, onPrepared })
        .then(() => (isStored = true));
    });
    assert.equal((await store.find({}, { limit: 5 })).books.length, 0);
    assert.equal(isStored, false);
    resolve(created());
    await until(() => isStored, 'the books are stored');
    assert.equal((await store.find({}, { limit: 5 })).books.length, 1);
  });

  test('are not stored if that call fails, and a repeat stores them', async (t) => {
    const store = await opened(t, (await database(t)).url);
    const { after, reject } = earlier();
    const failing = store.createMany([emma], { idempotencyKey: repeat, after });
    reject(new ShelflistError('unavailable', { message: 'the first call' }));
    await assert.rejects(failing, { code: 'unavailable' });
    assert.equal((await store.find({}, { limit: 5 })).books.length, 0);
    assert.equal((await store.createMany([emma], { idempotencyKey: repeat })).isReplay, false);
  });

  test('get other ids if those books had to take higher ones', async (t) => {
    const store = await opened(t, (await database(t)).url);
    const { after, resolve } = earlier();
    const following = new Promise<Created>((settle, fail) => {
      const onPrepared = () => {
        store
          .createMany([emma, emma])
          .then(({ ids }) => {
            resolve(created(...ids));
          })
          .catch(fail);
      };
      store.createMany([emma], { idempotencyKey: repeat, after, onPrepared }).then(settle, fail);
    });
    assert.deepEqual((await following).ids, [4]);
  });
});
