import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { BookFields } from '../../src/catalogue/book.ts';
import { DuplicateIndex } from '../../src/catalogue/duplicate-index.ts';
import { bookOf } from '../support/books.ts';

function book(title: string, author = '', year = 0): BookFields {
  return bookOf({ title, author, year });
}

/** Finds a row in a catalogue of these books, whose ids are 1, 2, 3, … */
function findDuplicate(catalogue: BookFields[], row: BookFields) {
  const duplicates = new DuplicateIndex((text) => text);
  for (const [i, fields] of catalogue.entries()) duplicates.addBook({ id: i + 1, ...fields });
  return duplicates.find(row);
}

describe('two spellings of one title are duplicates', () => {
  const table: [what: string, one: string, other: string][] = [
    ['case', 'Emma', 'eMMA'],
    ['ß and ss', 'Straße', 'STRASSE'],
    ['final sigma', 'ΟΔΥΣΣΕΥΣ', 'Οδυσσευς'],
    ['final sigma and the other', 'οδυσσευς', 'οδυσσευσ'],
    ['an accent, composed and decomposed', 'Grandpr\u00e9', 'Grandpre\u0301'],
    ['an accent and none', 'Grandpré', 'GRANDPRE'],
    ['two accents in either order', 'a\u0323\u0302', 'a\u0302\u0323'],
    ['the Turkish i', 'İstanbul', 'istanbul'],
    ['spacing', 'The  Hobbit ', ' The Hobbit'],
    ['spacing and none', 'Moby Dick', 'MobyDick'],
    ['a space that does not break', 'Moby\u00a0Dick', 'Moby Dick'],
    ['a tab and a line break', 'Moby\tDick', 'Moby\r\nDick'],
    ['a wide space', 'Moby\u3000Dick', 'Moby Dick'],
    ['full width', 'ＥＭＭＡ　２', 'Emma 2'],
    ['half-width katakana', 'ｱｲ', 'アイ'],
    ['a ligature', 'Oﬃce', 'office'],
    ['Hangul, composed and decomposed', '\uac00', '\u1100\u1161'],
    ['no title at all', '', ' '],
    ['punctuation', 'Moby-Dick', 'Moby Dick'],
    ['apostrophes', 'O’Brien', 'OBrien'],
    ['ß and ẞ', 'Straße', 'STRAẞE'],
    ['ẞ and SS', 'STRAẞE', 'STRASSE'],
  ];
  for (const [what, one, other] of table) {
    test(what, () => {
      for (const [first, second] of [
        [one, other],
        [other, one],
      ] as const) {
        assert.deepEqual(findDuplicate([book(first)], book(second)), { id: 1, isExact: false });
        assert.deepEqual(findDuplicate([book('A', first)], book('a', second)), {
          id: 1,
          isExact: false,
        });
      }
    });
  }
});

describe('different books are not duplicates', () => {
  const table: [what: string, one: BookFields, other: BookFields][] = [
    ['another title', book('Emma'), book('Emmas')],
    ['another author', book('Emma', 'A'), book('Emma', 'B')],
    ['another year', book('Emma', 'A', 1815), book('Emma', 'A', 1816)],
    ['a year of the other sign', book('Emma', 'A', 1), book('Emma', 'A', -1)],
    ['title and author the other way round', book('A', 'B'), book('B', 'A')],
    ['title and author parted elsewhere', book('A B', 'C'), book('A', 'B C')],
    ['signs', book('C++'), book('C#')],
    ['nothing but punctuation', book('?'), book('!')],
    ['a quote', book('A","B'), book('A', 'B')],
    ['vowel signs of Devanagari', book('दिन'), book('दीन')],
    ['sounds of Japanese', book('かき'), book('かぎ')],
  ];
  for (const [what, one, other] of table) {
    test(what, () => {
      assert.equal(findDuplicate([one], other), undefined);
      assert.equal(findDuplicate([other], one), undefined);
    });
  }
});

describe('a duplicate has the id of its book, and whether all fields are equal', () => {
  const table: [what: string, catalogue: BookFields[], row: BookFields, found: object | undefined][] = [
    ['the same', [book('A', 'B', 1)], book('A', 'B', 1), { id: 1, isExact: true }],
    ['another spelling', [book('A', 'B', 1)], book('a', 'B', 1), { id: 1, isExact: false }],
    ['composed otherwise', [book('\u00e9')], book('e\u0301'), { id: 1, isExact: false }],
    ['several alike: the lowest id', [book('X'), book('A'), book('a')], book('Á'), { id: 2, isExact: false }],
    ['several alike, one the same', [book('A'), book('a')], book('a'), { id: 1, isExact: true }],
    ['an empty catalogue', [], book('A'), undefined],
  ];
  for (const [what, catalogue, row, found] of table) {
    test(what, () => {
      assert.deepEqual(findDuplicate(catalogue, row), found);
    });
  }
});

describe('rows of one file', () => {
  test('the second of two similar rows is a duplicate without an id', () => {
    const duplicates = new DuplicateIndex((text) => text);
    assert.equal(duplicates.find(book('A')), undefined);
    assert.deepEqual(duplicates.find(book('A')), { isExact: true });
    assert.equal(duplicates.find(book('a '))?.id, undefined);
    assert.equal(duplicates.find(book('a', '', 1)), undefined);
  });

  test('a row that was not stored is removed', () => {
    const duplicates = new DuplicateIndex((text) => text);
    duplicates.find(book('A'));
    duplicates.forget(book('A'));
    assert.equal(duplicates.find(book('a')), undefined);
  });

  test('of several similar rows, the first is the duplicate of the book in the catalogue', () => {
    const duplicates = new DuplicateIndex((text) => text);
    duplicates.addBook({ id: 7, ...book('A') });
    assert.deepEqual(duplicates.find(book('a')), { id: 7, isExact: false });
    assert.deepEqual(duplicates.find(book('a')), { isExact: true });
  });
});

// Quadratic work takes minutes here: the test ends, or the runner ends it.
for (const [what, marks] of [
  ['accents', '\u0301'.repeat(130_000) + '\u0316'.repeat(130_000)],
  ['vowel signs', '\u0e38'.repeat(130_000) + '\u0e48'.repeat(130_000)],
]) {
  test(`a title with 260,000 ${what} in a row holds up no import`, () => {
    const hostile = book(`Emma${marks}`);
    assert.equal(findDuplicate([book('Other'), hostile], hostile)?.id, 2);
  });
}
