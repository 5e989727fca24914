import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DisjointSets } from '../../src/derived/disjoint-sets.ts';

test('joins sets that share a number, in ascending order', () => {
  const sets = new DisjointSets();
  for (const [a, b] of [
    [9, 8],
    [1, 2],
    [5, 5],
    [7, 3],
    [8, 3],
    [2, 1],
  ] as const)
    sets.join(a, b);
  assert.deepEqual(sets.toArrays(), [
    [1, 2],
    [3, 7, 8, 9],
  ]);
});
