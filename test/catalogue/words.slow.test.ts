import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { foldWords } from '../../src/catalogue/fold.ts';
import { matches, toFilter } from '../../src/catalogue/query.ts';
import { fits, indexKey, indexWords } from '../../src/catalogue/words.ts';
import { bookOf, storedBook } from '../support/books.ts';

const limit = 32_768;

const nearLimit = fc
  .tuple(
    fc.constantFrom('', 'ab ', 'é', '-', '\u{10400}', '红楼 ', 'a\u0301'),
    fc.integer({ min: -70, max: 3 }),
    fc.array(
      fc.constantFrom('楼', "'", 'ו', 'a', 'ab', 'É', '\u{10400}', '\u0301', ' ', 'b'.repeat(70), '½', 'ς'),
      {
        maxLength: 9,
      },
    ),
  )
  .map(([filler, offset, rest]) => {
    const length = filler === '' ? 0 : limit + offset;
    return filler.repeat(length / Math.max(1, filler.length)).padEnd(length, '-') + rest.join('');
  });
const question = fc.constantFrom(
  '楼',
  '楼红',
  '红楼'.repeat(9),
  '楼红'.repeat(40),
  "a'b",
  'a',
  'ab',
  'e',
  'b'.repeat(65),
  '\u{10428}',
  '红',
  'a e',
  '12',
  'σ',
  'bb',
);

test('the index and matches agree, at the limits, too', () => {
  fc.assert(
    fc.property(nearLimit, nearLimit, question, (title, author, q) => {
      const book = storedBook(1, { title, author });
      const condition = toFilter({ q });
      const words = Object.values(indexWords(bookOf({ title, author })).words).flat();
      const isFound = matches(condition, book);
      const inIndex = condition.words.every((term) =>
        term.some((start) => words.some((each) => each.startsWith(indexKey(start)))),
      );
      // Words longer than their key are checked again.
      if (condition.words.flat().every(fits)) assert.equal(isFound, inIndex);
      else assert.ok(inIndex || !isFound);
      if (title.length <= limit) assert.ok(foldWords(title).every((each) => words.includes(indexKey(each))));
    }),
    { numRuns: 60 },
  );
});
