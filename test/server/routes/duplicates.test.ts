import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore, ShelflistError } from '../../../src/index.ts';
import type { CompleteStore } from '../../../src/store.ts';
import { DuplicateReader } from '../../../src/derived/duplicates.ts';
import { readBooks } from '../../../src/derived/find-duplicates.ts';
import { ReadQueue } from '../../../src/derived/read-queue.ts';

const never = new AbortController().signal;
const logger = { warn: () => undefined };

async function storeOf(t: TestContext, titles: readonly string[]): Promise<CompleteStore> {
  const store = await openStore('memory:');
  t.after(() => store.close());
  for (const title of titles) await store.create({ ...emma, title });
  return store;
}

/** The same store; a search of all its books waits while the store is not open. `searches` counts them. */
function watched(store: CompleteStore) {
  const events = new EventEmitter<{ searched: []; open: [] }>();
  const state = { searches: 0, isOpen: true };
  const watching: CompleteStore = {
    ...store,
    async *duplicateCandidates(options) {
      if (options?.of === undefined) {
        state.searches++;
        const opened = state.isOpen ? undefined : once(events, 'open');
        events.emit('searched');
        await opened;
      }
      yield* store.duplicateCandidates(options);
    },
  };
  const open = () => {
    state.isOpen = true;
    events.emit('open');
  };
  return { store: watching, state, open, searched: () => once(events, 'searched') };
}

/** Finds groups; again while the first search is running. */
async function findPatiently(reader: DuplicateReader, level: 'same' | 'typo') {
  for (;;) {
    try {
      return await reader.find(level, never);
    } catch (error) {
      if (!isUnavailable(error)) throw error;
    }
  }
}

const isUnavailable = (error: unknown) => error instanceof ShelflistError && error.code === 'unavailable';

describe('reading a page of groups that were found before some writes', () => {
  async function readAfter(
    t: TestContext,
    titles: readonly string[],
    write: (store: CompleteStore) => Promise<unknown>,
  ) {
    const store = await storeOf(t, titles);
    const reader = new DuplicateReader(store, new ReadQueue(store), { closing: never, logger });
    const found = await reader.find('typo', never);
    await write(store);
    const { groups, next } = await reader.read('typo', found, { limit: 100 }, never);
    assert.equal(next, undefined);
    return groups.map((group) => group.map(({ id }) => id));
  }
  // Bemma and Emmas are alike through Emma only.
  const titles = ['Emma', 'Bemma', 'Emmas', 'Emma', 'Other', 'Others'];

  test('all books of a group belong to it', async (t) => {
    assert.deepEqual(await readAfter(t, titles, () => Promise.resolve()), [
      [1, 2, 3, 4],
      [5, 6],
    ]);
  });

  test('a deleted book leaves the group', async (t) => {
    assert.deepEqual(await readAfter(t, titles, (store) => store.delete(1)), [
      [2, 3, 4],
      [5, 6],
    ]);
  });

  test('a changed book leaves the group, and so do those that were like it alone', async (t) => {
    const write = async (store: CompleteStore) => {
      await store.update(1, { title: 'Persuasion' });
      await store.update(4, { title: 'Persuasion' });
      await store.delete(5);
    };
    assert.deepEqual(await readAfter(t, titles, write), [[1, 4]]);
  });
});

test('a page ends after many books, and lists at most 1000 books of a group', async (t) => {
  const store = await storeOf(
    t,
    Array.from({ length: 2400 }, (_, i) => (i < 1200 ? 'Emma' : 'Persuasion')),
  );
  const reader = new DuplicateReader(store, new ReadQueue(store), { closing: never, logger });
  const found = await reader.find('same', never);
  const first = await reader.read('same', found, { limit: 100 }, never);
  assert.deepEqual(
    first.groups.map((group) => group.length),
    [1000],
  );
  const second = await reader.read('same', found, { limit: 100, after: first.next }, never);
  assert.deepEqual(
    second.groups.map((group) => group.length),
    [1000],
  );
  assert.equal(second.next, undefined);
});

