import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { replacementsOf } from '../../src/catalogue/correction.ts';

describe('a word of the catalogue that may stand for a typed one', () => {
  const table: [typed: string, word: string, errors: number | undefined][] = [
    ['emna', 'emma', 1],
    ['mema', 'emma', 1],
    ['emma', 'emma', undefined],
    ['tolkein', 'tolkien', 1],
    ['tolkain', 'tolkien', 2],
    // Either word may be the long one.
    ['ilgim', 'pilgrim', 2],
    ['sanndiiton', 'sanditon', 2],
    ['pamse', 'emma', undefined],
    ['ema', 'emma', 1],
    ['abcdef', 'abcdxy', undefined],
    ['abcdefg', 'abcdexy', 2],
    ['abcdefg', 'abcdxyz', undefined],
    ['abcdef', 'abcdefgh', 2],
    ['abcdefg', 'abcdefghi', 2],
    ['abcdefg', 'abcdefghij', undefined],
    ['abcdefghij', 'abcdefg', undefined],
    [`${'x'.repeat(31)}y`, 'x'.repeat(32), 1],
    ['xyzw', 'mnop', undefined],
    ['\ud83d\ude42abcdef', '\ud83d\ude43abcdef', 1],
    ['abcdefg', '\u{1f642}\u{1f642}\u{1f642}', undefined],
    ['em', 'emma', undefined],
    ['x'.repeat(33), 'x'.repeat(32), undefined],
    ['эмма', 'эммы', 1],
    ['红楼夢', '红楼梦', 1],
    ['\u{10428}\u{10428}\u{10428}', '\u{10428}\u{10428}\u{10429}', 1],
  ];
  for (const [typed, word, errors] of table)
    test(`${word.slice(0, 20)} for ${typed.slice(0, 20)}: ${errors ?? 'none'}`, () => {
      assert.equal(replacementsOf(typed, false)(word)?.errors, errors);
    });

  test('may be the beginning of a word where the typed one is the last', () => {
    assert.equal(replacementsOf('podt', false)('potter'), undefined);
    assert.deepEqual(replacementsOf('podt', true)('potter'), {
      word: 'pott',
      errors: 1,
      isStart: true,
      hasOtherFirst: false,
    });
  });

  test('says whether it begins with another letter', () => {
    assert.equal(replacementsOf('nana', false)('kana')?.hasOtherFirst, true);
    assert.equal(replacementsOf('nana', false)('nano')?.hasOtherFirst, false);
  });
});

test('the last word of a query may stand for the beginning of a longer word, and never for more than there is', () => {
  const found = (typed: string, word: string) => replacementsOf(typed, true)(word);
  assert.deepEqual(found('emna', 'emma'), { word: 'emma', errors: 1, isStart: false, hasOtherFirst: false });
  assert.deepEqual(found('tolkain', 'tolkiensbooks')?.word, 'tolkien');
  assert.equal(found('emma', 'emmas'), undefined);
  assert.equal(found('abc', 'xyzuvwklmnopqrst'), undefined);
  assert.equal(found('xtolkin', 'tolkienandalltheothers')?.isStart, true);
  assert.equal(found('em', 'ema'), undefined);
  assert.deepEqual(found('abdc', 'abcd'.repeat(20))?.word, 'abcd');
});
