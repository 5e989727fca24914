import assert from 'node:assert/strict';
import type { BookStore } from '../index.ts';
import { assertSame, emma } from './helpers.ts';
import type { SuiteContext } from './store-suite.ts';

/** The contract of `version`, `changes`, and `list` with a range. */
export function testVersions({ runner, open, putBack, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('version', () => {
    let store: BookStore;
    beforeEach(() => {
      store = current();
    });

    test('changes with each kind of write, through every open store, and consists of letters, digits and -._', async () => {
      const other = await open();
      const writes: (() => Promise<unknown>)[] = [
        () => store.create(emma),
        () => other.create(emma),
        () => Promise.all([store.create(emma), other.create(emma)]),
        () => store.update(1, { year: 1 }),
        () => other.update(1, { year: 2 }),
        () => store.update(1, { year: 3 }, { id: 1, ...emma, year: 2 }),
        () => other.delete(1),
        () => store.delete(2, { id: 2, ...emma }),
      ];
      const seen = new Set([await store.version()]);
      for (const write of writes) {
        await write();
        const version = await store.version();
        assert.match(version, /^[A-Za-z0-9._-]+$/);
        assert.equal(await other.version(), version);
        assert.ok(!seen.has(version));
        seen.add(version);
      }
    });

    test('stays the same while books are only read', async () => {
      const other = await open();
      await Promise.all(Array.from({ length: 100 }, () => store.create(emma)));
      const version = await store.version();
      for (let i = 0; i < 5; i++) {
        await Promise.all([store.get(1), store.find({ q: 'emma', sort: 'title' }, { limit: 10 })]);
        await Promise.all([other.count({ q: 'emma' }), other.update(1, {}), other.update(999, { year: 1 })]);
        assert.equal(await store.version(), version);
      }
    });

    test('changes when books are restored before the store is opened', async () => {
      await store.create(emma);
      const version = await store.version();
      await store.close();
      await putBack([{ id: 7, ...emma }]);
      assert.notEqual(await (await open()).version(), version);
    });
  });

  describe('list with a range', () => {
    beforeEach(async () => {
      for (let i = 0; i < 5; i++) await current().create(emma);
      await current().delete(3);
    });
    const ranges: [first: number, last: number, ids: number[]][] = [
      [1, 5, [1, 2, 4, 5]],
      [2, 4, [2, 4]],
      [3, 3, []],
      [5, 5, [5]],
      [6, 100, []],
      [5, Number.MAX_SAFE_INTEGER, [5]],
      [4, 2, []],
    ];
    test('returns the books from its first to its last id', async () => {
      for (const [first, last, ids] of ranges) {
        const found: number[] = [];
        for await (const page of current().list({ first, last })) found.push(...page.map(({ id }) => id));
        assertSame(found, ids, `${first} to ${last}`);
      }
    });
  });

  describe('changes', () => {
    let store: BookStore;
    beforeEach(async () => {
      store = current();
      for (let i = 0; i < 40; i++) await store.create(emma);
    });

    /** Asserts that the changes since a version include these books. Returns the current version. */
    async function assertChanged(reader: BookStore, since: string, ids: readonly number[]): Promise<string> {
      const { version, ids: ranges } = await reader.changes(since);
      assert.equal(version, await reader.version());
      for (const id of ids) {
        const isIncluded =
          ranges === undefined || ranges.some(({ first, last }) => first <= id && id <= last);
        assert.ok(isIncluded, `book ${id} has changed`);
      }
      return version;
    }

    test('include the books of each kind of write, through every open store', async () => {
      const other = await open();
      const writes: [write: () => Promise<unknown>, ids: number[]][] = [
        [() => store.create(emma), [41]],
        [() => other.create(emma), [42]],
        [() => Promise.all([store.create(emma), store.create(emma), other.create(emma)]), [43, 44, 45]],
        [() => store.update(7, { year: 1 }), [7]],
        [() => Promise.all([store.update(1, { year: 2 }), other.delete(20)]), [1, 20]],
        [() => store.delete(3, { id: 3, ...emma }), [3]],
        [() => Promise.all(Array.from({ length: 40 }, (_, i) => store.update(i + 1, { year: 7 }))), [1, 39]],
      ];
      const first = await store.version();
      const all: number[] = [];
      for (const [write, ids] of writes) {
        const before = await other.version();
        await write();
        all.push(...ids);
        for (const reader of [store, other]) {
          await assertChanged(reader, before, ids);
          await assertChanged(reader, first, all);
        }
      }
    });

    test('keep the version while nothing is written', async () => {
      const version = await store.version();
      await Promise.all([store.get(1), store.update(1, {}), store.update(999, { year: 1 })]);
      assert.equal((await store.changes(version)).version, version);
    });

    test('include every write since a much older version', async () => {
      const first = await store.version();
      for (let i = 0; i < 100; i++) await store.update(1 + (i % 40), { year: i });
      await assertChanged(store, first, [1, 20, 40]);
    });

    test('include every book since an unknown version', async () => {
      for (const since of ['never', '', '0', '.', 'a.b', '-1'])
        await assertChanged(store, since, [1, 20, 40]);
    });

    test('continue after the store is reopened', async () => {
      const before = await store.version();
      await store.close();
      const again = await open();
      await again.update(7, { year: 1 });
      await assertChanged(again, before, [7]);
    });
  });
}
