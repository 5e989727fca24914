import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { highlightedWords, highlights } from '../../src/catalogue/highlights.ts';

/** A text with its highlights in square brackets. */
function marked(text: string, q: string, isWithin = false): string {
  const spans = highlights(text, highlightedWords({ q }).title, isWithin);
  return spans.reduceRight(
    (rest, [start, end]) => `${rest.slice(0, start)}[${rest.slice(start, end)}]${rest.slice(end)}`,
    text,
  );
}

describe('words of a query are marked where they begin a word of a text', () => {
  const table: [q: string, expected: string][] = [
    ['harry po', '[Harry] [Po]tter and the Goblet of Fire'],
    ['HARRY', '[Harry] Potter, and [Harry]'],
    ['arry', 'Harry Potter'],
    ['har harry', '[Harry] [Har]ding'],
    ['', 'Emma'],
    ['nobody', 'Emma'],
    ['grandpre', 'Mary [GrandPré]'],
    ['GrandPré', 'Mary [GrandPre]'],
    ['grandpre', 'Mary [GrandPre\u0301]'],
    ['gran', 'Mary [Gran]dPré'],
    ['cafe', '[cafe\u0301\u0323]s'],
    ['caf', '[caf]e\u0301'],
    ['obrien', '[O’Brien]'],
    ["o'brien", '[O’Brien], Kate'],
    ['brien', 'O’[Brien]'],
    ['brie', 'O’[Brie]n'],
    ['strasse', 'Die [Straße] (Berlin)'],
    ['stras', 'Die [Straß]e'],
    ['weiss', '[Weiß]wurst'],
    ['final', 'The [ﬁnal] page'],
    ['f', 'The [ﬁ]nal page'],
    ['ｗide', '[Ｗide] and [wide]'],
    ['soft', '[so\u00adft]ware'],
    ['1984', '[1984]'],
    ['19', '[19]84 and [19]'],
    ['-1750', 'Year [1750]'],
    ['春樹', '村上[春樹]'],
    ['村', '[村]上春樹'],
    ['上春', '村[上春]樹'],
    ['東京 tower', '[東京][Tower]'],
    ['ガ', '[ガ]ラス'],
    ['ชาย', 'เด็ก[ชาย]'],
    ['राम', '[राम]चरितमानस'],
    ['रा', '[रा]म'],
    ['रम', 'राम'],
    ['бол', '[Бол]ьшая книга'],
    ['ספר', 'ה[ספר] הגדול'],
    ['كتاب', 'ال[كتاب]'],
    ['한국', '[한국]어'],
    ['σοφοσ', '[Σοφός]'],
    ['𝐄mma', '[𝐄mma]'],
    ['😀', 'Smile [😀] again'],
    ['jk', '[J.K]. Rowling'],
    ['jk rowl', '[J. K]. [Rowl]ing'],
    ['leguin', 'Ursula K. [Le Guin]'],
    ['spiderman', 'The [Spider-Man]'],
    ['spider-man', '[Spider-Man] and [Spiderman]'],
    ['mueller', 'Anna [Müller]'],
    ['muel', 'Anna [Mül]ler'],
    ['müller', 'Anna [Mueller]'],
    ['c++', '[C++] for C programmers'],
    ['&', 'War [&] Peace'],
    ['war and peace', '[War] and [Peace]'],
    ['po', 'Step on [Po]tter'],
  ];
  for (const [q, expected] of table) {
    test(`${JSON.stringify(q)}: ${expected}`, () => {
      assert.equal(marked(expected.replaceAll(/[[\]]/g, ''), q), expected);
    });
  }
});

describe('a search for parts of words', () => {
  test('marks them within words', () => {
    assert.equal(marked('Der Zauberlehrling', 'lehrling', true), 'Der Zauber[lehrling]');
    assert.equal(marked('Der Zauberlehrling', 'lehrling'), 'Der Zauberlehrling');
  });
});

test('words of one field are marked in this field only', () => {
  assert.deepEqual(highlightedWords({ q: 'Ring -5', titleWords: 'Lord', authorWords: 'Tolkien ring' }), {
    title: ['ring', '5', 'lord'],
    author: ['ring', '5', 'tolkien'],
  });
});

describe('a hostile text does not take long', () => {
  const table: [what: string, text: string, q: string][] = [
    ['a letter of two spellings, many times', 'å'.repeat(1_000), 'a'.repeat(3_000)],
    ['one letter of a script without spaces', '東'.repeat(1_000_000), '東'],
    ['many words', 'a '.repeat(1_000_000), 'a'],
    ['one word of many marks', `a${'\u0301'.repeat(1_000_000)}`, 'a'],
  ];
  for (const [what, text, q] of table)
    test(what, () => {
      const spans = highlights(text, highlightedWords({ q }).title);
      assert.ok(spans.every(([start, end], i) => start < end && start >= (spans[i - 1]?.[1] ?? 0)));
    });
});
