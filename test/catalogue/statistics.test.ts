import { maxDecades } from '../../src/catalogue/limits.ts';
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { BookTally, roundEstimate, summarizeYears } from '../../src/catalogue/statistics.ts';

describe('summarizeYears', () => {
  test('groups years by decade, before the common era too', () => {
    const years = [1810, 1819, 1820, 9, 1, -1, -10, -11, 0].map((year) => [year, 2] as const);
    assert.deepEqual(summarizeYears(years), {
      count: 18,
      years: { first: -11, last: 1820, without: 2 },
      decades: [
        { from: -20, count: 2 },
        { from: -10, count: 4 },
        { from: 0, count: 4 },
        { from: 1810, count: 4 },
        { from: 1820, count: 2 },
      ],
    });
  });

  test('scales the counts of a sample, in which years may repeat', () => {
    const years = [1810, 1811, 0, 0, 1820].map((year) => [year, 1] as const);
    assert.deepEqual(summarizeYears(years, 10.24), {
      count: 51,
      years: { first: 1810, last: 1820, without: 20 },
      decades: [
        { from: 1810, count: 20 },
        { from: 1820, count: 10 },
      ],
    });
  });

  test('keeps the decades with the most books, by year', () => {
    const years = Array.from({ length: maxDecades + 5 }, (_, i) => [10 * (i + 1), i < 10 ? 1 : 2] as const);
    const { decades, count } = summarizeYears(years);
    assert.equal(count, 2 * (maxDecades + 5) - 10);
    assert.equal(decades.length, maxDecades);
    // Of equally large ones, the latest remain.
    assert.deepEqual(decades.slice(0, 6), [
      ...[60, 70, 80, 90, 100].map((from) => ({ from, count: 1 })),
      { from: 110, count: 2 },
    ]);
  });
});

test('an estimated number is written with three digits that count', () => {
  const table = [0, 7, 999, 1234, 12_345, 999_999, 4_999_817];
  assert.deepEqual(table.map(roundEstimate), [0, 7, 999, 1230, 12_300, 1_000_000, 5_000_000]);
});

test('books are counted by year, and by author however the name is spelled', () => {
  const tally = new BookTally();
  for (const [author, year] of [
    ['Jane Austen', 1815],
    ['JANE AUSTEN', 1817],
    ['Émile Zola', 1815],
  ] as const)
    tally.add({ author, year });
  assert.deepEqual([...tally.years], [[1815, 2], [1817, 1]]);
  assert.deepEqual([...tally.authors], [['jane austen', 2], ['emile zola', 1]]);
}); // prettier-ignore

test('no years have no first and no last', () => {
  assert.deepEqual(summarizeYears([]), {
    count: 0,
    years: { first: null, last: null, without: 0 },
    decades: [],
  });
});
