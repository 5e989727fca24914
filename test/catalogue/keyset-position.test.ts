import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  comparePositions,
  foldedKey,
  isDecidedByKey,
  isEndOfKey,
  isWholeKey,
  textPosition,
  textKey,
  type OrderKey,
} from '../../src/catalogue/keyset-position.ts';
import { foldText } from '../../src/catalogue/fold.ts';
import { toFilter, type BookQuery } from '../../src/catalogue/query.ts';
import { storedBook } from '../support/books.ts';

const book = storedBook(7, { title: 'The Émigré', author: 'W. G. Sebald', year: 1992 });

test('textPosition returns the key of the words as they are written, and the id', () => {
  const table: [sort: NonNullable<BookQuery['sort']>, key: OrderKey][] = [
    ['id', 7],
    ['-id', 7],
    ['year', 1992],
    ['title', 'the emigre'],
    ['-author', 'w g sebald'],
  ];
  for (const [sort, key] of table) assert.deepEqual(textPosition(toFilter({ sort }), book), { key, id: 7 });
});

describe('a sort key', () => {
  const table: [what: string, text: string, key: string][] = [
    ['of 1,000 bytes is whole', 'a'.repeat(1000), 'a'.repeat(1000)],
    ['of 1,001 bytes is cut', 'a'.repeat(1001), 'a'.repeat(1000)],
    ['is found behind 1 MiB of marks', `${'\u0301'.repeat(260_000)}${'\u0316'.repeat(260_000)}Émma`, 'emma'],
    ['is cut between characters of two bytes', `a${'ж'.repeat(600)}`, `a${'ж'.repeat(499)}`],
    [
      'is cut between characters of four bytes',
      `ab${'\u{10428}'.repeat(300)}`,
      `ab${'\u{10428}'.repeat(249)}`,
    ],
  ];
  for (const [what, text, key] of table) {
    test(what, () => {
      assert.equal(textKey(text), key);
      assert.equal(textKey(key), key);
    });
  }
});

test('positions are ordered by key, then by id; the descending order is the reverse', () => {
  const up = toFilter({ sort: 'title' });
  const down = toFilter({ sort: '-title' });
  const [a1, a2, b1] = [
    { key: 'a', id: 1 },
    { key: 'a', id: 2 },
    { key: 'b', id: 1 },
  ];
  const sorted = (condition: typeof up) => [b1, a2, a1].sort((x, y) => comparePositions(condition, x, y));
  assert.deepEqual(sorted(up), [a1, a2, b1]);
  assert.deepEqual(sorted(down), [b1, a2, a1]);
  assert.ok(comparePositions(toFilter({}), { key: 9, id: 9 }, { key: 10, id: 10 }) < 0);
  assert.equal(comparePositions(up, a1, { ...a1 }), 0);
  assert.equal(comparePositions(down, a1, { ...a1 }), 0);
});

test('no book can follow the highest id of a key, or in descending order the lowest', () => {
  const ends = (isDescending: boolean) =>
    [0, 1, 2, Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER].map((id) =>
      isEndOfKey({ isDescending }, { id }),
    );
  assert.deepEqual(ends(false), [false, false, false, false, true]);
  assert.deepEqual(ends(true), [true, true, false, false, false]);
});

test('a key of 995 bytes or less is a whole text', () => {
  for (const key of ['', 'a'.repeat(995), 'é'.repeat(497)]) assert.ok(isWholeKey(key));
  for (const key of ['a'.repeat(996), 'é'.repeat(498), 'a'.repeat(1000)]) assert.ok(!isWholeKey(key));
});

test('a key decides alone about texts that are compared by their words, and are short', () => {
  const short = { folded: 'emma', spelling: undefined };
  assert.ok(isDecidedByKey(short));
  assert.ok(!isDecidedByKey({ ...short, spelling: 'EMMA' }));
  assert.ok(!isDecidedByKey({ ...short, folded: 'a'.repeat(996) }));
});

test('a key is cut after a word, not after a space', () => {
  assert.equal(foldedKey(`${'a'.repeat(999)} b`), 'a'.repeat(999));
  assert.equal(foldedKey('a'.repeat(1000)), 'a'.repeat(1000));
});

test('the key of a long text is that of its beginning, or of more if folding removes much', () => {
  for (const text of ['a b '.repeat(5000), '\u0301'.repeat(5000) + 'a'.repeat(5000), 'a '.repeat(2000)])
    assert.equal(textKey(text), foldedKey(foldText(text)), text.slice(0, 4));
});
