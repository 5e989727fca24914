import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { compareFolded, foldsTo, foldText, foldWords } from '../../src/query/fold.ts';

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

/** What folding is defined as. Takes quadratic time for a run of marks. */
function foldWordsByDefinition(text: string): string[] {
  const bare = text.normalize('NFKD').replace(/\p{M}/gu, '');
  const folded = bare.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ');
  return folded.match(/[\p{L}\p{Nd}]+/gu) ?? [];
}

function* codePoints(): Generator<string> {
  for (let code = 0; code <= 0x10ffff; code++)
    if (code < 0xd800 || code > 0xdfff) yield String.fromCodePoint(code);
}

/** Characters whose decomposition depends on what is beside them, and some whose own has marks in it. */
const sensitive = [
  ...[
    'a',
    'é',
    'ệ',
    'e',
    'Å',
    '\u212b',
    'ς',
    'Σ',
    'İ',
    'ı',
    'ﬃ',
    'ﷺ',
    '\u1f82',
    '\u00b4',
    '\u037a',
    '\u1fed',
  ],
  ...[
    '\u0301',
    '\u0316',
    '\u0334',
    '\u0345',
    '\u0344',
    '\u0340',
    '\u0f77',
    '\u0f73',
    '\u093c',
    '\u20dd',
    '\u034f',
  ],
  ...['\u1100', '\u1161', '\u11a8', '\uac00', '\uac01', 'か', 'が', '\u3099', '\uff76', '\uff9e', '\uff9f'],
  ...[
    '\u0958',
    '\u0915',
    '\u0e33',
    '\u0e4d',
    '\u0eb3',
    '\ufb1d',
    '\u2adc',
    '\u{1d15e}',
    '\u{1d165}',
    '\u{11099}',
  ],
  ...[
    '\u0cc0',
    '\u09cb',
    '\u09be',
    '\u09c7',
    '\u{1133c}',
    '\u{16121}',
    '\ud800',
    '\udc00',
    '-',
    ' ',
    '1',
    '\u200d',
  ],
];

describe('marks removed before NFKD change no word', () => {
  test('of any code point, alone, before and after a letter, and among marks of other classes', () => {
    for (const each of codePoints()) {
      const text = `${each} a${each}b e\u0345${each}\u0334\u0301x${each}`;
      if (foldText(text) !== foldWordsByDefinition(text).join(' ')) assert.fail(JSON.stringify(text));
    }
  });

  test('of characters that NFKD reorders or takes apart, in any order', () => {
    const unit = fc.oneof(fc.constantFrom(...sensitive), fc.string({ unit: 'binary', maxLength: 2 }));
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
        const text = units.join('');
        assert.deepEqual(foldWords(text), foldWordsByDefinition(text));
      }),
      { numRuns: 20_000 },
    );
  });

  test('and leave nothing for NFKD to move, but the two kana sound marks', () => {
    const moved: string[] = [];
    for (const each of codePoints())
      if (!/\p{M}/u.test(each) && !`\u0345${each}`.normalize('NFKD').startsWith('\u0345')) moved.push(each);
    assert.deepEqual(moved, ['\uff9e', '\uff9f']);
  });
});

// Each would take minutes, were the time quadratic.
describe('a text of 1 MiB is folded in linear time', () => {
  const table: [what: string, text: string][] = [
    ['two runs of marks', '\u0301'.repeat(260_000) + '\u0316'.repeat(260_000)],
    ['marks in turns', '\u0301\u0316'.repeat(260_000)],
    ['kana sound marks after other marks', `\u1f82${'\uff9e\uff9f'.repeat(170_000)}`],
    ['what becomes a mark, among marks', '\uff9e\u0301\u0345\u0334'.repeat(110_000)],
    ['sigmas, which depend on what follows', `Σ${'.'.repeat(500_000)}Σ${'.Σ'.repeat(150_000)}`],
  ];
  for (const [what, hostile] of table) {
    test(what, () => {
      const [first, ...others] = foldWords(`Emma${hostile} Austen`);
      assert.equal(first?.startsWith('emma'), true);
      assert.equal(others.at(-1), 'austen');
    });
  }
});

test('a text folds to its folded text, and to no other one, however long it is', () => {
  const marks = '\u0301'.repeat(5000);
  for (const text of [
    '',
    'Émma',
    `${marks}Émma${marks}!`,
    'Aé '.repeat(9000),
    `${'\u{10400}'.repeat(3999)}x`,
    marks,
  ]) {
    const folded = foldText(text);
    assert.ok(foldsTo(text, folded));
    for (const other of [`${folded}a`, `a${folded}`, `${folded} a`, 'zz']) assert.ok(!foldsTo(text, other));
    if (folded !== '') assert.ok(!foldsTo(text, folded.slice(0, -1)));
  }
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
