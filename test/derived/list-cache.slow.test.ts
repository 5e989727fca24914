import assert from 'node:assert/strict';
import { describe, test, type TestContext } from 'node:test';
import fc from 'fast-check';
import { exampleBook as emma } from '../../src/catalogue/book.ts';
import { openStore, ShelflistError, type Book } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { ListCache } from '../../src/derived/list-cache.ts';
import type { IdRange } from '../../src/store/contract/ids.ts';
import { changeFile, insertSql } from '../support/sqlite-file.ts';
import { stubStore } from '../support/stub-store.ts';
import { temporaryFolder } from '../support/temp.ts';
import { sized } from '../support/size.ts';

const everything: IdRange = { first: 1, last: Number.MAX_SAFE_INTEGER };

/** Two open stores on one folder, with this number of books. */
async function twoStores(t: TestContext, books: number): Promise<[CompleteStore, CompleteStore]> {
  const url = `file:${await temporaryFolder(t)}`;
  const [store, other] = [await openStore(url), await openStore(url)];
  t.after(async () => {
    await store.close();
    await other.close();
  });
  await Promise.all(Array.from({ length: books }, () => store.create(emma)));
  return [store, other];
}

/** The same store, and the requested ranges of its list. */
function watched(
  store: CompleteStore,
  replaced: Partial<CompleteStore> = {},
): { store: CompleteStore; ranges: IdRange[] } {
  const ranges: IdRange[] = [];
  const watching = stubStore(new Error('unused'), {
    version: () => store.version(),
    events: (request) => store.events(request),
    count: (query) => store.count(query),
    iterate: (range = everything) => {
      ranges.push(range);
      return store.iterate(range);
    },
    ...replaced,
  });
  return { store: watching, ranges };
}

async function read(list: ListCache, store: CompleteStore): Promise<Book[] | undefined> {
  const listed = await list.read(await store.version());
  if (listed === undefined) return undefined;
  const text = Buffer.concat(listed.json.pieces.map((piece) => Buffer.from(piece)));
  assert.equal(text.length, listed.json.byteLength);
  return JSON.parse(text.toString()) as Book[];
}

async function all(store: CompleteStore): Promise<Book[]> {
  const books: Book[] = [];
  for await (const page of store.iterate()) books.push(...page);
  return books;
}

