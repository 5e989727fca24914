import assert from 'node:assert/strict';
import type { CompleteStore } from '../store.ts';
import { assertSame, emma } from './helpers.ts';
import type { SuiteContext } from './store-suite.ts';

/** The contract of `version`, and of `list` with a range. */
export function testVersions({ runner, open, putBack, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('version', () => {
    let store: CompleteStore;
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
        () => store.update(1, { year: 3 }, { expected: { id: 1, ...emma, year: 2 } }),
        () => other.delete(1),
        () => store.delete(2, { expected: { id: 2, ...emma } }),
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
        await Promise.all([other.count({ q: 'emma' }), other.update(999, { year: 1 })]);
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
        for await (const page of current().iterate({ first, last })) found.push(...page.map(({ id }) => id));
        assertSame(found, ids, `${first} to ${last}`);
      }
    });
  });
}
