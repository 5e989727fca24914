import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  joinedParts,
  isConjunction,
  isUnspaced,
  sequencesOf,
  spellOut,
  symbolsOf,
} from '../../src/catalogue/word-forms.ts';
import { searchTerms } from '../../src/catalogue/words.ts';

test('letters that are also typed as two are spelled out, also as a letter and a mark', () => {
  const letters = 'äöüøåÄÖÜØÅ';
  assert.equal(spellOut(letters), 'aeoeueoeaaAeOeUeOeAa');
  assert.equal(spellOut('a\u0308 A\u030a'), 'ae Aa');
  assert.equal(spellOut('é ß e\u0301'), 'é ß e\u0301');
});

test('words that mean the same as & are conjunctions, in the languages of the page', () => {
  for (const word of ['and', 'und', 'et', 'y', 'e']) assert.ok(isConjunction(word), word);
  for (const word of ['', 'or', 'a', 'an']) assert.ok(!isConjunction(word), word);
});

describe('the sequences of words of a text', () => {
  const table: [text: string, sequences: string[]][] = [
    ['War and Peace', ['war peace']],
    ['Krieg und Frieden', ['krieg frieden']],
    ['Guerre et paix', ['guerre paix']],
    ['Guerra y paz', ['guerra paz']],
    ['and', ['and']],
    ['Spider-Man', ['spider man', 'spiderman']],
    ['Spider--Man', ['spider man']],
    ['U.S.A.', ['u s a', 'usa']],
    ['J. K. Rowling', ['j k rowling', 'jk rowling']],
    ['Müller', ['muller', 'mueller']],
    ['', ['']],
  ];
  for (const [text, sequences] of table)
    test(JSON.stringify(text), () => {
      const found = sequencesOf(text).map((words) => words.join(' '));
      assert.deepEqual([...new Set(found)], sequences);
    });
});

describe('the parts of words that belong together', () => {
  const table: [text: string, parts: string[][]][] = [
    ['Spider-Man', [['spider', 'man']]],
    ['a--b', []],
    ['-a', []],
    ['a-', []],
    ['a - b', []],
    ['J.K.', [['j', 'k']]],
    ['J. K. Xaver', [['j', 'k']]],
    ['J. K. X', [['j', 'k', 'x']]],
    ['J.', []],
    ['Le Guin', [['le', 'guin']]],
    ['De La Cruz', [['de', 'la', 'cruz']]],
    ['le guin', []],
    ["O'Brien-Smith", [['obrien', 'smith']]],
    ['Le Évêque', [['le', 'eveque']]],
  ];
  for (const [text, parts] of table)
    test(JSON.stringify(text), () => {
      assert.deepEqual(joinedParts(text), parts);
    });
});

test('symbols beyond ASCII are words, each once', () => {
  assert.deepEqual(symbolsOf('🙂 a € 🙂 ∑ + $'), ['🙂', '€', '∑']);
  assert.deepEqual(symbolsOf('abc'), []);
});

test('scripts without spaces between words', () => {
  const unspaced = ['漢', 'ひ', 'カ', 'ㄅ', 'ก', 'ກ', 'ក', 'က', 'ᥐ', 'ᦀ', 'ᨠ', 'ꪀ', '𑜀'];
  for (const letter of unspaced) assert.ok(isUnspaced(`${letter}x`), letter);
  for (const letter of ['a', 'é', 'ж', 'א', '가', 'अ']) assert.ok(!isUnspaced(letter), letter);
  assert.ok(!isUnspaced('a漢'));
});

describe('further words by which search finds a text', () => {
  const table: [text: string, terms: string[]][] = [
    ["O'Brien", ['obrien', 'brien']],
    ["d'un-x", ['dun', 'x', 'dunx', 'un']],
    ['村上', ['村上', '上']],
    ['הספר', ['הספר', 'ספר']],
    ['שהספר', ['שהספר', 'הספר', 'ספר']],
    ['בא', ['בא']],
    ['ספרה', ['ספרה']],
    ['الكتاب', ['الكتاب', 'كتاب']],
    ['والكتاب', ['والكتاب', 'الكتاب', 'كتاب']],
    ['آمال', ['آمال', 'امال']],
    ['C++', ['c++']],
    ['emma', ['emma']],
  ];
  for (const [text, terms] of table)
    test(text, () => {
      const found = [...new Set(searchTerms(text).map((word) => word.normalize('NFC')))];
      assert.deepEqual(found, terms);
    });
});
