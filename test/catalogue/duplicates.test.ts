import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import {
  areDuplicates,
  differingWords,
  duplicateKey,
  normalizeForComparison,
  isWithinOneEdit,
} from '../../src/catalogue/duplicates.ts';
import type { DuplicateLevel } from '../../src/catalogue/duplicate-levels.ts';
import type { BookFields } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { sized } from '../support/size.ts';

const emma = { title: 'Emma', author: 'Jane Austen', year: 1815 };

/** The levels at which two books are duplicates. */
function levelsOf(one: Partial<BookFields>, other: Partial<BookFields>): DuplicateLevel[] {
  const [a, b] = [normalizeForComparison(bookOf(one)), normalizeForComparison(bookOf(other))];
  const levels = (['same', 'year', 'typo'] as const).filter((level) => areDuplicates(level, a, b));
  assert.deepEqual(
    levels,
    (['same', 'year', 'typo'] as const).filter((level) => areDuplicates(level, b, a)),
  );
  assert.equal(duplicateKey(a) === duplicateKey(b), levels.includes('same'));
  assert.equal(
    duplicateKey({ texts: a.texts }) === duplicateKey({ texts: b.texts }),
    levels.includes('year'),
  );
  return levels;
}

describe('levels of duplicates', () => {
  const all: DuplicateLevel[] = ['same', 'year', 'typo'];
  const table: [what: string, other: Partial<BookFields>, levels: DuplicateLevel[]][] = [
    ['an equal book', {}, all],
    ['letters that are typed as others', { title: 'Ɇmmⱥ', author: 'Jånɇ Austɇn' }, all],
    ['case, accents, spacing and punctuation', { title: ' émma! ', author: 'JANE-AUSTEN' }, all],
    ['another year', { year: 1816 }, ['year']],
    ['an unknown year', { year: 0 }, ['year', 'typo']],
    ['a missing letter in the title', { title: 'Emm' }, ['typo']],
    ['a missing letter in the author', { author: 'Jane Asten' }, ['typo']],
    ['a typing error and an unknown year', { title: 'Ema', year: 0 }, ['typo']],
    ['a typing error and another year', { title: 'Ema', year: 1816 }, []],
    ['a typing error in the title and in the author', { title: 'Ema', author: 'Jane Asten' }, []],
    ['two typing errors', { title: 'Ea' }, []],
    ['a typing error in the title and a space in the author', { title: 'Ema', author: 'Jane Aus Ten' }, []],
    ['another author', { author: 'A. McCall Smith' }, []],
  ];
  for (const [what, other, levels] of table) {
    test(`${what}: ${levels.join(', ') || 'none'}`, () => {
      assert.deepEqual(levelsOf(emma, { ...emma, ...other }), levels);
    });
  }
});

describe('titles that differ by a typing error', () => {
  const table: [one: string, other: string][] = [
    ['The Hobbit', 'The Hobit'],
    ['The Hobbit', 'The Hobbbit'],
    ['The Hobbit', 'The Hobbyt'],
    ['The Hobbit', 'The Hbobit'],
    ['The Hobbit', 'TheHobbit'],
    ['The Hobbit', 'Th eHobbit'],
    ['The Hobbit', 'The Hob-bit'],
    ['Les Misérables', 'Les Miserable'],
    ['Emma', 'Emam'],
    ['Emma', 'Ema'],
    ['Emma', 'Emms'],
    ['Emma and the Deer', 'Emma and the Beer'],
    ['Part I of Dune', 'Part I of Dunes'],
    ['Dune 2', 'Dunes 2'],
    ['1984', '1984x'],
    ['村上春樹の本', '村上春樹本'],
    ['Война и мир', 'Война и мирр'],
    ['Hobbits', 'Robbits'],
    ['Rabbit', 'Babbit'],
    ['Only the Cat', 'Only the Bat'],
    ['Ivanhoe x', 'Ivanhoe xy'],
    ['The Dreams', 'The Creams'],
  ];
  for (const [one, other] of table) {
    test(`${one} / ${other}`, () => {
      assert.ok(levelsOf({ title: one }, { title: other }).includes('typo'));
    });
  }
});

describe('titles of different books', () => {
  const table: [one: string, other: string][] = [
    ['Volume 1', 'Volume 2'],
    ['Volume 1', 'Volume 11'],
    ['Volume 1 2', 'Volume 12'],
    ['Volume 12', 'Volume 21'],
    ['Volume', 'Volume1'],
    ['Dune (Dune, #1)', 'Dune (Dune, #2)'],
    ['Part I', 'Part II'],
    ['Part IV', 'Part V'],
    ['Part IX', 'Part XI'],
    ['Part I: Emma', 'Part II: Emma'],
    ['Plan A', 'Plan B'],
    ['Emma', 'Emma 2'],
    ['Rocky', 'Rocky V'],
    ['1984', '1985'],
    ['٣ الجزء', '٤ الجزء'],
    ['It', 'If'],
    ['Ema', 'Ems'],
    ['Em', 'Ema'],
    ['C++', 'C#'],
    ['Algorithms in C', 'Algorithms in C#'],
    ['Algorithms in C', 'Algorithms in C+'],
    ['काल', 'कला'],
    ['กิน', 'กัน'],
    ['?', '!'],
    ['', 'A'],
    ['Hobbit', 'Rabbit'],
    ['Deer', 'Beer'],
    ['The Deer', 'The Beer'],
    ['Cats', 'Bats'],
    ['Deers', 'Beers'],
    ['A Deers', 'A Beers'],
    ['Part C of 9', 'Part C of 8'],
  ];
  for (const [one, other] of table) {
    test(`${one} / ${other}`, () => {
      assert.deepEqual(levelsOf({ title: one }, { title: other }), []);
    });
  }
});

/** All texts over an alphabet that one edit makes of a text, and the text itself. */
function editsOf(text: string, alphabet: string): Set<string> {
  const edits = new Set([text]);
  for (let i = 0; i <= text.length; i++) {
    const [start, end] = [text.slice(0, i), text.slice(i)];
    edits.add(start + end.slice(1));
    edits.add(start + end.slice(1, 2) + end.slice(0, 1) + end.slice(2));
    for (const letter of alphabet) edits.add(start + letter + end).add(start + letter + end.slice(1));
  }
  return edits;
}

test('finds exactly the texts that one edit makes of a text', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 5 });
  fc.assert(
    fc.property(text, text, (one, other) => {
      assert.equal(isWithinOneEdit(one, other), editsOf(one, 'abc').has(other));
    }),
    { numRuns: sized({ short: 400, long: 2000 }) },
  );
});

test('only the words between the first and the last that differ are compared', () => {
  const words = (text: string) => text.split(' ');
  const table: [a: string, b: string, differing: [string, string]][] = [
    ['a b c', 'a x c', ['b', 'x']],
    ['a b', 'a b c', ['', 'c']],
    ['b c', 'a b c', ['', 'a']],
    ['a b c d', 'a x y d', ['b c', 'x y']],
    ['a a', 'a a a', ['', 'a']],
    ['a', 'a', ['', '']],
    ['a', 'b', ['a', 'b']],
  ];
  for (const [a, b, differing] of table)
    assert.deepEqual(
      differingWords(words(a), words(b)).map((some) => some.join(' ')),
      differing,
      `${a} / ${b}`,
    );
});
