import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { isEnough, sampleRounds, sampleSize } from '../../../src/store/questions/sample.ts';

const ids = 300_000;
const seeds = Array.from({ length: 100 }, (_, seed) => seed);

/** A catalogue: the decade of the book with this id. `undefined`: the book was deleted. */
type Catalogue = (id: number) => number | undefined;

/** Half of the books are of the last decade, a quarter of the one before, and so on. */
const decadeOf = (part: number) => Math.floor(-Math.log2(1 - part));
/** Spreads ids evenly over the range from 0 to 1. */
const shuffled = (id: number) => (id * 0.618_033_988_749_895) % 1;

const catalogues: [order: string, decade: Catalogue][] = [
  ['in no order', (id) => decadeOf(shuffled(id))],
  ['sorted by year', (id) => decadeOf((id - 1) / ids)],
  ['in sorted imports of 5,000 books', (id) => decadeOf(((id - 1) % 5000) / 5000)],
  ['in two decades that alternate at every 1,000th id', (id) => Math.floor(id / 1000) % 2],
  [
    'sorted by year, with gaps of thousands of ids',
    (id) => (id % 20_000 < 7000 ? undefined : decadeOf((id - 1) / ids)),
  ],
];

function count(decade: Catalogue, ranges: Iterable<{ first: number; last: number }>): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { first, last } of ranges)
    for (let id = first; id <= last; id++) {
      const found = decade(id);
      if (found !== undefined) counts.set(found, (counts.get(found) ?? 0) + 1);
    }
  return counts;
}

const sum = (counts: Map<number, number>) => [...counts.values()].reduce((a, b) => a + b, 0);

describe('a sample of a catalogue', () => {
  const all = { first: 1, last: ids };

  for (const [order, decade] of catalogues)
    test(`errs by less than 5 % of all books in each decade for 99 of 100 seeds: books ${order}`, () => {
      const exact = count(decade, [all]);
      const total = sum(exact);
      const errors = seeds.map((seed) => {
        const [round] = sampleRounds([all], sampleSize, seed);
        assert.ok(round);
        const sampled = count(decade, round.ranges);
        const decades = new Set([...exact.keys(), ...sampled.keys()]);
        const errorOf = (each: number) => (sampled.get(each) ?? 0) * round.factor - (exact.get(each) ?? 0);
        return Math.max(...[...decades].map((each) => Math.abs(errorOf(each)) / total));
      });
      const good = errors.filter((error) => error < 0.05).length;
      assert.ok(good >= 99, `${good} of 100; worst ${Math.max(...errors)}`);
    });

  test('has short ranges within the ids, ascending and without overlap', () => {
    for (const last of [10_020, 10_777, 12_345, 300_000, 2 ** 40])
      for (const { ranges } of sampleRounds([{ first: 5, last }])) {
        let end = 4;
        for (const each of ranges) {
          assert.ok(each.first > end && each.last <= last, `${each.first} to ${each.last} of ${last}`);
          end = each.last;
        }
        assert.equal(ranges.length, 625);
      }
  });

  test('is the whole catalogue if that is no larger', () => {
    for (const last of [1, 100, 10_000])
      assert.deepEqual(
        [...sampleRounds([{ first: 1, last }])],
        [{ ranges: [{ first: 1, last }], factor: 1 }],
      );
    assert.deepEqual(
      [...sampleRounds([{ first: 1, last: 0 }])],
      [{ ranges: [{ first: 1, last: 0 }], factor: 1 }],
    );
  });

  test('has the same ranges when it is repeated, and almost the same after one more book', () => {
    const rangesOf = (last: number) =>
      [...sampleRounds([{ first: 1, last }])].flatMap(({ ranges }) => ranges);
    const before = rangesOf(ids);
    assert.deepEqual(rangesOf(ids), before);
    const moved = rangesOf(ids + 1).map(({ first }, i) => first - (before[i]?.first ?? 0));
    assert.ok(moved.every((distance) => distance === 0 || distance === 1));
  });

  test('has other ranges in each round, and a factor for all rounds so far', () => {
    const rounds = [...sampleRounds([all])];
    assert.equal(new Set(rounds.map(({ ranges }) => ranges[0]?.first)).size, rounds.length);
    for (const [i, { factor }] of rounds.entries()) assert.equal(factor, ids / (10_000 * (i + 1)));
  });

  test('is large enough with half of a round and the wanted matches, or after three rounds', () => {
    const table: [books: number, matches: number, expected: boolean][] = [
      [4999, 4999, false],
      [5000, 9, false],
      [5000, 10, true],
      [24_999, 9, false],
      [25_000, 0, true],
    ];
    for (const [books, matches, expected] of table)
      assert.equal(isEnough(books, matches, 10), expected, `${books} ${matches}`);
  });
});
