import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { singleEdits } from '../../src/catalogue/correction.ts';

describe('the single edits of a word', () => {
  const table: [word: string, has: string[], hasNot: string[]][] = [
    [
      'emma',
      ['ema', 'emm', 'mma', 'enma', 'emmas', 'xemma', 'eemma', 'mema', 'emam'],
      ['emma', 'em', 'emm4'],
    ],
    ['2001', ['2010', '201', '20010', '2002'], ['200a']],
    ['catch22', ['catch2', 'catch21', 'catchy22'], []],
    ['эмма', ['эма', 'эммы', 'мэма'], ['emma']],
  ];
  for (const [word, has, hasNot] of table) {
    test(word, () => {
      const edits = singleEdits(word);
      assert.equal(new Set(edits).size, edits.length);
      assert.deepEqual(
        hasNot.filter((each) => edits.includes(each)),
        [],
      );
      assert.deepEqual(
        has.filter((each) => !edits.includes(each)),
        [],
      );
    });
  }

  test('are none of a short and of a very long word', () => {
    for (const word of ['', 'a', 'em', 'x'.repeat(33), '\u{10428}\u{10428}'])
      assert.deepEqual(singleEdits(word), []);
    assert.ok(singleEdits('x'.repeat(32)).length > 0);
  });

  test('of Chinese characters are only shorter words and exchanged neighbours', () => {
    assert.deepEqual(singleEdits('红楼梦').sort(), ['楼梦', '楼红梦', '红梦', '红梦楼', '红楼'].sort());
  });

  test('of a word in many scripts are few', () => {
    assert.ok(singleEdits('aбγ\u0561ﬀאبกကრአᚠ').length < 30);
  });

  test('split no pair of surrogates', () => {
    for (const edit of singleEdits('a\u{10428}b\u{10429}')) assert.ok(edit.isWellFormed(), edit);
  });
});
