import assert from 'node:assert/strict';
import { isDate } from 'node:util/types';
import { newBatchId } from '../catalogue/batch.ts';
import { newUndoId } from '../store/contract/undo.ts';
import type { BatchSummary, CompleteStore, DeletedBook, Undone } from '../store.ts';
import { assertSame, emma, readAll } from './helpers.ts';
import type { SuiteContext } from './store-suite.ts';

/** The contract of `history`, `revert`, `trash`, `batch`, `batches` and `undo`. */
export function testHistory({ runner, open, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  let store: CompleteStore;

  /** The earlier states of a book, without what differs from store to store. */
  async function statesOf(id: number): Promise<unknown> {
    const states = await store.history(id);
    return states?.map(({ version: _, at, ...state }) => {
      assert.ok(isDate(at) && Math.abs(Date.now() - at.getTime()) < 600_000);
      return state;
    });
  }

  async function versionOf(id: number, index: number): Promise<string> {
    return (await store.history(id))?.[index]?.version ?? assert.fail('no such state');
  }

  async function readTrash(limit: number): Promise<DeletedBook[]> {
    const found: DeletedBook[] = [];
    let after: string | undefined;
    do {
      const page = await store.trash({ limit, after });
      assert.ok(page.books.length <= limit);
      if (page.next !== undefined) assert.match(page.next, /^[0-9-]{1,40}$/);
      found.push(...page.books);
      after = page.next;
    } while (after !== undefined);
    return found;
  }

  const trashIds = async (limit = 100) => (await readTrash(limit)).map(({ id }) => id);

  /** Undoes a batch step by step; returns the sum of the steps. */
  async function undo(
    batch: string,
    { limit = 1000, as = newUndoId(batch), through = store } = {},
  ): Promise<Omit<Undone, 'next'> | undefined> {
    let undone = 0;
    const left: number[] = [];
    for (let before: number | undefined; ;) {
      const step = await through.undo(batch, { as, limit, before });
      if (step === undefined) return undefined;
      assert.ok(step.undone + step.left.length <= limit);
      undone += step.undone;
      left.push(...step.left);
      if (step.next === undefined) return { undone, left };
      assert.ok(before === undefined || step.next < before);
      before = step.next;
    }
  }

  describe('history', () => {
    beforeEach(() => {
      store = current();
    });

    test('has the states that were replaced, newest first, with what replaced them', async () => {
      await store.create(emma);
      assertSame(await statesOf(1), []);
      await store.update(1, { year: 1816 });
      await store.update(1, { year: 1816 });
      await store.update(1, { title: 'Emma\u0000' });
      await store.delete(1);
      assertSame(await statesOf(1), [
        { change: 'deleted', ...emma, title: 'Emma\u0000', year: 1816 },
        { change: 'updated', ...emma, year: 1816 },
        { change: 'updated', ...emma },
      ]);
    });

    test('of an id that was never given is undefined', async () => {
      assert.equal(await store.history(7), undefined);
    });

    test('names each state differently, in the same way through every open store', async () => {
      const other = await open();
      await store.create(emma);
      for (let year = 0; year < 5; year++) await (year % 2 ? store : other).update(1, { year });
      const versions = (await store.history(1))?.map(({ version }) => version) ?? [];
      assert.equal(new Set(versions).size, 5);
      assertSame(
        (await other.history(1))?.map(({ version }) => version),
        versions,
      );
    });

    test('survives a restart', async () => {
      await store.create(emma);
      await store.update(1, { year: 1816 });
      await store.close();
      store = await open();
      assertSame(await statesOf(1), [{ change: 'updated', ...emma }]);
    });
  });

  describe('revert', () => {
    beforeEach(() => {
      store = current();
    });

    test('gives a book the state before its last change; a second revert takes the first back', async () => {
      await store.create(emma);
      await store.update(1, { year: 1816 });
      assertSame(await store.revert(1), { id: 1, ...emma });
      assertSame(await store.get(1), { id: 1, ...emma });
      assertSame(await statesOf(1), [
        { change: 'reverted', ...emma, year: 1816 },
        { change: 'updated', ...emma },
      ]);
      assertSame(await store.revert(1), { id: 1, ...emma, year: 1816 });
    });

    test('gives a book the state of a version', async () => {
      await store.create(emma);
      for (const year of [1, 2, 3]) await store.update(1, { year });
      assertSame(await store.revert(1, { version: await versionOf(1, 2) }), { id: 1, ...emma });
      assertSame(await store.get(1), { id: 1, ...emma });
    });

    test('to the state that a book has changes nothing', async () => {
      await store.create(emma);
      await store.update(1, { year: 1 });
      await store.update(1, { year: emma.year });
      const version = await store.version();
      assertSame(await store.revert(1, { version: await versionOf(1, 1) }), { id: 1, ...emma });
      assert.equal(await store.version(), version);
    });

    test('to a state that is not kept returns undefined and changes nothing', async () => {
      await store.create(emma);
      await store.create({ ...emma, year: 2 });
      await store.update(2, { year: 3 });
      assert.equal(await store.revert(1), undefined);
      assert.equal(await store.revert(7), undefined);
      const ofAnother = await versionOf(2, 0);
      for (const version of [ofAnother, '', '0', '-1', '99999999', 'x'.repeat(1000), '1; --', '$gt'])
        assert.equal(await store.revert(1, { version }), undefined);
      assertSame(await readAll(store), [
        { id: 1, ...emma },
        { id: 2, ...emma, year: 3 },
      ]);
    });

    test('brings a deleted book back under its id, into searches, and keeps the counter', async () => {
      for (const year of [1, 2, 3]) await store.create({ ...emma, year });
      await store.delete(2);
      await store.delete(3);
      assertSame(await store.revert(2), { id: 2, ...emma, year: 2 });
      assertSame(await store.revert(3), { id: 3, ...emma, year: 3 });
      assertSame(await store.get(3), { id: 3, ...emma, year: 3 });
      assert.equal(await store.count({ q: 'emma' }), 3);
      assert.equal(await store.count({ title: 'emma', yearFrom: 2 }), 2);
      assert.equal((await store.create(emma)).id, 4);
      await store.update(3, { title: 'Persuasion' });
      assert.equal(await store.count({ q: 'emma' }), 3);
      await store.delete(3);
      assertSame(await trashIds(), [3]);
    });

    test('brings a deleted book back as it was at a version', async () => {
      await store.create(emma);
      await store.update(1, { year: 1 });
      await store.delete(1);
      assertSame(await store.revert(1, { version: await versionOf(1, 1) }), { id: 1, ...emma });
      assertSame(await statesOf(1), [
        { change: 'deleted', ...emma, year: 1 },
        { change: 'updated', ...emma },
      ]);
    });

    test('brings back a large book', async () => {
      const large = { ...emma, title: 'word '.repeat(20_000) };
      await store.create(large);
      await store.delete(1);
      assertSame(await store.revert(1), { id: 1, ...large });
      assertSame(await store.get(1), { id: 1, ...large });
    });

    test('happens only if the book is as expected', async () => {
      const book = await store.create(emma);
      await store.update(1, { year: 1816 });
      await assert.rejects(store.revert(1, { expected: book }), { code: 'precondition_failed' });
      assertSame(await store.revert(1, { expected: { ...book, year: 1816 } }), book);
      await store.delete(1);
      await assert.rejects(store.revert(1, { expected: book }), { code: 'precondition_failed' });
      assert.equal(await store.get(1), undefined);
    });

    test('of one deleted book by many callers brings it back once', async () => {
      const other = await open();
      await store.create(emma);
      await store.delete(1);
      const books = await Promise.all(
        Array.from({ length: 10 }, (_, i) => (i % 2 ? store : other).revert(1)),
      );
      assertSame(books, Array<unknown>(10).fill({ id: 1, ...emma }));
      assertSame(await statesOf(1), [{ change: 'deleted', ...emma }]);
    });
  });

  describe('trash', () => {
    beforeEach(() => {
      store = current();
    });

    test('lists the deleted books as they were, newest first', async () => {
      for (const year of [1, 2, 3]) await store.create({ ...emma, year });
      for (const id of [2, 1]) await store.delete(id);
      const books = await readTrash(10);
      assertSame(
        books.map(({ deletedAt: _, ...book }) => book).sort((a, b) => b.id - a.id),
        [
          { id: 2, ...emma, year: 2 },
          { id: 1, ...emma, year: 1 },
        ],
      );
      assert.ok(books.every(({ deletedAt }) => isDate(deletedAt)));
    });

    test('has each deleted book once, on pages of any size, and no book that came back', async () => {
      await Promise.all(Array.from({ length: 25 }, () => store.create(emma)));
      for (let id = 1; id <= 25; id++) await store.delete(id);
      for (const id of [3, 25]) await store.revert(id);
      await store.delete(3);
      const expected = Array.from({ length: 24 }, (_, i) => i + 1);
      for (const limit of [1, 5, 24, 1000])
        assertSame(
          (await trashIds(limit)).sort((a, b) => a - b),
          expected,
        );
    });

    test('of a store without deleted books is empty', async () => {
      await store.create(emma);
      assertSame(await store.trash({ limit: 10 }), { books: [], next: undefined });
    });

    test('refuses a cursor or a limit that is none', async () => {
      for (const after of ['', 'x', '1'.repeat(41), '{}'])
        await assert.rejects(store.trash({ limit: 1, after }), { code: 'invalid_query' });
      for (const limit of [0, -1, 1.5, NaN])
        await assert.rejects(store.trash({ limit }), { code: 'invalid_query' });
    });
  });

  describe('batches', () => {
    beforeEach(() => {
      store = current();
    });

    const readBatches = async (limit: number) => {
      const all: BatchSummary[] = [];
      for (let after: string | undefined; ;) {
        const { batches, next } = await store.batches({ limit, after });
        all.push(...batches);
        if (next === undefined) return all;
        assert.match(next, /^[0-9-]{1,40}$/);
        after = next;
      }
    };

    test('are listed newest first, on pages of any size, as each of them is', async () => {
      const names = Array.from({ length: 5 }, newBatchId);
      for (const batch of names) await store.create(emma, { batch });
      await store.createMany([emma, emma], { batch: names[1] });
      await store.update(1, { year: 1 }, { batch: names[2] });
      await store.delete(2, { batch: names[2] });
      await store.update(3, {}, { batch: newBatchId() });
      await store.create(emma);
      const as = newUndoId(names[4] ?? '');
      await store.undo(names[4] ?? '', { as, limit: 10 });
      for (const limit of [1, 2, 6, 1000]) {
        const found = await readBatches(limit);
        assertSame(found.map(({ batch }) => batch).sort(), [as, ...names].sort());
        for (const each of found) {
          const expected = (await store.batch(each.batch)) ?? assert.fail('it is not kept');
          assertSame({ ...each, at: 0 }, { ...expected, at: 0 });
          assert.ok(isDate(each.at));
        }
        const times = found.map(({ at }) => at.getTime());
        assertSame(
          times,
          [...times].sort((a, b) => b - a),
        );
      }
    });

    test('of a store without a batch are none', async () => {
      await store.create(emma);
      assertSame(await store.batches({ limit: 10 }), { batches: [], next: undefined });
    });

    test('refuse a cursor or a limit that is none', async () => {
      for (const after of ['', 'x', '1'.repeat(41), '{}'])
        await assert.rejects(store.batches({ limit: 1, after }), { code: 'invalid_query' });
      for (const limit of [0, -1, 1.5, NaN])
        await assert.rejects(store.batches({ limit }), { code: 'invalid_query' });
    });
  });

  describe('batch', () => {
    beforeEach(() => {
      store = current();
    });

    test('names its last books, as it left them, and the undo that has begun with them', async () => {
      const batch = newBatchId();
      await store.create(emma);
      await store.create({ ...emma, title: '📚'.repeat(201) }, { batch, user: 'ann' });
      await store.create(emma);
      await store.update(1, { year: 1 }, { batch });
      await store.update(1, { year: 2 });
      await store.delete(3, { batch });
      const read = async (books?: number) => {
        const { undoable, ...summary } = (await store.batch(batch, { books })) ?? assert.fail();
        return { books: summary.books, undoneBy: summary.undoneBy, undoable };
      };
      const [deleted, created, updated] = [
        { id: 3, change: 'deleted', ...emma },
        { id: 2, change: 'created', ...emma, title: `${'📚'.repeat(200)}…`, user: 'ann' },
        { id: 1, change: 'updated', ...emma, year: 1 },
      ];
      assertSame(await read(50), { books: [deleted, created, updated], undoneBy: undefined, undoable: true });
      assertSame((await read()).books, undefined);
      const { batches } = await store.batches({ limit: 1, books: 2 });
      assertSame(batches[0]?.books, [deleted, created]);
      const as = newUndoId(batch);
      await store.undo(batch, { as, limit: 1 });
      assertSame(await read(1), { books: [deleted], undoneBy: as, undoable: true });
      await store.undo(batch, { as, limit: 10 });
      assertSame(await read(1), { books: [deleted], undoneBy: as, undoable: false });
      await store.undo(as, { as: newUndoId(as), limit: 10 });
      assertSame(await read(1), { books: [deleted], undoneBy: undefined, undoable: true });
      for (const books of [0, 51, 1.5, NaN]) {
        await assert.rejects(store.batch(batch, { books }), { code: 'invalid_query' });
        await assert.rejects(store.batches({ limit: 1, books }), { code: 'invalid_query' });
      }
    });

    test('counts the changes of a batch by kind', async () => {
      const batch = newBatchId();
      await store.create(emma);
      await store.create(emma, { batch });
      await store.create(emma, { batch });
      await store.update(1, { year: 1 }, { batch });
      await store.update(1, { year: 2 });
      await store.delete(2, { batch });
      await store.delete(99, { batch });
      await store.revert(2, { batch });
      const {
        at,
        undoable = true,
        ...summary
      } = (await store.batch(batch)) ?? assert.fail('the batch is not kept');
      assertSame(summary, { batch, created: 2, updated: 1, deleted: 1, reverted: 1 });
      assert.ok(undoable);
      assert.ok(Math.abs(Date.now() - at.getTime()) < 600_000);
    });

    test('is not undoable when each book is undone already, or was changed since', async () => {
      const batch = newBatchId();
      // A store need not know.
      const assertUndoable = async (id: string, expected: boolean) => {
        assert.equal((await store.batch(id))?.undoable ?? expected, expected);
      };
      await Promise.all(Array.from({ length: 120 }, () => store.create(emma, { batch })));
      await store.update(120, { year: 1 });
      await assertUndoable(batch, true);
      const as = newUndoId(batch);
      await store.undo(batch, { as, limit: 119 });
      await assertUndoable(batch, true);
      await undo(batch, { as });
      await assertUndoable(batch, false);
      await assertUndoable(as, true);
      await undo(as);
      await assertUndoable(as, false);
      await assertUndoable(batch, true);
    });

    test('without a change is unknown', async () => {
      await store.create(emma);
      for (const id of [newBatchId(), '', 'null', '$gt', "' OR 1 --"]) {
        assert.equal(await store.batch(id), undefined);
        assert.equal(await undo(id), undefined);
      }
    });

    test('is named by the states and the deleted books that it left', async () => {
      const batch = newBatchId();
      await store.create(emma);
      await store.update(1, { year: 1 });
      await store.update(1, { year: 2 }, { batch });
      await store.delete(1, { batch });
      const states = await store.history(1);
      assertSame(
        states?.map((state) => state.batch),
        [batch, batch, undefined],
      );
      assertSame(
        (await readTrash(10)).map((book) => book.batch),
        [batch],
      );
    });

    test('has an id of 8 to 64 letters, digits, _ and -; a write with another one is refused', async () => {
      await store.create(emma, { batch: 'A_-45678' });
      for (const batch of [
        '1234567',
        'x'.repeat(65),
        'with space',
        'é'.repeat(8),
        '',
        7 as unknown as string,
      ]) {
        await assert.rejects(store.create(emma, { batch }), { code: 'invalid_input' });
        await assert.rejects(store.update(1, { year: 1 }, { batch }), { code: 'invalid_input' });
        await assert.rejects(store.delete(1, { batch }), { code: 'invalid_input' });
        await assert.rejects(store.revert(1, { batch }), { code: 'invalid_input' });
      }
      assertSame(await readAll(store), [{ id: 1, ...emma }]);
    });
  });

  describe('undo', () => {
    beforeEach(() => {
      store = current();
    });

    /** Five books; a batch creates two, changes two, deletes two, and brings one back. */
    async function prepare(): Promise<{ batch: string; before: unknown; after: unknown }> {
      const batch = newBatchId();
      for (const year of [1, 2, 3, 4, 5]) await store.create({ ...emma, year });
      await store.delete(5);
      const before = await readAll(store);
      await store.create({ ...emma, title: 'six' }, { batch });
      await store.create({ ...emma, title: 'seven' }, { batch });
      await store.update(1, { title: 'one' }, { batch });
      await store.update(1, { title: 'once more' }, { batch });
      await store.update(6, { title: 'changed' }, { batch });
      await store.update(2, { title: 'two' }, { batch });
      await store.delete(2, { batch });
      await store.delete(3, { batch });
      await store.revert(5, { batch });
      return { batch, before, after: await readAll(store) };
    }

    for (const limit of [1, 2, 1000])
      test(`takes back exactly what the batch did, ${limit} books at a time`, async () => {
        const { batch, before } = await prepare();
        assertSame(await undo(batch, { limit }), { undone: 6, left: [] });
        assertSame(await readAll(store), before);
        assert.equal(await store.count({ q: 'emma' }), 4);
        assert.equal((await store.create(emma)).id, 8);
      });

    test('counts the same books when it is repeated', async () => {
      const { batch, before } = await prepare();
      const as = newUndoId(batch);
      for (let i = 0; i < 3; i++) assertSame(await undo(batch, { as }), { undone: 6, left: [] });
      assertSame(await readAll(store), before);
    });

    test('of a batch that is undone already changes nothing, whatever happened to the books since', async () => {
      const { batch } = await prepare();
      await undo(batch);
      await store.update(1, { year: 100 });
      await store.revert(7);
      const version = await store.version();
      const as = newUndoId(batch);
      for (const limit of [1, 1000]) assertSame(await undo(batch, { as, limit }), { undone: 0, left: [] });
      assert.equal(await store.version(), version);
      assert.equal(await store.batch(as), undefined);
    });

    test('counts no book that the batch left as it was', async () => {
      const batch = newBatchId();
      await store.create(emma);
      await store.update(1, { year: 1 }, { batch });
      await store.update(1, { year: emma.year }, { batch });
      assertSame(await undo(batch), { undone: 0, left: [] });
    });

    test('and the undo of the undo take turns', async () => {
      const { batch, before, after } = await prepare();
      for (let i = 0; i < 3; i++) {
        const as = newUndoId(batch);
        assertSame(await undo(batch, { as }), { undone: 6, left: [] });
        assertSame(await readAll(store), before);
        assertSame(await undo(as), { undone: 6, left: [] });
        assertSame(await undo(as), { undone: 0, left: [] });
        assertSame(await readAll(store), after);
      }
    });

    test('can be undone, and so on', async () => {
      const { batch, before, after } = await prepare();
      const undos = [batch];
      for (let i = 0; i < 5; i++) {
        const last = undos.at(-1) ?? '';
        const as = newUndoId(last);
        assertSame(await undo(last, { as, limit: 4 }), { undone: 6, left: [] });
        assertSame(await readAll(store), i % 2 === 0 ? before : after);
        undos.push(as);
      }
    });

    test('ignores a change by another batch that is itself undone', async () => {
      const [batch, other] = [newBatchId(), newBatchId()];
      await store.create(emma);
      await store.update(1, { year: 1 }, { batch });
      await store.update(1, { title: 'by another batch' }, { batch: other });
      assertSame(await undo(batch), { undone: 0, left: [1] });
      assertSame(await undo(other), { undone: 1, left: [] });
      assertSame(await undo(batch), { undone: 1, left: [] });
      assertSame(await readAll(store), [{ id: 1, ...emma }]);
    });

    test('leaves a book when an undo since went back further', async () => {
      const [other, batch] = [newBatchId(), newBatchId()];
      await store.create(emma);
      await store.update(1, { year: 1 }, { batch: other });
      await store.update(1, { year: 2 }, { batch });
      const as = newUndoId(batch);
      await undo(batch, { as });
      assertSame(await undo(other), { undone: 1, left: [] });
      assertSame(await undo(as), { undone: 0, left: [1] });
      assertSame(await undo(batch), { undone: 0, left: [] });
      assertSame(await readAll(store), [{ id: 1, ...emma }]);
    });

    test('is a batch, which can be undone itself', async () => {
      const { batch, before, after } = await prepare();
      const as = newUndoId(batch);
      await undo(batch, { as });
      assertSame(await undo(as, { limit: 2 }), { undone: 6, left: [] });
      assertSame(await readAll(store), after);
      const summary = (await store.batch(as)) ?? assert.fail('the undo is not kept');
      assertSame([summary.batch, summary.deleted], [as, 3]);
      const again = newUndoId(newUndoId(as));
      assert.equal(await undo(again), undefined);
      assert.notDeepEqual(before, after);
    });

    test('leaves the books that others changed since', async () => {
      const { batch } = await prepare();
      await store.update(1, { year: 100 });
      await store.delete(7);
      await store.revert(3);
      await store.update(4, { year: 100 });
      assertSame(await undo(batch), { undone: 3, left: [7, 3, 1] });
      assertSame(await readAll(store), [
        { id: 1, ...emma, title: 'once more', year: 100 },
        { id: 2, ...emma, year: 2 },
        { id: 3, ...emma, year: 3 },
        { id: 4, ...emma, year: 100 },
      ]);
    });

    test('leaves a book that others changed between two changes of the batch', async () => {
      const batch = newBatchId();
      await store.create(emma, { batch });
      await store.update(1, { year: 1 });
      await store.update(1, { year: 2 }, { batch });
      assertSame(await undo(batch), { undone: 0, left: [1] });
      assertSame(await readAll(store), [{ id: 1, ...emma, year: 2 }]);
    });

    test('of a batch of 300 books, through two open stores at once, is exact', async () => {
      const other = await open();
      const batch = newBatchId();
      const ids = Array.from({ length: 300 }, (_, i) => i + 1);
      const change = (id: number) =>
        id % 3 === 1 ? store.delete(id, { batch }) : other.update(id, { title: 'changed' }, { batch });
      // A busy machine may need longer for all of them at once than a store may take for an answer.
      const inGroups = async (action: (id: number) => Promise<unknown>) => {
        for (let from = 0; from < ids.length; from += 50)
          await Promise.all(ids.slice(from, from + 50).map(action));
      };
      await inGroups((year) => store.create({ ...emma, year }));
      const before = await readAll(store);
      await inGroups(change);
      const as = newUndoId(batch);
      await Promise.all([store, other].map((through) => undo(batch, { as, through })));
      assertSame(await readAll(store), before);
      assert.equal((await store.batch(as))?.reverted, 300);
    });
  });
}
