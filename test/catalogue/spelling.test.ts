import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { formOf } from '../../src/catalogue/author-variants.ts';
import { duplicateKey, normalizeForComparison } from '../../src/catalogue/duplicates.ts';
import { baseLetters, foldWords, toLetters } from '../../src/catalogue/fold.ts';
import { isWholeText, wholeText } from '../../src/catalogue/spelling.ts';
import { bookOf } from '../support/books.ts';

/** Whether two texts are the same, by a filter and by the duplicates. */
function isSame(a: string, b: string): boolean {
  const is = isWholeText(a, wholeText(b));
  assert.equal(isWholeText(b, wholeText(a)), is, JSON.stringify([a, b]));
  const [one, other] = [a, b].map((title) => duplicateKey(normalizeForComparison(bookOf({ title }))));
  if (is) assert.equal(one, other);
  return is;
}

/** All characters that match a pattern. */
function charactersOf(pattern: RegExp): string[] {
  const all: string[] = [];
  for (let code = 0; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    const character = String.fromCodePoint(code);
    if (pattern.test(character)) all.push(character);
  }
  return all;
}

/** Marks of these scripts do not distinguish letters; those that are `Inherited` belong to several. */
const accented =
  /^[\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\u0300-\u036f\u0485\u0486\u1ab0-\u1ace\u1dc0-\u1dff\u20d0-\u20f0\ufe20-\ufe2f]$/u;
const harakat = Array.from('\u064b\u064c\u064d\u064e\u064f\u0650\u0651\u0652\u0670');

describe('a mark', () => {
  const marks = charactersOf(/^\p{M}$/u);
  const ofOthers = marks.filter((mark) =>
    /^[^\p{sc=Latn}\p{sc=Grek}\p{sc=Cyrl}\p{sc=Hebr}\p{sc=Arab}\p{sc=Zinh}]$/u.test(mark),
  );

  test('of Latin, Greek or Cyrillic does not distinguish texts; nor do niqqud and harakat', () => {
    const ignored = marks
      .filter((mark) => accented.test(mark) || /^\p{sc=Hebr}$/u.test(mark))
      .concat(harakat);
    assert.ok(ignored.length > 300);
    for (const mark of ignored)
      for (const letter of ['e', 'ω', 'ж', 'ש', 'ك'])
        assert.ok(isSame(`${letter}${mark}x`, `${letter}x`), mark.codePointAt(0)?.toString(16));
  });

  test('of another script is a letter: texts with another one, or without it, are others', () => {
    assert.ok(ofOthers.length > 1000);
    const isVisible = (mark: string) => !/^\p{DI}$/u.test(mark);
    let last = 'x';
    for (const mark of ofOthers.filter(isVisible)) {
      const code = mark.codePointAt(0)?.toString(16) ?? '';
      assert.ok(!isSame(`क${mark}र`, 'कर'), code);
      if (mark.normalize('NFKD') !== last.normalize('NFKD')) assert.ok(!isSame(`क${mark}`, `क${last}`), code);
      assert.notEqual(formOf(`क${mark}र`).words, formOf('कर').words, code);
      last = mark;
    }
  });

  test('that voices kana, or that is a hamza, is a letter', () => {
    for (const [a, b] of [
      ['は', 'ば'],
      ['は', 'ぱ'],
      ['ハ', 'ﾊﾞ'],
      ['ا', 'أ'],
      ['ا', 'آ'],
      ['و', 'ؤ'],
    ] as const)
      assert.ok(!isSame(a, b), `${a} ${b}`);
    assert.ok(isSame('バ', 'ﾊﾞ'));
  });
});

test('format characters, tatweel and variation selectors are not there', () => {
  for (const character of charactersOf(/^(?:\p{Cf}|\u0640|[\ufe00-\ufe0f])$/u)) {
    const code = character.codePointAt(0)?.toString(16);
    assert.ok(isSame(`Em${character}ma${character} Woodhouse`, 'Emma Woodhouse'), code);
    assert.equal(toLetters(`क${character}र`), 'कर', code);
  }
});

test('case, width, ligatures, base letters, spaces and punctuation do not distinguish texts', () => {
  for (const [letter, base] of baseLetters)
    assert.ok(isSame(`${letter.toUpperCase()} x`, `${base} X`), letter);
  for (const texts of [
    ['Straße', 'STRASSE', 'ｓｔｒａｓｓｅ', 'straſſe'],
    ['ﬁne', 'fine'],
    ['Σίσυφος', 'ΣΙΣΥΦΟΣ'],
    ['J. R. R. Tolkien', 'J R R Tolkien', '“J.” R. R. Tolkien!'],
    ["O'Brien", 'O’Brien', 'OʼBrien', 'O´Brien', 'OBrien'],
    ['Ibn ʿArabī', 'Ibn Arabi'],
  ])
    for (const text of texts) assert.ok(isSame(text, texts[0] ?? ''), text);
});

test('signs distinguish texts, and so does punctuation alone', () => {
  const texts = [
    'C',
    'C+',
    'C++',
    'C#',
    'C*',
    'C&',
    'C%',
    '@C',
    '$C',
    'C=',
    '<C>',
    'C|',
    'C~',
    'C^',
    'C❤',
    'C∞',
    'C€',
    '¬C',
  ];
  texts.push('?', '!', '…', '❤', '∞', '+', '', '\0', '\u0001');
  for (const a of texts) for (const b of texts) assert.equal(isSame(a, b), a === b, JSON.stringify([a, b]));
  assert.ok(isSame('C＋＋', 'c ++'));
});

// In quadratic time, each would take minutes.
test('a text of 100,000 letters is spelled in linear time', () => {
  for (const hostile of [
    '\u093c\u094d'.repeat(50_000),
    '\uff9e\u093c'.repeat(50_000),
    '\u0301\u0316'.repeat(50_000),
    "a'".repeat(50_000),
  ])
    assert.equal(foldWords(`Émma ${hostile}`)[0], 'emma');
});
