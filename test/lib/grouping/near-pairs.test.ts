import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithinOneEdit } from '../../../src/catalogue/duplicates.ts';
import { nearPairs } from '../../../src/lib/grouping/near-pairs.ts';

const isOneEdit = (a: string, b: string) => a !== b && isWithinOneEdit(a, b);

test('near pairs are all different texts within one edit, each pair once', async () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 30 }), async (texts) => {
      const near = (await nearPairs(texts, isOneEdit)).map(([i, j]) => `${Math.min(i, j)} ${Math.max(i, j)}`);
      const expected = texts.flatMap((one, i) =>
        texts.flatMap((other, j) => (i < j && isOneEdit(one, other) ? [`${i} ${j}`] : [])),
      );
      assert.deepEqual(near.sort(), expected.sort());
    }),
  );
});

test('few pairs of many different texts are compared', async () => {
  const texts = Array.from({ length: 2000 }, (_, i) => `${(i * 7919) % 2003} and ${(i * 104_729) % 9973}`);
  let compared = 0;
  await nearPairs(texts, () => {
    compared++;
    return false;
  });
  assert.ok(compared < 20 * texts.length, String(compared));
});