describe('the list cache', () => {
  test('caches the list of an empty store', async (t) => {
    const [store] = await twoStores(t, 0);
    assert.deepEqual(await read(new ListCache(store), store), []);
  });

  test('reads once while nothing is written', async (t) => {
    const [store] = await twoStores(t, 1500);
    const { store: same, ranges } = watched(store);
    const list = new ListCache(same);
    for (let i = 0; i < 3; i++) assert.deepEqual(await read(list, store), await all(store));
    assert.deepEqual(ranges, [everything]);
  });

  test('reads once for concurrent callers', async (t) => {
    const [store] = await twoStores(t, 1500);
    const { store: same, ranges } = watched(store);
    const list = new ListCache(same);
    await Promise.all(Array.from({ length: 64 }, () => read(list, store)));
    assert.deepEqual(ranges, [everything]);
  });

  const writes: [what: string, write: (store: CompleteStore) => Promise<unknown>, read: IdRange[]][] = [
    ['a change', (store) => store.update(450, { title: '本' }), [{ first: 401, last: 800 }]],
    ['a delete', (store) => store.delete(1), [{ first: 1, last: 400 }]],
    ['a create', (store) => store.create(emma), [{ first: 1201, last: everything.last }]],
    ['no change', (store) => store.update(1, emma), []],
  ];
  for (const [what, write, expected] of writes) {
    for (const who of ['the same store', 'another one'] as const) {
      test(`reads only the changed part again after ${what} by ${who}`, async (t) => {
        const [store, other] = await twoStores(t, 1500);
        const { store: same, ranges } = watched(store);
        const list = new ListCache(same);
        await read(list, store);
        ranges.length = 0;
        await write(who === 'another one' ? other : store);
        assert.deepEqual(await read(list, store), await all(store));
        assert.deepEqual(ranges, expected);
      });
    }
  }

  test('shares unchanged blocks between versions', async (t) => {
    const [store] = await twoStores(t, 1500);
    const list = new ListCache(store);
    const before = await list.read(await store.version());
    await store.update(450, { year: 1 });
    const after = await list.read(await store.version());
    const shared = after?.json.pieces.filter(
      (piece) => typeof piece !== 'string' && before?.json.pieces.includes(piece),
    );
    assert.equal(shared?.length, 3); // Of four: not the changed one.
  });

  test('shares unchanged blocks if the store does not know the changes', async (t) => {
    const [store] = await twoStores(t, 1500);
    const { store: forgetful, ranges } = watched(store, {
      events: async () => ({ ...(await store.events()), events: undefined }),
    });
    const list = new ListCache(forgetful);
    const bytes = new Set<unknown>();
    const versions: unknown[] = [];
    for (let i = 0; i < 60; i++) {
      await store.update(450, { year: i });
      await store.delete(10 + i); // What follows moves to other pages.
      assert.deepEqual(await read(list, forgetful), await all(store));
      const listed = await list.read(await store.version());
      versions.push(listed);
      for (const piece of listed?.json.pieces ?? []) if (typeof piece !== 'string') bytes.add(piece);
    }
    assert.equal(ranges.length, 60);
    for (const range of ranges) assert.deepEqual(range, everything);
    assert.equal(new Set(versions).size, 60);
    assert.equal(bytes.size, 60 * 2 + 2); // The two blocks that change, and the others once.
  });

  test('reads all again after more changes than it asks for', async (t) => {
    const [store] = await twoStores(t, 1500);
    const { store: busy, ranges } = watched(store, {
      events: async () => ({ ...(await store.events()), isCurrent: false }),
    });
    const list = new ListCache(busy);
    await read(list, store);
    await store.update(450, { year: 1 });
    assert.deepEqual(await read(list, store), await all(store));
    assert.deepEqual(ranges, [everything, everything]);
  });

  test('does not read a list that is too long', async (t) => {
    const [store] = await twoStores(t, 1);
    const { store: same, ranges } = watched(store, { count: () => Promise.resolve(200_001) });
    const list = new ListCache(same);
    assert.equal(await read(list, store), undefined);
    assert.equal(await read(list, store), undefined);
    assert.deepEqual(ranges, []);
  });

  test('does not cache a list of a few very long books', async (t) => {
    const [store] = await twoStores(t, 1);
    for (let i = 0; i < 4; i++) await store.create({ ...emma, title: 'x'.repeat(5_000_000) });
    assert.equal(await read(new ListCache(store), store), undefined);
  });

  test('fails when the store fails, and reads again later', async (t) => {
    const [store] = await twoStores(t, 1500);
    let isBroken = false;
    const { store: same } = watched(store, {
      iterate(range) {
        if (isBroken) throw new ShelflistError('unavailable');
        return store.iterate(range);
      },
    });
    const list = new ListCache(same);
    await read(list, store);
    await store.update(450, { year: 1 });
    isBroken = true;
    await assert.rejects(read(list, store), { code: 'unavailable' });
    isBroken = false;
    assert.deepEqual(await read(list, store), await all(store));
  });

  test('contains a restored book once a store was opened, after any writes', async (t) => {
    const path = await temporaryFolder(t);
    const store = await openStore(`file:${path}`);
    t.after(() => store.close());
    await Promise.all(Array.from({ length: 900 }, () => store.create(emma)));
    await store.delete(3);
    const list = new ListCache(store);
    await read(list, store);
    changeFile(path, insertSql({ id: 3, ...emma }));
    await (await openStore(`file:${path}`)).close();
    await store.update(850, { year: 1 });
    assert.deepEqual(await read(list, store), await all(store));
  });

  test('equals the list of the store after any writes', async (t) => {
    const [store, other] = await twoStores(t, 1000);
    const list = new ListCache(store);
    const id = fc.integer({ min: 1, max: 1100 });
    const write = fc.oneof(
      fc.record({ kind: fc.constant('create' as const), title: fc.string({ unit: 'grapheme' }) }),
      fc.record({ kind: fc.constant('update' as const), id, year: fc.integer() }),
      fc.record({ kind: fc.constant('delete' as const), id }),
      // A whole block.
      fc.record({ kind: fc.constant('clear' as const), from: id }),
    );
    const apply = async (to: CompleteStore, one: typeof write extends fc.Arbitrary<infer T> ? T : never) => {
      if (one.kind === 'create') await to.create({ ...emma, title: one.title });
      else if (one.kind === 'update') await to.update(one.id, { year: one.year });
      else if (one.kind === 'delete') await to.delete(one.id);
      else await Promise.all(Array.from({ length: 400 }, (_, i) => to.delete(one.from + i)));
    };
    const step = fc.record({ writes: fc.array(write, { maxLength: 5 }), elsewhere: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 5 }), async (steps) => {
        for (const { writes, elsewhere } of steps) {
          const written = Promise.all(writes.map((one) => apply(elsewhere ? other : store, one)));
          await read(list, store); // While it is written.
          await written;
          assert.deepEqual(await read(list, store), await all(store));
        }
      }),
      { numRuns: sized({ short: 5, long: 40 }) },
    );
  });
});
