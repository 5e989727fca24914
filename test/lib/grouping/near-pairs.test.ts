import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithinOneEdit } from '../../../src/catalogue/duplicates.ts';
import { nearPairs } from '../../../src/lib/grouping/near-pairs.ts';

test('pairs within one edit are among the near ones, and equal texts are', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
      const near = new Set([...nearPairs(texts)].map(([i, j]) => `${Math.min(i, j)} ${Math.max(i, j)}`));
      for (const [i, one] of texts.entries())
        for (const [j, other] of texts.entries())
          if (i < j && isWithinOneEdit(one, other)) assert.ok(near.has(`${i} ${j}`), `${one} ${other}`);
    }),
  );
});

test('few pairs of many different texts are near', () => {
  const texts = Array.from({ length: 2000 }, (_, i) => `${(i * 7919) % 2003} and ${(i * 104_729) % 9973}`);
  assert.ok([...nearPairs(texts)].length < 20 * texts.length);
});
