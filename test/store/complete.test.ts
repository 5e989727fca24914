import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { openStore, ShelflistError, type BookStore } from '../../src/index.ts';
import type { CreateManyOptions } from '../../src/store.ts';
import { completeStore } from '../../src/store/complete.ts';
import { storeGroups } from '../../src/store/contract/store.ts';
import { bookOf } from '../../src/store-suite/helpers.ts';

const emma = bookOf({ title: 'Emma', author: 'Jane Austen', year: 1815 });

/** A store with the core alone; `create` fails while `isDown` is true, and `delete` after some calls. */
async function openCore({ deletes = Infinity } = {}) {
  const store = await openStore('memory:');
  const core: BookStore = {
    ...Object.fromEntries(storeGroups.core.map((name) => [name, store[name]])),
    description: 'the core',
    create: (...args: Parameters<BookStore['create']>) =>
      state.isDown
        ? Promise.reject(new Error('down'))
        : args[0].title === 'refused'
          ? Promise.reject(new ShelflistError('invalid_input'))
          : store.create(...args),
    delete: (...args: Parameters<BookStore['delete']>) =>
      deletes-- > 0 ? store.delete(...args) : Promise.reject(new Error('no more deletes')),
  } as BookStore;
  const state = { isDown: false };
  return { store, state, complete: completeStore(core) };
}

describe('a store that has the core alone', () => {
  test('is asked for its books where it does not answer a question', async () => {
    const { complete } = await openCore();
    for (const title of ['Emma', 'emma', 'Persuasion']) await complete.create({ ...emma, title });
    assert.equal(await complete.count({ q: 'emma' }), 2);
    assert.equal((await complete.statistics({})).authors[0]?.count, 3);
    assert.deepEqual(await complete.suggest('title', 'em', { limit: 5 }), [{ value: 'Emma', count: 2 }]);
    const groups = [];
    for await (const part of complete.duplicateCandidates()) groups.push(...part.groups);
    assert.deepEqual(groups, [[1, 2]]);
    assert.equal((await complete.findDuplicatesOf([{ ...emma, title: 'EMMA' }]))[0]?.id, 1);
  });

  test('ends a question that nobody needs any more', async () => {
    const { complete } = await openCore();
    await complete.create(emma);
    const signal = AbortSignal.abort(new Error('gone'));
    await assert.rejects(complete.count({}, { signal }), /gone/);
  });

  test('has no history', async () => {
    const { complete } = await openCore();
    const uses = [
      () => complete.history(1),
      () => complete.revert(1),
      () => complete.trash({ limit: 1 }),
      () => complete.batch('12345678'),
      () => complete.batches({ limit: 1 }),
      () => complete.undo('12345678', { as: '12345678', limit: 1 }),
    ];
    for (const use of uses) await assert.rejects(use, { code: 'not_implemented' });
  });

  test('tells that books have changed, not which ones', async () => {
    const { complete } = await openCore();
    const { position } = await complete.events();
    assert.deepEqual(await complete.events({ since: position }), { position, events: [], isCurrent: true });
    await complete.create(emma);
    assert.equal((await complete.events({ since: position })).events, undefined);
  });

  describe('and many books to store', () => {
    const books = [emma, { ...emma, year: 1816 }, { ...emma, year: 1817 }];
    const options: CreateManyOptions = { idempotencyKey: { key: 'k', digest: 'd' }, batch: 'batch-of-three' };

    test('stores them one by one, and with a key once', async () => {
      const { complete } = await openCore();
      const created = { ids: [1, 2, 3], batch: 'batch-of-three' };
      assert.deepEqual(await complete.createMany(books, options), { ...created, isReplay: false });
      assert.deepEqual(await complete.createMany(books, options), { ...created, isReplay: true });
      const other = { idempotencyKey: { key: 'k', digest: 'other' } };
      await assert.rejects(complete.createMany(books, other), { code: 'key_reused' });
      assert.deepEqual((await complete.createMany(books)).ids, [4, 5, 6]);
    });

    test('goes on after a failure when the call is repeated with its key', async () => {
      const { complete, store, state } = await openCore();
      state.isDown = true;
      await assert.rejects(complete.createMany(books, options), /down/);
      state.isDown = false;
      assert.deepEqual((await complete.createMany(books, options)).ids, [1, 2, 3]);
      assert.equal(await store.count({}), 3);
    });

    test('stores nothing if it refuses one of them, and its key can be used again', async () => {
      const { complete, store } = await openCore();
      const refused = complete.createMany([emma, { ...emma, title: 'refused' }], options);
      await assert.rejects(refused, { code: 'invalid_input' });
      assert.equal(await store.count({}), 0);
      const corrected: CreateManyOptions = { ...options, idempotencyKey: { key: 'k', digest: 'corrected' } };
      assert.deepEqual((await complete.createMany(books, corrected)).ids, [2, 3, 4]);
    });

    test('after a refusal whose clean-up failed, a repeat stores all of them, and replays what is there', async () => {
      const { complete, store } = await openCore({ deletes: 1 });
      const mixed = [emma, { ...emma, year: 1816 }, { ...emma, title: 'refused' }];
      await assert.rejects(complete.createMany(mixed, options), /no more deletes/);
      assert.equal(await store.count({}), 1);
      const { ids } = await complete.createMany(books, options);
      for (const [i, id] of ids.entries()) assert.deepEqual(await store.get(id), { id, ...books[i] });
    });

    test('remembers a key until there are 10,000 later ones', async () => {
      const { complete } = await openCore();
      const keys = Array.from({ length: 10_000 }, (_, i) => ({ key: `k${i}`, digest: 'd' }));
      for (const repeat of keys) await complete.createMany([], { idempotencyKey: repeat });
      const [repeat] = keys;
      assert.equal((await complete.createMany([], { idempotencyKey: repeat })).isReplay, true);
    });

    test('refuses a second call while the first one with its key runs', async () => {
      const { complete } = await openCore();
      const first = complete.createMany(books, options);
      await assert.rejects(complete.createMany(books, options), { code: 'request_in_progress' });
      assert.deepEqual((await first).ids, [1, 2, 3]);
    });
  });
});

test('a promise in place of an iterable is awaited: if it rejects, only the call fails', async () => {
  const store = await openStore('memory:');
  await store.create(emma);
  for (const name of ['iterate', 'duplicateCandidates', 'authors'] as const) {
    const rejecting = { ...store, [name]: () => Promise.reject(new Error('no disk')) };
    const resolving = { ...store, [name]: () => Promise.resolve(store[name]()) };
    await assert.rejects(async () => {
      for await (const each of completeStore(rejecting)[name]()) assert.fail(JSON.stringify(each));
    }, /no disk/);
    const found: unknown[] = [];
    for await (const each of completeStore(resolving)[name]()) found.push(each);
    assert.equal(found.length, 1, name);
  }
});
