import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { foldWords } from '../../src/query/fold.ts';
import { indexKey, indexWords } from '../../src/query/index-terms.ts';
import { matches, toCondition } from '../../src/query/query.ts';
import { answer } from '../support/model.ts';

const limit = 32_768;

describe('the words of a book for an index', () => {
  const table: [what: string, title: string, author: string, words: string[], isComplete: boolean][] = [
    ['are folded, and each is there once', 'Émma & EMMA', 'Jane Émma', ['emma', 'jane'], true],
    ['are none without letters and digits', ' ¡! ', '', [], true],
    ['end after 64 code points', `${'é'.repeat(70)} x`, '', ['e'.repeat(64), 'x'], true],
    ['end after 64 pairs of surrogates', '\u{10400}'.repeat(70), '', ['\u{10428}'.repeat(64)], true],
    [
      'are alike when the first 64 code points are',
      `${'a'.repeat(64)}b`,
      'a'.repeat(65),
      ['a'.repeat(64)],
      true,
    ],
    ['fill a text of 32,768 units', `${'-'.repeat(limit - 4)}emma`, 'x', ['emma', 'x'], true],
    ['do not come after the first 32,768 units', `${'-'.repeat(limit)}emma`, 'x', ['x'], false],
    ['have no word that the limit cuts', `a${'-'.repeat(limit - 4)}emma`, 'x', ['a', 'x'], false],
    ['have a word that ends before the limit', `${'-'.repeat(limit - 5)}emma emma2`, '', ['emma'], false],
    [
      'have no word that the limit cuts within a pair of surrogates',
      `a${'-'.repeat(limit - 4)}bc\u{10400}d`,
      '',
      ['a'],
      false,
    ],
    [
      'have the start of a word that is longer than an index holds',
      `${'-'.repeat(limit - 65)}${'b'.repeat(99)}`,
      '',
      ['b'.repeat(64)],
      false,
    ],
    ['have a book that is one long word', '红'.repeat(40_000), 'x', ['红'.repeat(64), 'x'], false],
    ['have the author of a title that is too long', '\u0301'.repeat(500_000), 'Jane', ['jane'], false],
  ];
  for (const [what, title, author, words, isComplete] of table) {
    test(what, () => {
      assert.deepEqual(indexWords(title, author), { words, isComplete });
    });
  }

  test('are the first 4,096 different ones of each text', () => {
    const many = (start: string) => Array.from({ length: 4097 }, (_, i) => start + i.toString(36)).join(' ');
    const { words, isComplete } = indexWords(`a0 a0 a0 ${many('a')}`, many('b'));
    assert.ok(!isComplete);
    assert.equal(words.length, 2 * 4096);
    assert.ok(words.includes(`b${(4095).toString(36)}`));
    assert.ok(!words.includes(`a${(4096).toString(36)}`));
    assert.ok(indexWords('word '.repeat(6000), 'x').isComplete);
  });

  test('are all of a hostile title that can be found, which takes no minutes', () => {
    const title = `Emma ${'\u0301'.repeat(260_000)}${'\u0316'.repeat(260_000)} end`;
    assert.deepEqual(indexWords(title, ''), { words: ['emma'], isComplete: false });
    assert.ok(matches(toCondition({ q: 'emm' }), { id: 1, title, author: '', year: 0 }));
    assert.ok(!matches(toCondition({ q: 'end' }), { id: 1, title, author: '', year: 0 }));
    assert.ok(matches(toCondition({ title: 'emma end' }), { id: 1, title, author: '', year: 0 }));
  });
});

/** Texts about as long as the limit, and words beside it. */
const nearLimit = fc
  .tuple(
    fc.constantFrom('', 'ab ', 'é', '-', '\u{10400}', '红楼 ', 'a\u0301'),
    fc.integer({ min: -70, max: 3 }),
    fc.array(fc.constantFrom('a', 'ab', 'É', '\u{10400}', '\u0301', ' ', 'b'.repeat(70), '½', 'ς'), {
      maxLength: 9,
    }),
  )
  .map(([filler, offset, rest]) => {
    const length = filler === '' ? 0 : limit + offset;
    return filler.repeat(length / Math.max(1, filler.length)).padEnd(length, '-') + rest.join('');
  });
const question = fc.constantFrom('a', 'ab', 'e', 'b'.repeat(65), '\u{10428}', '红', 'a e', '12', 'σ', 'bb');

test('a book fits a query as the index says and as the plainest code says, at the limits too', () => {
  fc.assert(
    fc.property(nearLimit, nearLimit, question, (title, author, q) => {
      const book = { id: 1, title, author, year: 0 };
      const condition = toCondition({ q });
      const { words } = indexWords(title, author);
      const isFound = matches(condition, book);
      const inIndex = condition.words.every((start) =>
        words.some((each) => each.startsWith(indexKey(start))),
      );
      // A second look is for words that the index holds the start of.
      if (condition.words.every((start) => indexKey(start) === start)) assert.equal(isFound, inIndex);
      else assert.ok(inIndex || !isFound);
      assert.equal(isFound, answer([book], { q }).length === 1);
      if (title.length <= limit) assert.ok(foldWords(title).every((each) => words.includes(indexKey(each))));
    }),
    { numRuns: 60 },
  );
});
