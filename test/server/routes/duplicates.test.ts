import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { describe, test, type TestContext } from 'node:test';
import { exampleBook as emma } from '../../../src/catalogue/book.ts';
import { openStore, ShelflistError, type BookStore } from '../../../src/index.ts';
import { DuplicateReader } from '../../../src/server/routes/duplicates.ts';
import { stubStore } from '../../support/stub-store.ts';

const never = new AbortController().signal;

async function storeOf(t: TestContext, titles: readonly string[]): Promise<BookStore> {
  const store = await openStore('memory:');
  t.after(() => store.close());
  for (const title of titles) await store.create({ ...emma, title });
  return store;
}

/** The same store; `list` emits `listed`, and waits while the store is not open. `lists` counts the calls. */
function watched(store: BookStore) {
  const events = new EventEmitter<{ listed: []; open: [] }>();
  const state = { lists: 0, isOpen: true };
  const watching = stubStore(new Error('unused'), {
    version: () => store.version(),
    count: (query) => store.count(query),
    get: (id) => store.get(id),
    async *list() {
      state.lists++;
      const opened = state.isOpen ? undefined : once(events, 'open');
      events.emit('listed');
      await opened;
      yield* store.list();
    },
  });
  const open = () => {
    state.isOpen = true;
    events.emit('open');
  };
  return { store: watching, state, open, listed: () => once(events, 'listed') };
}

const isUnavailable = (error: unknown) => error instanceof ShelflistError && error.code === 'unavailable';

describe('reading a page of groups that were found before some writes', () => {
  async function readAfter(
    t: TestContext,
    titles: readonly string[],
    write: (store: BookStore) => Promise<unknown>,
  ) {
    const store = await storeOf(t, titles);
    const reader = new DuplicateReader(store, { closing: never });
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
    const write = async (store: BookStore) => {
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
  const reader = new DuplicateReader(store, { closing: never });
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
    const reader = new DuplicateReader(same, { closing: never });
    const find = () => Promise.all(Array.from({ length: 10 }, () => reader.find('same', never)));
    for (const groups of await find()) assert.deepEqual(groups, [[1, 2]]);
    await find();
    assert.equal(state.lists, 1);
    await store.create({ ...emma, title: 'EMMA' });
    for (const groups of await find()) assert.deepEqual(groups, [[1, 2, 3]]);
    assert.equal(state.lists, 2);
  });

  test('takes longer than a request waits: 503, and a later request gets the result', async (t) => {
    const store = await storeOf(t, ['Emma', 'emma']);
    const { store: same, state, open } = watched(store);
    const reader = new DuplicateReader(same, { closing: never, maxWaitMs: 20 });
    state.isOpen = false;
    await assert.rejects(reader.find('same', never), (error) => {
      assert.ok(isUnavailable(error));
      assert.equal((error as ShelflistError).headers['Retry-After'], '10');
      return true;
    });
    await assert.rejects(reader.find('same', never), isUnavailable);
    // A write meanwhile does not make the result useless.
    await store.create({ ...emma, title: 'Persuasion' });
    open();
    let groups: unknown;
    while (groups === undefined)
      groups = await reader.find('same', never).catch((error: unknown) => {
        if (!isUnavailable(error)) throw error;
      });
    assert.deepEqual(groups, [[1, 2]]);
    assert.equal(state.lists, 1);
  });

  test('ends when no request waits for it', async (t) => {
    const store = await storeOf(t, ['Emma', 'emma']);
    const watching = watched(store);
    const { store: same, state, open } = watching;
    const reader = new DuplicateReader(same, { closing: never });
    const client = new AbortController();
    state.isOpen = false;
    const listed = watching.listed();
    const left = reader.find('typo', client.signal);
    await listed;
    client.abort();
    await assert.rejects(left, isUnavailable);
    open();
    assert.deepEqual(await reader.find('same', never), [[1, 2]]);
    // The level `typo` reads the books once for each text: it has not gone on.
    assert.equal(state.lists, 2);
  });

  test('ends when the service closes', async (t) => {
    const store = await storeOf(t, ['Emma', 'emma']);
    const watching = watched(store);
    const { store: same, state, open } = watching;
    const closing = new AbortController();
    const reader = new DuplicateReader(same, { closing: closing.signal });
    state.isOpen = false;
    const listed = watching.listed();
    const waiting = reader.find('typo', never);
    await listed;
    closing.abort(new ShelflistError('unavailable'));
    open();
    await assert.rejects(waiting, isUnavailable);
    assert.equal(state.lists, 1);
  });
});
