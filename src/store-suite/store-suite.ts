import assert from 'node:assert/strict';
import { completeStore } from '../store/complete.ts';
import { storeGroups } from '../store/contract/store.ts';
import type { Book, BookFields, BookPatch, BookStore, CompleteStore } from '../store.ts';
import { testCreateMany } from './create-many.ts';
import { testEvents } from './events.ts';
import { testFind } from './find.ts';
import { testQuestions } from './questions.ts';
import { testHistory } from './history.ts';
import { assertSame, bookOf, emma, readAll, readIds } from './helpers.ts';
import { nodeRunner, type TestRunner } from './runner.ts';
import { testVersions } from './versions.ts';
import { testWords } from './words.ts';

/** A place of a store: a folder, a database. */
export interface StorePlace {
  /** Opens the store of this place. Later calls open the same store again, with its books. */
  open(): Promise<BookStore>;
  /**
   * Writes books under their ids without the store, as a restore from a backup does: the counter of ids stays as it is. The store
   * may be open. It need not log these books, but its next write must not use their ids.
   */
  putBack(books: readonly Book[]): Promise<void>;
  /** Moves the times of the idempotency keys back, as if they were stored so much earlier. Default: keys that expire are not tested. */
  ageKeys?(milliseconds: number): Promise<void>;
  /** Removes the place, after the suite has closed every store that it opened. */
  remove(): Promise<void>;
}

export type { TestRunner };

const optionalGroups = ['bulk', 'history', 'events'] as const;
/** An optional group of the methods of a store: `createMany` alone; the history; the events. */
export type StoreGroup = (typeof optionalGroups)[number];

/** How the suite runs. */
export interface SuiteOptions {
  /**
   * The optional groups that the store has. Default: all of them. Questions are always tested, as the service answers them.
   */
  groups?: readonly StoreGroup[] | undefined;
  /** The functions of the test runner: those of vitest, or the globals of jest. Default: `node:test`. */
  runner?: TestRunner | undefined;
  /** Skips the suite: the text says why, and how to run it. Default: `false`. */
  skip?: string | false | undefined;
}

/** What the parts of the suite share. */
export interface SuiteContext {
  /** The functions of the test runner. */
  readonly runner: TestRunner;
  /** The open store, and what the service makes of it if it lacks groups. */
  readonly store: () => CompleteStore;
  /** Opens the store once more. */
  readonly open: () => Promise<CompleteStore>;
  /** As in {@link StorePlace}. */
  readonly putBack: StorePlace['putBack'];
  /** As in {@link StorePlace}; `false`: the place cannot do it. */
  readonly ageKeys: (milliseconds: number) => Promise<boolean>;
  /** Whether the store has an optional group. */
  readonly has: (group: StoreGroup) => boolean;
}

/**
 * Tests the contract of `BookStore`. Authors of other stores call it from a test file of `node:test` or of another
 * runner. Some tests write thousands of books: allow each 30 s.
 *
 * @example
 * testStore('my store', async () => ({ open, putBack, remove }));
 *
 * @example
 * import { afterEach, beforeEach, describe, test } from 'vitest';
 * testStore('my store', createPlace, { runner: { afterEach, beforeEach, describe, test } });
 */
