import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { baseLetters, compareFolded, foldsTo, foldText, foldWords } from '../../src/catalogue/fold.ts';
import { sized } from '../support/size.ts';

const words: [text: string, words: string][] = [
  ['', ''],
  ['Pride & Prejudice', 'pride prejudice'],
  ["O'Brien's", 'obriens'],
  ['O`Brien O´Brien O‘Brien O’Brien OʼBrien Oʹbrien O＇Brien', Array(7).fill('obrien').join(' ')],
  ["Rock 'n' Roll, dogs' tails, O''Brien, 'tis 1'000", 'rock n roll dogs tails o brien tis 1000'],
  ['Qurʾān Hawaiʻi Gogolʹ obʺekt', 'quran hawaii gogol obekt'],
  ['col·lecció coŀlecció', 'colleccio colleccio'],
  ['Jo Nesbø, Ólafur Þór, Œuvres', 'jo nesbo olafur thor oeuvres'],
  ['ŁÓDŹ Łukasz Æsop Đorđe Ħal ŋ', 'lodz lukasz aesop dorde hal n'],
  ['สันติภาพ สงคราม', 'สันติภาพ สงคราม'],
  ['राम रमा', 'राम रमा'],
  ['כָּל כל', 'כל כל'],
  ['كِتَابـــ كتاب', 'كتاب كتاب'],
  ['أحمد', 'أحمد'.normalize('NFKD')],
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
  ['がぎ ｶﾞ', 'がぎ ガ'.normalize('NFKD')],
  ['\u{1f4da} \u{10400}', '\u{10428}'],
  ['a\u0000b\ufeffc', 'a bc'],
  ['zero\u200dwidth soft\u00adhyphen', 'zerowidth softhyphen'],
];
describe('words', () => {
  for (const [text, folded] of words) {
    test(JSON.stringify(text), () => {
      assert.equal(foldText(text), folded);
    });
  }

  test('of folded words are the same, and contain only letters, their marks and digits', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const once = foldWords(text);
        assert.deepEqual(foldWords(once.join(' ')), once);
        for (const word of once) assert.match(word, /^[\p{L}\p{M}\p{Nd}]+$/u);
      }),
      { numRuns: sized({ short: 400, long: 2000 }) },
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
      { numRuns: sized({ short: 400, long: 2000 }) },
    );
  });
});

test('the table of base letters has lower-case Latin letters that NFKD leaves alone', () => {
  for (const [letter, base] of baseLetters) {
    assert.match(letter, /^\p{Script=Latin}$/u);
    assert.equal(letter.toUpperCase().toLowerCase().normalize('NFKD'), letter);
    assert.match(base, /^[a-z]{1,2}$/);
    assert.equal(foldText(`${letter}${letter.toUpperCase()}x`), `${base}${base}x`);
  }
});

// Each would take minutes in quadratic time.
describe('a text of 1 MiB is folded in linear time', () => {
  const table: [what: string, text: string][] = [
    ['two runs of marks', '\u0301'.repeat(260_000) + '\u0316'.repeat(260_000)],
    ['marks in turns', '\u0301\u0316'.repeat(260_000)],
    ['kana sound marks after other marks', `\u1f82${'\uff9e\uff9f'.repeat(170_000)}`],
    ['what becomes a mark, among marks', '\uff9e\u0301\u0345\u0334'.repeat(110_000)],
    ['apostrophes between letters', "a'".repeat(260_000)],
    ['runs of apostrophes', "a''’".repeat(130_000)],
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

test('foldsTo compares with the folded text, however long it is', () => {
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
    { numRuns: sized({ short: 400, long: 2000 }) },
  );
  assert.ok(compareFolded('\uffee', '\u{10428}') < 0);
});
