import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HashGroups } from '../../../src/lib/grouping/hash-groups.ts';

test('groups the items that share a hash', () => {
  const hash = fc.oneof(fc.constantFrom(0, 1, 2 ** 22, 2 ** 31, 2 ** 32 - 1), fc.nat());
  fc.assert(
    fc.property(fc.array(fc.tuple(hash, fc.nat({ max: 30 }))), (entries) => {
      const groups = new HashGroups();
      const expected = new Map<number, Set<number>>();
      for (const [key, item] of entries) {
        groups.add(key, item);
        expected.set(key, (expected.get(key) ?? new Set()).add(item));
      }
      const found = [...groups.groups()].flat();
      assert.deepEqual(
        found,
        [...expected]
          .sort(([a], [b]) => a - b)
          .map(([, items]) => [...items].sort((a, b) => a - b))
          .filter((items) => items.length > 1),
      );
    }),
  );
});