export function testStore(
  name: string,
  createPlace: () => Promise<StorePlace>,
  { skip = false, runner = nodeRunner(), groups = optionalGroups }: SuiteOptions = {},
): void {
  const { afterEach, beforeEach, describe, test } = runner;
  const title = `the contract of a store: ${name}`;
  if (skip !== false) {
    describe.skip(`${title} (${skip})`, () => {
      test('is kept', () => undefined);
    });
    return;
  }
  describe(title, () => {
    let place: StorePlace;
    let store: CompleteStore;
    let opened: BookStore[];

    async function open(): Promise<CompleteStore> {
      const another = await place.open();
      opened.push(another);
      return completeStore(another, { isUntyped: true });
    }

    beforeEach(async () => {
      opened = [];
      place = await createPlace();
      store = await open();
    });
    afterEach(async () => {
      for (const each of opened) await each.close();
      await place.remove();
    });

    const context: SuiteContext = {
      runner,
      open,
      store: () => store,
      putBack: (books) => place.putBack(books),
      ageKeys: async (milliseconds) => {
        await place.ageKeys?.(milliseconds);
        return place.ageKeys !== undefined;
      },
      has: (group) => groups.includes(group),
    };

    test('has the groups that are tested, each with all of its methods', () => {
      for (const group of optionalGroups)
        assert.deepEqual(
          storeGroups[group].filter((name) => opened[0]?.[name] !== undefined),
          groups.includes(group) ? storeGroups[group] : [],
        );
    });

    describe('ids', () => {
      test('start at 1 and increase by one', async () => {
        for (const id of [1, 2, 3]) assertSame(await store.create(emma), { id, ...emma });
      });

      test('are not reused after a delete, not even the highest', async () => {
        await store.create(emma);
        await store.create(emma);
        await store.delete(2);
        assert.equal((await store.create(emma)).id, 3);
      });

      test('are not reused after a delete and a restart', async () => {
        await store.create(emma);
        await store.delete(1);
        await store.close();
        assert.equal((await (await open()).create(emma)).id, 2);
      });

      test('of 200 concurrent creates are unique', async () => {
        const books = await Promise.all(Array.from({ length: 200 }, () => store.create(emma)));
        assert.equal(new Set(books.map((book) => book.id)).size, 200);
      });

      test('of concurrent creates through two open stores are unique', async () => {
        const both = [store, await open()];
        const books = await Promise.all(
          both.flatMap((each) => Array.from({ length: 50 }, () => each.create(emma))),
        );
        assert.equal(new Set(books.map((book) => book.id)).size, 100);
      });

      test('skip books restored beside an older counter', async () => {
        await store.create(emma);
        await place.putBack([
          { id: 2, ...emma },
          { id: 3, ...emma },
          { id: 40, ...emma },
        ]);
        const ids = [(await store.create(emma)).id, (await store.create(emma)).id];
        assertSame(ids, [41, 42]);
        assertSame(await readIds(store), [1, 2, 3, 40, 41, 42]);
      });

      test('skip books restored before the store was opened', async () => {
        await store.close();
        await place.putBack([{ id: 7, ...emma }]);
        assert.equal((await (await open()).create(emma)).id, 8);
      });

      test('of 50 concurrent creates beside an older counter are unique and new', async () => {
        await place.putBack(Array.from({ length: 30 }, (_, i) => ({ id: i + 1, ...emma })));
        const books = await Promise.all(Array.from({ length: 50 }, () => store.create(emma)));
        assert.equal(new Set(books.map((book) => book.id)).size, 50);
        assert.ok(books.every((book) => book.id > 30));
      });
    });

    describe('books', () => {
      const faithful: [what: string, fields: BookFields][] = [
        ['empty fields', bookOf({})],
        ['the minimum year', { ...emma, year: -(2 ** 53 - 1) }],
        ['the maximum year', { ...emma, year: 2 ** 53 - 1 }],
        ['a year of more than 32 bits', { ...emma, year: 2 ** 31 }],
        ['a negative year', { ...emma, year: -1750 }],
        ['accents, composed and decomposed', { ...emma, title: 'Grandpré, Grandpre\u0301' }],
        ['emoji', { ...emma, title: '\u{1f4da}\u{1f468}\u200d\u{1f469}' }],
        ['NUL inside and at the ends', { ...emma, title: '\u0000a\u0000b\u0000' }],
        [
          'control characters and separators',
          { ...emma, author: '\u0001\t\r\n\u007f\u0085\u2028\u2029\ufeff' },
        ],
        ['text that looks like code', { ...emma, title: '{"$gt":""}', author: '$title.__proto__' }],
        ['quotes and backslashes', { ...emma, title: '"\\"\'\\u0000' }],
        ['noncharacters and private use', { ...emma, title: '\ufffe\uffff\ue000\u{10ffff}' }],
        ['100,000 characters', { ...emma, title: 'é'.repeat(100_000) }],
      ];
      test('are returned as stored, whatever characters and years they have', async () => {
        const stored: Book[] = [];
        for (const [what, fields] of faithful) {
          const { id } = await store.create(fields);
          assertSame(await store.get(id), { id, ...fields }, what);
          await store.update(id, emma);
          assertSame(await store.update(id, fields), { id, ...fields }, what);
          stored.push({ id, ...fields });
        }
        assertSame(await readAll(store), stored);
      });

      test('that no store can hold unchanged are rejected', async () => {
        await store.create(emma);
        for (const title of ['half a \ud800 pair', '\udc00', 1, null]) {
          await assert.rejects(store.create({ ...emma, title: title as string }), { code: 'invalid_input' });
          await assert.rejects(store.update(1, { title: title as string }), { code: 'invalid_input' });
        }
        assertSame(await readAll(store), [{ id: 1, ...emma }]);
      });

      test('survive a restart', async () => {
        await store.create(emma);
        await store.close();
        assertSame(await (await open()).get(1), { id: 1, ...emma });
      });

      test('are visible to every open store once acknowledged', async () => {
        const other = await open();
        for (let id = 1; id <= 50; id++) {
          await store.create(emma);
          assert.ok(await other.get(id));
          await store.update(id, { year: id });
          assert.equal((await other.get(id))?.year, id);
          await store.delete(id);
          assert.equal(await other.get(id), undefined);
        }
      });

      test('that do not exist are undefined', async () => {
        for (const id of [1, 2 ** 31, 2 ** 53 - 1]) assert.equal(await store.get(id), undefined);
      });
    });

    describe('update', () => {
      test('changes the named fields and no others', async () => {
        await store.create(emma);
        assertSame(await store.update(1, { year: 1816 }), { id: 1, ...emma, year: 1816 });
        assertSame(await store.update(1, { title: '' }), { id: 1, ...emma, title: '', year: 1816 });
        assertSame(await store.get(1), { id: 1, ...emma, title: '', year: 1816 });
      });

      test('of no field returns the book', async () => {
        await store.create(emma);
        assertSame(await store.update(1, {}), { id: 1, ...emma });
      });

      test('ignores undefined and unknown members', async () => {
        await store.create(emma);
        const patch = { title: undefined, year: 1816, id: 7, unknown: 'x' } as unknown as BookPatch;
        assertSame(await store.update(1, patch), { id: 1, ...emma, year: 1816 });
        assertSame(await readAll(store), [{ id: 1, ...emma, year: 1816 }]);
      });

      test('of a missing book returns undefined and creates none', async () => {
        assert.equal(await store.update(1, { title: 'x' }), undefined);
        assert.equal(await store.update(1, {}), undefined);
        assertSame(await readAll(store), []);
      });

      test('of different fields at once keeps both changes', async () => {
        await store.create(emma);
        for (let round = 0; round < 25; round++) {
          const title = `title ${round}`;
          await Promise.all([store.update(1, { title }), store.update(1, { year: round })]);
          assertSame(await store.get(1), { id: 1, ...emma, title, year: round });
        }
      });

      test('and a concurrent delete never restore a book', async () => {
        for (let id = 1; id <= 25; id++) {
          await store.create(emma);
          await Promise.all([store.update(id, { year: 1 }), store.delete(id)]);
          assert.equal(await store.get(id), undefined);
        }
      });
    });

    describe('update and delete with an expected book', () => {
      test('change the book if it is as expected', async () => {
        const book = await store.create(emma);
        assertSame(await store.update(1, { year: 1816 }, { expected: book }), { id: 1, ...emma, year: 1816 });
        assertSame(await store.update(1, {}, { expected: { id: 1, ...emma, year: 1816 } }), {
          id: 1,
          ...emma,
          year: 1816,
        });
      });

      const unexpected: [what: string, expected: Book][] = [
        ['another title, by a space', { id: 1, ...emma, title: 'Emma ' }],
        ['a title in another case', { id: 1, ...emma, title: 'EMMA' }],
        ['another author', { id: 1, ...emma, author: '' }],
        ['another year', { id: 1, ...emma, year: 1816 }],
        ['another id', { id: 2, ...emma }],
      ];
      test('change nothing if the expected book differs in any field', async () => {
        await store.create(emma);
        for (const [what, expected] of unexpected) {
          for (const patch of [{ year: 1 }, {}])
            await assert.rejects(store.update(1, patch, { expected }), { code: 'precondition_failed' }, what);
          await assert.rejects(store.delete(1, { expected }), { code: 'precondition_failed' }, what);
          assertSame(await readAll(store), [{ id: 1, ...emma }], what);
        }
      });

      test('of a deleted book: the update returns undefined, and the delete fails', async () => {
        const book = await store.create(emma);
        await store.delete(1, { expected: book });
        assert.equal(await store.update(1, { year: 1 }, { expected: book }), undefined);
        assert.equal(await store.update(1, {}, { expected: book }), undefined);
        await assert.rejects(store.delete(1, { expected: book }), { code: 'precondition_failed' });
        assertSame(await readAll(store), []);
      });

      test('succeed once among concurrent calls, through two open stores', async () => {
        const another = await open();
        let book = await store.create(emma);
        for (let round = 0; round < 10; round++) {
          const results = await Promise.allSettled(
            Array.from({ length: 6 }, (_, i) =>
              (i % 2 === 0 ? store : another).update(1, { title: `title ${round} ${i}` }, { expected: book }),
            ),
          );
          const good = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
          assert.equal(good.length, 1);
          book = good[0] ?? book;
          assertSame(await store.get(1), book);
        }
        const deletes = await Promise.allSettled(
          [store, another].map((each) => each.delete(1, { expected: book })),
        );
        assert.equal(deletes.filter(({ status }) => status === 'fulfilled').length, 1);
      });
    });

    describe('delete', () => {
      test('removes the book and no other', async () => {
        for (let i = 0; i < 3; i++) await store.create(emma);
        await store.delete(2);
        assert.equal(await store.get(2), undefined);
        assertSame(await readIds(store), [1, 3]);
      });

      test('of a missing book succeeds', async () => {
        await store.delete(1);
      });
    });

    describe('iterate', () => {
      test('of an empty store is empty', async () => {
        assertSame(await readAll(store), []);
      });

      test('is ordered by id over many pages', async () => {
        const count = 2500;
        await Promise.all(Array.from({ length: count }, (_, year) => store.create({ ...emma, year })));
        assertSame(
          await readIds(store),
          Array.from({ length: count }, (_, i) => i + 1),
        );
      });

      test('has pages of bounded size', async () => {
        const title = 'é'.repeat(300_000);
        for (let i = 0; i < 10; i++) await store.create({ ...emma, title });
        let books = 0;
        for await (const page of store.iterate()) {
          assert.ok(page.length <= 4);
          books += page.length;
        }
        assert.equal(books, 10);
      });

      test('ends while books are added', async () => {
        await store.create(emma);
        let pages = 0;
        for await (const page of store.iterate()) {
          await store.create(emma);
          pages += page.length;
          assert.ok(pages < 10);
        }
      });

      test('returns each lasting book once during concurrent writes', async () => {
        const count = 2500;
        await Promise.all(Array.from({ length: count }, () => store.create(emma)));
        const seen: number[] = [];
        for await (const page of store.iterate()) {
          seen.push(...page.map((book) => book.id));
          await Promise.all([
            store.create(emma),
            store.delete(seen.length),
            store.update(count, { year: 1 }),
          ]);
        }
        assertSame(
          seen,
          [...new Set(seen)].sort((a, b) => a - b),
        );
        for (let id = 1; id <= count; id++)
          assert.ok(seen.includes(id) || (await store.get(id)) === undefined);
      });
    });

    if (groups.includes('bulk')) testCreateMany(context);
    testFind(context);
    testQuestions(context);
    testVersions(context);
    testWords(context);
    if (groups.includes('events')) testEvents(context);
    if (groups.includes('history')) testHistory(context);

    describe('close', () => {
      test('makes every later call fail with store_closed', async () => {
        await store.create(emma);
        await store.close();
        const uses: (() => Promise<unknown>)[] = [
          () => store.create(emma),
          () => store.createMany([emma]),
          () => store.findDuplicatesOf([emma]),
          () => store.get(1),
          () => readAll(store),
          () => store.update(1, { year: 1 }),
          () => store.update(1, {}),
          () => store.delete(1),
          () => store.find({}, { limit: 1 }),
          () => store.count({}),
          () => store.version(),
          ...(groups.includes('events') ? [() => store.events(), () => store.events({ since: '0' })] : []),
          ...(groups.includes('history')
            ? [
                () => store.history(1),
                () => store.revert(1),
                () => store.trash({ limit: 1 }),
                () => store.batch('12345678'),
                () => store.batches({ limit: 1 }),
                () => store.undo('12345678', { as: '12345678', limit: 1 }),
              ]
            : []),
        ];
        for (const use of uses) await assert.rejects(use, { name: 'ShelflistError', code: 'store_closed' });
      });

      test('may be called twice and concurrently', async () => {
        await Promise.all([store.close(), store.close()]);
        await store.close();
      });

      test('waits for the writes in flight', async () => {
        const writes = Promise.all(Array.from({ length: 20 }, () => store.create(emma)));
        await store.close();
        assert.equal((await writes).length, 20);
        assert.equal((await readIds(await open())).length, 20);
      });
    });
  });
}
