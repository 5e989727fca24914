import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { codePointsOf, differenceOf } from '../../src/catalogue/edit-distance.ts';

const compare = (typed: string, other: string, most = 2, mayEnd = false) =>
  differenceOf(codePointsOf(typed), codePointsOf(other), most, mayEnd);

describe('the difference of two words', () => {
  const table: [typed: string, other: string, errors: number | undefined][] = [
    ['potter', 'potter', 0],
    ['poter', 'potter', 1],
    ['pottter', 'potter', 1],
    ['putter', 'potter', 1],
    ['opt', 'pot', 1],
    ['ptoetr', 'potter', 2],
    ['ilgim', 'pilgrim', 2],
    ['austen', 'tolkien', undefined],
    ['a', 'abcd', undefined],
    ['abcd', 'a', undefined],
    // A swapped pair with a letter between is two errors, not one: no part is edited twice.
    ['ca', 'abc', undefined],
    ['', 'ab', 2],
    ['\u{10428}a', '\u{10429}a', 1],
    ['x'.repeat(200), 'x'.repeat(200), undefined],
  ];
  for (const [typed, other, errors] of table)
    test(`of ${typed.slice(0, 20)} and ${other.slice(0, 20)} is ${errors ?? 'more than two errors'}`, () => {
      const length = Array.from(other).length;
      assert.deepEqual(compare(typed, other), errors === undefined ? undefined : { errors, length });
    });

  test('is more than the limit one error above it', () => {
    assert.equal(compare('ilgim', 'pilgrim', 1), undefined);
    assert.deepEqual(compare('pilgim', 'pilgrim', 1), { errors: 1, length: 7 });
  });

  test('of random words is that of the whole table of distances', () => {
    let state = 1;
    const random = (end: number) => (state = (state * 48_271) % 2_147_483_647) % end;
    const word = () => Array.from({ length: 1 + random(7) }, () => 'abc'.charAt(random(3))).join('');
    for (let i = 0; i < 20_000; i++) {
      const [a, b] = [word(), word()];
      const errors = distance(a, b);
      const expected = errors <= 2 ? { errors, length: b.length } : undefined;
      assert.deepEqual(compare(a, b), expected, `${a} ${b}`);
    }
  });
});

describe('a half-typed word', () => {
  test('is compared with the beginnings of the other word: the nearest one, then the longest', () => {
    assert.deepEqual(compare('podt', 'potter', 1, true), { errors: 1, length: 4 });
    assert.deepEqual(compare('pott', 'potter', 1, true), { errors: 0, length: 4 });
    assert.deepEqual(compare('pottr', 'potter', 1, true), { errors: 1, length: 6 });
    assert.equal(compare('podt', 'potter', 1, false), undefined);
    assert.equal(compare('xyz', 'potter', 1, true), undefined);
  });
});

/** Optimal string alignment, by its definition. */
function distance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => (i === 0 ? j : j === 0 ? i : 0)),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? Infinity;
  for (let i = 1; i <= a.length; i++)
    for (let j = 1; j <= b.length; j++) {
      const cost = a[i - 1] === b[j - 1] ? 0 : 1;
      let errors = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + cost);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        errors = Math.min(errors, at(i - 2, j - 2) + 1);
      const row = table[i];
      if (row !== undefined) row[j] = errors;
    }
  return at(a.length, b.length);
}

test('words of more than 128 characters are not compared', () => {
  const difference = (typed: number, other: number) =>
    differenceOf(codePointsOf('x'.repeat(typed)), codePointsOf('x'.repeat(other)), 2);
  assert.deepEqual(difference(128, 128), { errors: 0, length: 128 });
  assert.deepEqual(difference(127, 128), { errors: 1, length: 128 });
  for (const [typed, other] of [
    [129, 129],
    [127, 129],
    [129, 127],
  ] as const)
    assert.equal(difference(typed, other), undefined);
});
