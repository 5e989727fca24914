import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compareFolded, foldText, foldWords } from '../../src/query/fold.ts';

const words: [text: string, words: string][] = [
  ['', ''],
  ['Pride & Prejudice', 'pride prejudice'],
  ["O'Brien's", 'o brien s'],
  ['Nineteen-Eighty_Four', 'nineteen eighty four'],
  ['  2001: A Space Odyssey ', '2001 a space odyssey'],
  ['Grandpré', 'grandpre'],
  ['GRANDPRE\u0301', 'grandpre'],
  ['Straße', 'strasse'],
  ['STRAẞE', 'strasse'],
  ['ſuch', 'such'],
  ['Σίσυφος', 'σισυφοσ'],
  ['ΣΊΣΥΦΟΣ', 'σισυφοσ'],
  ['ΟΔΟΣ x', 'οδοσ x'],
  ['İstanbul', 'istanbul'],
  ['ısı', 'isi'],
  ['ＦＵＬＬ ｗｉｄｔｈ', 'full width'],
  ['ﬁne ﬀ', 'fine ff'],
  ['Ǆ ǅ ǆ', 'dz dz dz'],
  ['x² ½', 'x2 1 2'],
  ['٣٤ ३४', '٣٤ ३४'],
  ['红楼梦', '红楼梦'],
  ['한국', '한국'.normalize('NFKD')],
  ['がぎ', 'かき'],
  ['\u{1f4da} \u{10400}', '\u{10428}'],
  ['a\u0000b\ufeffc', 'a b c'],
  ['zero\u200dwidth', 'zero width'],
];
describe('words', () => {
  for (const [text, folded] of words) {
    test(JSON.stringify(text), () => {
      assert.equal(foldText(text), folded);
    });
  }

  test('of words are the same words, and hold nothing but letters and digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = foldWords(text);
        assert.deepEqual(foldWords(once.join(' ')), once);
        for (const word of once) assert.match(word, /^[\p{L}\p{Nd}]+$/u);
      }),
      { numRuns: 2000 },
    );
  });

  test('do not depend on case, or on how accents are written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        // The iota below a Greek letter is a mark, and in capitals a letter.
        fc.pre(!text.normalize('NFD').includes('\u0345'));
        for (const other of [text.normalize('NFC'), text.normalize('NFD'), text.toUpperCase()])
          assert.equal(foldText(other), foldText(text));
      }),
      { numRuns: 2000 },
    );
  });
});

test('folded texts are ordered like their bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      const bytes = Buffer.compare(Buffer.from(a), Buffer.from(b));
      assert.equal(Math.sign(compareFolded(a, b)), bytes);
    }),
    { numRuns: 2000 },
  );
  assert.ok(compareFolded('\uffee', '\u{10428}') < 0);
});