describe('finding duplicates', () => {
  test('happens once for each version of the store, whatever the number of requests', async (t) => {
    const store = await storeOf(t, ['Emma', 'emma']);
    const { store: same, state } = watched(store);
    const reader = new DuplicateReader(same, new ReadQueue(same), { closing: never, logger });
    const find = () => Promise.all(Array.from({ length: 10 }, () => reader.find('same', never)));
    for (const groups of await find()) assert.deepEqual(groups, [[1, 2]]);
    await find();
    assert.equal(state.searches, 1);
    await store.create({ ...emma, title: 'EMMA' });
    for (const groups of await find()) assert.deepEqual(groups, [[1, 2, 3]]);
    assert.equal(state.searches, 2);
  });

  test('that takes longer than a request waits is 503 at first, and goes on without a request', async (t) => {
    const store = await storeOf(t, ['Emma', 'emma']);
    const { store: same, state, open } = watched(store);
    const reader = new DuplicateReader(same, new ReadQueue(same), { closing: never, logger, maxWaitMs: 20 });
    state.isOpen = false;
    await assert.rejects(reader.find('same', never), (error) => {
      assert.ok(isUnavailable(error));
      assert.match(String((error as ShelflistError).retryAfter), /^[1-9][0-9]*$/);
      return true;
    });
    await assert.rejects(reader.find('same', never), isUnavailable);
    open();
    assert.deepEqual(await findPatiently(reader, 'same'), [[1, 2]]);
    assert.equal(state.searches, 1);
  });

  for (const level of ['same', 'typo'] as const)
    test(`that took long is not repeated for a few changes: the log of changes names them: ${level}`, async (t) => {
      const store = await storeOf(t, ['Emma', 'emma', 'Other', 'Persuasion']);
      const { store: same, state, open, searched } = watched(store);
      const reader = new DuplicateReader(same, new ReadQueue(same), {
        closing: never,
        logger,
        maxWaitMs: 0,
      });
      state.isOpen = false;
      const begun = searched();
      await assert.rejects(reader.find(level, never), isUnavailable);
      await begun;
      open();
      assert.deepEqual(await findPatiently(reader, level), [[1, 2]]);
      state.isOpen = false; // Another search would not end.
      await store.create({ ...emma, title: 'EM MA' });
      await store.update(4, { title: 'Other' });
      assert.deepEqual(await reader.find(level, never), [[1, 2, 5], [3, 4]]); // prettier-ignore
      await store.delete(3);
      await store.update(1, { title: 'Sanditon' });
      assert.deepEqual(await reader.find(level, never), [[2, 5]]);
      open();
    });

  test('ends when the service closes', async (t) => {
    const store = await storeOf(t, ['Emma', 'emma']);
    const { store: same, state, open, searched } = watched(store);
    const closing = new AbortController();
    const reader = new DuplicateReader(same, new ReadQueue(same), { closing: closing.signal, logger });
    state.isOpen = false;
    const begun = searched();
    const waiting = reader.find('typo', never);
    await begun;
    closing.abort(new ShelflistError('unavailable'));
    open();
    await assert.rejects(waiting, isUnavailable);
    assert.equal(state.searches, 1);
  });
});

test('the books of a group are read until they are long, and not many more', async () => {
  const ids = Array.from({ length: 1000 }, (_, i) => i + 1);
  const long = 'x'.repeat(600_000);
  const table: [what: string, isLong: (id: number) => boolean, most: number][] = [
    ['all are short', () => false, 1000],
    ['all are long', () => true, 2],
    ['the first are short', (id) => id > 100, 100 + 2 * 32],
  ];
  for (const [what, isLong, most] of table) {
    let read = 0;
    const get = (id: number) => {
      read++;
      return Promise.resolve({ ...emma, id, title: isLong(id) ? long : 'short' });
    };
    const books = await readBooks({ get }, ids, never);
    assert.equal(books.length, read, what);
    assert.ok(read <= most, `${what}: ${read}`);
    if (most === 1000) assert.equal(read, 1000);
  }
});
