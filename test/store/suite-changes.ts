import assert from 'node:assert/strict';
import { assertSame } from './suite-assert.ts';
import type { BookStore } from '../../src/index.ts';
import type { SuiteContext } from './suite.ts';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** The contract of `changes`, and of a part of `list`. */
export function testChanges({ runner, open, store: current }: SuiteContext): void {
  const { beforeEach, describe, test } = runner;
  describe('a part of the list', () => {
    beforeEach(async () => {
      for (let i = 0; i < 5; i++) await current().create(emma);
      await current().delete(3);
    });
    const parts: [first: number, last: number, ids: number[]][] = [
      [1, 5, [1, 2, 4, 5]],
      [2, 4, [2, 4]],
      [3, 3, []],
      [5, 5, [5]],
      [6, 100, []],
      [5, Number.MAX_SAFE_INTEGER, [5]],
      [4, 2, []],
    ];
    for (const [first, last, ids] of parts) {
      test(`from ${first} to ${last}`, async () => {
        const found: number[] = [];
        for await (const page of current().list({ first, last })) found.push(...page.map(({ id }) => id));
        assertSame(found, ids);
      });
    }
  });

  describe('changes', () => {
    let store: BookStore;
    beforeEach(async () => {
      store = current();
      for (let i = 0; i < 40; i++) await store.create(emma);
    });

    /** Asserts that so many books may have changed since, these among them, and gives the version now. */
    async function assertChanged(reader: BookStore, since: string, ids: readonly number[]): Promise<string> {
      const { version, ids: ranges } = await reader.changes(since);
      assert.equal(version, await reader.version());
      for (const id of ids) {
        const isSaid = ranges === undefined || ranges.some(({ first, last }) => first <= id && id <= last);
        assert.ok(isSaid, `book ${id} has changed`);
      }
      return version;
    }

    test('names what each kind of write has changed, for every open store', async () => {
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

    test('gives the same version while nothing is written', async () => {
      const version = await store.version();
      await Promise.all([store.get(1), store.update(1, {}), store.update(999, { year: 1 })]);
      assert.equal((await store.changes(version)).version, version);
    });

    test('covers every write since a much older version', async () => {
      const first = await store.version();
      for (let i = 0; i < 100; i++) await store.update(1 + (i % 40), { year: i });
      await assertChanged(store, first, [1, 20, 40]);
    });

    for (const since of ['never', '', '0', '.', 'a.b', '-1'])
      test(`since an unknown version, any book may have changed: "${since}"`, async () => {
        await assertChanged(store, since, [1, 20, 40]);
      });

    test('goes on after the store was opened again', async () => {
      const before = await store.version();
      await store.close();
      const again = await open();
      await again.update(7, { year: 1 });
      await assertChanged(again, before, [7]);
    });
  });
}
