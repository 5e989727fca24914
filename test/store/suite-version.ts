import assert from 'node:assert/strict';
import type { BookStore } from '../../src/index.ts';
import type { SuiteContext } from './suite.ts';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** The contract of `version`. */
export function testVersion({ runner, open, putBack, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('version', () => {
    let store: BookStore;
    beforeEach(() => {
      store = current();
    });

    test('is a new one after each kind of write, for every open store, and letters and digits', async () => {
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

    test('stays the same while nothing is written, whatever is read', async () => {
      const other = await open();
      await Promise.all(Array.from({ length: 100 }, () => store.create(emma)));
      const version = await store.version();
      for (let i = 0; i < 5; i++) {
        await Promise.all([store.get(1), store.find({ q: 'emma', sort: 'title' }, { limit: 10 })]);
        await Promise.all([other.count({ q: 'emma' }), other.update(1, {}), other.update(999, { year: 1 })]);
        assert.equal(await store.version(), version);
      }
    });

    test('is a new one when books were put back before the store was opened', async () => {
      await store.create(emma);
      const version = await store.version();
      await store.close();
      await putBack([{ id: 7, ...emma }]);
      assert.notEqual(await (await open()).version(), version);
    });
  });
}
