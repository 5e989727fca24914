import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allIds, toRanges } from '../../../src/store/contract/ids.ts';

describe('ids become the fewest ranges, ascending', () => {
  const table: [ids: number[], ranges: [first: number, last: number][]][] = [
    [[], []],
    [[7], [[7, 7]]],
    [[1, 2, 3], [[1, 3]]],
    [[3, 1, 2, 2, 1], [[1, 3]]],
    [[1, 3], [[1, 1], [3, 3]]],
    [[100, 20, 3, 4], [[3, 4], [20, 20], [100, 100]]],
  ]; // prettier-ignore
  for (const [ids, ranges] of table)
    test(JSON.stringify(ids), () => {
      assert.deepEqual(
        toRanges(ids),
        ranges.map(([first, last]) => ({ first, last })),
      );
    });
});

test('all ids are those from 1 on that JSON carries exactly', () => {
  assert.deepEqual(allIds, { first: 1, last: 2 ** 53 - 1 });
});
