import assert from 'node:assert/strict';
import type { Book, BookFields, CompleteStore, CreateManyOptions } from '../store.ts';
import { assertSame, bookOf, emma, readAll, readIds } from './helpers.ts';
import type { SuiteContext } from './store-suite.ts';

const repeat = { key: 'key', digest: 'digest' };
const three = [emma, bookOf({ title: 'Persuasion' }), bookOf({})];

export function testCreateMany({ runner, open, putBack, ageKeys, has, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('createMany', () => {
    let store: CompleteStore;
    beforeEach(() => {
      store = current();
    });

    test('stores books under the next ids, in order, and returns these', async () => {
      await store.create(emma);
      assertSame(await store.createMany(three), { ids: [2, 3, 4], batch: undefined, isReplay: false });
      assertSame((await readAll(store)).slice(1), [
        { id: 2, ...emma },
        { id: 3, ...bookOf({ title: 'Persuasion' }) },
        { id: 4, ...bookOf({}) },
      ]);
      assert.equal((await store.create(emma)).id, 5);
    });

    test('of no book returns no id', async () => {
      assertSame(await store.createMany([]), { ids: [], batch: undefined, isReplay: false });
    });

    test('of 1000 books stores them, and of more is refused', async () => {
      const { ids } = await store.createMany(
        Array.from({ length: 1000 }, (_, year) => ({ year })),
        { idempotencyKey: repeat },
      );
      assert.equal(ids.length, 1000);
      const books = await readAll(store);
      assertSame(
        books.map(({ id, year }) => [id, year]),
        ids.map((id, year) => [id, year]),
      );
      await assert.rejects(store.createMany(Array<object>(1001).fill({})), { code: 'invalid_input' });
    });

    test('with a book that no store can hold stores none', async () => {
      const books = [emma, { title: 'half a \ud800 pair' }];
      for (const options of [{}, { idempotencyKey: repeat }])
        await assert.rejects(store.createMany(books, options), { code: 'invalid_input' });
      assertSame(await readIds(store), []);
      assert.equal((await store.createMany([emma], { idempotencyKey: repeat })).isReplay, false);
    });

    test('gives the books their batch, which can be undone', async () => {
      const { ids, batch } = await store.createMany(three, {
        batch: 'batch-of-three',
        idempotencyKey: repeat,
      });
      assert.equal(batch, 'batch-of-three');
      if (!has('history')) return;
      assert.equal((await store.batch('batch-of-three'))?.created, 3);
      const undone = await store.undo('batch-of-three', { as: 'undo-of-three', limit: 10 });
      assert.equal(undone?.undone, 3);
      assertSame([ids, await readIds(store)], [[1, 2, 3], []]);
    });

    test('changes the version, and has an event for each book, in order', async () => {
      const [version, { position }] = [await store.version(), await store.events()];
      await store.createMany(three, { idempotencyKey: repeat });
      assert.notEqual(await store.version(), version);
      const { events } = await store.events({ since: position });
      // Without events, a change is a reset.
      const expected = has('events') ? [1, 2, 3].map((id) => ({ id, change: 'created' })) : undefined;
      assertSame(
        events?.map(({ id, change }) => ({ id, change })),
        expected,
      );
      assertSame((await (await open()).find({ q: 'persuasion' }, { limit: 9 })).books.length, 1);
    });

    test('beside an older counter skips the books that were restored', async () => {
      await putBack([2, 3, 40].map((id): Book => ({ id, ...emma })));
      const { ids } = await store.createMany(three, { idempotencyKey: repeat });
      assertSame(
        await readIds(store),
        [2, 3, 40, ...ids].sort((a, b) => a - b),
      );
      assertSame(await store.createMany(three, { idempotencyKey: repeat }), {
        ids,
        batch: undefined,
        isReplay: true,
      });
      const { ids: more } = await store.createMany(three);
      assert.equal(new Set([2, 3, 40, ...ids, ...more]).size, 9);
      assertSame(
        [ids, more].map((each) => each.toSorted((a, b) => a - b)),
        [ids, more],
      );
    });

    describe('with an idempotency key', () => {
      const replay = (ids: number[], batch?: string) => ({ ids, batch, isReplay: true });

      test('returns the ids and the batch of the first time, through every open store, and stores nothing', async () => {
        await store.createMany(three, { idempotencyKey: repeat, batch: 'first-batch' });
        const version = await store.version();
        for (const each of [store, await open()])
          for (const options of [
            { idempotencyKey: repeat, batch: 'other-batch' },
            { idempotencyKey: repeat },
          ])
            assertSame(await each.createMany(three, options), replay([1, 2, 3], 'first-batch'));
        assertSame([await readIds(store), await store.version()], [[1, 2, 3], version]);
        if (has('history')) assert.equal(await store.batch('other-batch'), undefined);
      });

      test('returns them after books were changed, deleted and brought back, and leaves these as they are', async () => {
        await store.createMany(three, { idempotencyKey: repeat });
        await store.update(1, { year: 1 });
        await store.delete(2);
        await store.delete(3);
        if (has('history')) await store.revert(3);
        const before = await readAll(store);
        assertSame(await store.createMany(three, { idempotencyKey: repeat }), replay([1, 2, 3]));
        assertSame(await readAll(store), before);
      });

      test('is remembered when the store is opened again', async () => {
        await store.createMany(three, { idempotencyKey: repeat });
        await store.close();
        assertSame(await (await open()).createMany(three, { idempotencyKey: repeat }), replay([1, 2, 3]));
      });

      test('is remembered of an empty list, too', async () => {
        assertSame(await store.createMany([], { idempotencyKey: repeat, batch: 'first-batch' }), {
          ids: [],
          batch: 'first-batch',
          isReplay: false,
        });
        assertSame(await store.createMany([], { idempotencyKey: repeat }), replay([], 'first-batch'));
        const other = { ...repeat, digest: 'other' };
        await assert.rejects(store.createMany([emma], { idempotencyKey: other }), { code: 'key_reused' });
      });

      test('of another request is refused, and stores nothing', async () => {
        await store.createMany(three, { idempotencyKey: repeat });
        const other: CreateManyOptions = { idempotencyKey: { ...repeat, digest: 'other' } };
        for (const each of [store, await open()])
          await assert.rejects(each.createMany(three, other), { name: 'ShelflistError', code: 'key_reused' });
        assertSame(await readIds(store), [1, 2, 3]);
      });

      test('stores books beside those of other keys, whose case counts', async () => {
        const keys = ['key', 'Key', 'key#0', 'key#1', '!', '~'.repeat(80), '$', '__proto__', "'--"];
        for (const [i, key] of keys.entries())
          assertSame((await store.createMany([emma], { idempotencyKey: { key, digest: '' } })).ids, [i + 1]);
        for (const [i, key] of keys.entries())
          assertSame(
            await store.createMany([emma], { idempotencyKey: { key, digest: '' } }),
            replay([i + 1]),
          );
      });

      test('that is malformed is refused', async () => {
        for (const key of ['', ' ', 'a b', 'ä', 'a\n', 'x'.repeat(81), undefined, 7]) {
          const options = { idempotencyKey: { key, digest: '' } } as unknown as CreateManyOptions;
          await assert.rejects(store.createMany([emma], options), { code: 'invalid_query' });
        }
        assertSame(await readIds(store), []);
      });

      test('stores one set of books for concurrent calls, through two open stores', async () => {
        const other = await open();
        for (let round = 0; round < 5; round++) {
          const options = { idempotencyKey: { key: `key-${round}`, digest: '' } };
          const results = await Promise.allSettled(
            Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? store : other).createMany(three, options)),
          );
          const stored = results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
          for (const each of results)
            if (each.status === 'rejected')
              assert.equal((each.reason as { code?: unknown }).code, 'request_in_progress');
          assert.ok(stored.filter(({ isReplay }) => !isReplay).length <= 1);
          const { ids } = await store.createMany(three, options);
          for (const each of stored) assertSame(each.ids, ids);
          assert.equal((await readIds(store)).length, (round + 1) * three.length);
        }
      });

      test('stores the books of many concurrent keys once each', async () => {
        const create = (key: number) =>
          store.createMany([emma], { idempotencyKey: { key: String(key), digest: '' } });
        const first = await Promise.all(Array.from({ length: 100 }, (_, key) => create(key)));
        const again = await Promise.all(Array.from({ length: 100 }, (_, key) => create(key)));
        assertSame(
          again.map(({ ids }) => ids),
          first.map(({ ids }) => ids),
        );
        assert.equal((await readIds(store)).length, 100);
      });

      test('is forgotten after 24 hours, and not before', async () => {
        await store.createMany(three, { idempotencyKey: repeat });
        if (!(await ageKeys(86_400_000 - 60_000))) return;
        assertSame(await store.createMany(three, { idempotencyKey: repeat }), replay([1, 2, 3]));
        await ageKeys(3_600_000);
        const other = { ...repeat, digest: 'other' };
        assertSame((await store.createMany([emma], { idempotencyKey: other })).ids, [4]);
        assertSame(await store.createMany([emma], { idempotencyKey: other }), replay([4]));
      });
    });
  });

  describe('findDuplicatesOf', () => {
    let store: CompleteStore;
    beforeEach(async () => {
      store = current();
      await store.createMany([
        { title: 'The Hobbit', author: 'J. R. R. Tolkien', year: 1937 },
        { title: 'THE HOBBIT!', author: 'JRR Tolkien', year: 1937 },
        { title: 'The Hobbit', author: 'J. R. R. Tolkien', year: 1937 },
        { title: 'Die Straße', author: 'Nesbø', year: 2006 },
        { title: '', author: '', year: 0 },
      ]);
    });
    const find = async (books: readonly Partial<BookFields>[], from = store) =>
      (await from.findDuplicatesOf(books.map(bookOf))).map((book) => book?.id);

    test('finds books without case, accents, spacing and punctuation, each with its own year', async () => {
      const wanted = [
        { title: 'the hobbit', author: 'J.R.R. Tolkien', year: 1937 },
        { title: 'the hobbit', author: 'J.R.R. Tolkien', year: 1938 },
        { title: 'Hobbit', author: 'J.R.R. Tolkien', year: 1937 },
        { title: 'die strasse', author: 'NESBO', year: 2006 },
        {},
        { title: 'unknown' },
      ];
      assertSame(await find(wanted), [1, undefined, undefined, 4, 5, undefined]);
      assertSame(await find(wanted.toReversed()), [undefined, 5, 4, undefined, undefined, 1]);
    });

    test('prefers an equal book, then the lowest id', async () => {
      const title = 'THE HOBBIT!';
      assertSame(await find([{ title, author: 'JRR Tolkien', year: 1937 }]), [2]);
      assertSame(await find([{ title, author: 'J. R. R. Tolkien', year: 1937 }]), [1]);
      await store.delete(1);
      assertSame(await find([{ title, author: 'J. R. R. Tolkien', year: 1937 }]), [2]);
      assertSame(await find([{ title: 'The Hobbit', author: 'J. R. R. Tolkien', year: 1937 }]), [3]);
    });

    test('returns whole books, as they are now, of another open store too', async () => {
      const other = await open();
      await store.update(4, { title: 'Stra\u00dfe' });
      const [changed, old] = await other.findDuplicatesOf([
        bookOf({ title: 'strasse', author: 'nesbo', year: 2006 }),
        bookOf({ title: 'Die Straße', author: 'Nesbø', year: 2006 }),
      ]);
      const sharp = bookOf({ title: 'Straße', author: 'Nesbø', year: 2006 });
      assertSame([changed, old], [{ id: 4, ...sharp }, undefined]);
      await other.delete(4);
      assertSame(await find([{ title: 'strasse', author: 'nesbo', year: 2006 }]), [undefined]);
      if (!has('history')) return;
      await other.revert(4);
      assertSame(await find([{ title: 'strasse', author: 'nesbo', year: 2006 }]), [4]);
    });

    test('finds books that were restored before the store was opened', async () => {
      await store.close();
      await putBack([{ id: 70, ...bookOf({ title: 'Restored' }) }]);
      assertSame(await find([{ title: 'restored' }], await open()), [70]);
    });

    test('answers for none and for 1000 books, and refuses more', async () => {
      assertSame(await find([]), []);
      await store.createMany(Array.from({ length: 1000 }, (_, year) => ({ title: 'x', year })));
      const wanted = Array.from({ length: 1000 }, (_, year) => ({ title: 'X', year }));
      assertSame(
        await find(wanted),
        Array.from({ length: 1000 }, (_, i) => i + 6),
      );
      await assert.rejects(store.findDuplicatesOf([...wanted, {}].map(bookOf)), { code: 'invalid_input' });
    });
  });
}
