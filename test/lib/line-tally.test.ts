import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { LineTally } from '../../src/lib/line-tally.ts';

/** The same with strings. */
function countLines(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of texts.flatMap((text) => text.split('\n'))) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

function tallyOf(texts: readonly string[]): LineTally {
  const tally = new LineTally();
  for (const text of texts) tally.add(Buffer.from(text));
  return tally;
}

const sorted = (entries: Iterable<[string, number]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));

describe('LineTally', () => {
  test('counts the same as a Map of strings', () => {
    const line = fc.oneof(
      fc.constantFrom('', 'a', 'b', 'ab', 'ba', 'é', '紅', '\u{10400}'),
      fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll('\n', '')),
    );
    const text = fc.array(line, { minLength: 1 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(fc.array(text), (texts) => {
        assert.deepEqual(sorted(tallyOf(texts).entries()), sorted(countLines(texts)));
      }),
    );
  });

  test('grows with 100,000 different lines, and returns the most frequent ones', () => {
    const texts = Array.from({ length: 10 }, (_, part) =>
      Array.from({ length: 10_000 }, (_, i) => `line ${part * 10_000 + i}\nevery ${i % 3}`).join('\n'),
    );
    const tally = tallyOf(texts);
    assert.equal([...tally.entries()].length, 100_003);
    assert.deepEqual(sorted(tally.mostFrequent(1)), [['every 0', 33_340]]);
    assert.deepEqual(sorted(tally.mostFrequent(2)), [
      ['every 0', 33_340],
      ['every 1', 33_330],
      ['every 2', 33_330],
    ]);
    assert.equal(tally.mostFrequent(4).length, 100_003);
  });

  test('of nothing has no line', () => {
    assert.deepEqual(new LineTally().mostFrequent(3), []);
  });
});
