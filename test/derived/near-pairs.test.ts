import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isWithinOneEdit } from '../../src/catalogue/duplicates.ts';
import { nearPairs, type NearPairsOptions } from '../../src/derived/near-pairs.ts';

const { signal } = new AbortController();

/** The pairs of texts within one edit, each as `smaller larger`. */
const pairsOf = async (texts: readonly string[], options: Partial<NearPairsOptions> = {}) => {
  const isNear = (i: number, j: number) => isWithinOneEdit(texts[i] ?? '', texts[j] ?? '');
  const pairs = await nearPairs(texts, { isNear, maxFollowers: 1000, signal, ...options });
  return pairs.map(([i, j]) => `${Math.min(i, j)} ${Math.max(i, j)}`).sort();
};
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 });

/** The same by comparing all pairs. */
const expected = (texts: readonly string[]) =>
  texts.flatMap((one, i) =>
    texts.flatMap((other, j) => (i < j && isWithinOneEdit(one, other) ? [`${i} ${j}`] : [])),
  );

test('near pairs are all texts within one edit, each pair once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 30 }), async (texts) => {
      assert.deepEqual(await pairsOf(texts), expected(texts).sort());
    }),
  );
});

test('a text with more near texts than a maximum is left out with its pairs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { maxLength: 30 }),
      fc.integer({ min: 1, max: 5 }),
      async (texts, maxNear) => {
        const all = expected(texts);
        const isSeries = (i: string) => all.filter((pair) => pair.split(' ').includes(i)).length > maxNear;
        assert.deepEqual(
          await pairsOf(texts, { maxNear }),
          all.filter((pair) => !pair.split(' ').some(isSeries)).sort(),
        );
      },
    ),
  );
});

test('few pairs of many different texts are compared', async () => {
  const texts = Array.from({ length: 2000 }, (_, i) => `${(i * 7919) % 2003} and ${(i * 104_729) % 9973}`);
  let compared = 0;
  const isNear = () => {
    compared++;
    return false;
  };
  await nearPairs(texts, { isNear, maxFollowers: 1000, signal });
  assert.ok(compared < 20 * texts.length, String(compared));
});

test('a search for near texts ends when it is aborted', async () => {
  const aborted = new AbortController();
  const isNear = () => {
    aborted.abort(new Error('closed'));
    return true;
  };
  const texts = Array.from({ length: 1000 }, (_, i) => `text ${String(i)}`);
  await assert.rejects(nearPairs(texts, { isNear, maxFollowers: 10, signal: aborted.signal }), /closed/);
});
