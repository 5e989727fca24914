import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sortInSlices } from '../../src/lib/sort-in-slices.ts';

test('texts of any number are sorted, and equal ones keep their order', async () => {
  for (const count of [0, 1, 2, 499, 500, 501, 1000, 1500, 4321]) {
    const texts = Array.from({ length: count }, (_, i) => String((i * 7919) % 1009));
    const indexes = [...texts.keys()];
    const expected = indexes.sort((a, b) => {
      const [x = '', y = ''] = [texts[a], texts[b]];
      return x < y ? -1 : x > y ? 1 : a - b;
    });
    assert.deepEqual([...(await sortInSlices(texts, new AbortController().signal))], expected, String(count));
  }
});
