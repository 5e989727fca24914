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
