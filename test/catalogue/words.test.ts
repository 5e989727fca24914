import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { baseLetters } from '../../src/catalogue/fold.ts';
import { matches, toFilter } from '../../src/catalogue/query.ts';
import {
  fits,
  foldingVersion,
  hasNumber,
  indexKey,
  indexWords,
  isNumber,
  keyWord,
  numbersOf,
  queryTerms,
  queryWords,
  maxIndexedForms,
  maxIndexedLength,
  maxIndexedWords,
  maxUnspacedLength,
  maxWordLength,
  searchTerms,
} from '../../src/catalogue/words.ts';
import { bookOf, storedBook } from '../support/books.ts';

const limit = 32_768;

const reds = ['红'.repeat(16), ...Array.from({ length: 16 }, (_, i) => `${'红'.repeat(15 - i)}楼`)];
const arabic = ['والسلام', 'السلام', 'سلام', 'للكتاب', 'لكتاب', 'كتاب'];
/** The words of all searched fields, each once. */
function wordsOf(book: Parameters<typeof indexWords>[0]) {
  const { words, isComplete } = indexWords(book);
  return { words: [...new Set(Object.values(words).flat())], isComplete };
}

describe('the words of a book for an index', () => {
  const table: { what: string; title: string; author: string; words: string[]; isComplete: boolean }[] = [
    {
      what: 'are folded, and each is there once',
      title: 'Émma, EMMA',
      author: 'Jane Émma',
      words: ['emma', 'jane'],
      isComplete: true,
    },
    { what: 'are none without letters and digits', title: ' ¡! ', author: '', words: [], isComplete: true },
    {
      what: 'end after 64 code points',
      title: `${'é'.repeat(70)} x`,
      author: '',
      words: ['e'.repeat(64), 'x'],
      isComplete: true,
    },
    {
      what: 'end after 64 pairs of surrogates',
      title: '\u{10400}'.repeat(70),
      author: '',
      words: ['\u{10428}'.repeat(64)],
      isComplete: true,
    },
    {
      what: 'are alike when the first 64 code points are',
      title: `${'a'.repeat(64)}b`,
      author: 'a'.repeat(65),
      words: ['a'.repeat(64)],
      isComplete: true,
    },
    {
      what: 'fill a text of 32,768 units',
      title: `${'-'.repeat(limit - 4)}emma`,
      author: 'x',
      words: ['emma', 'x'],
      isComplete: true,
    },
    {
      what: 'do not come after the first 32,768 units',
      title: `${'-'.repeat(limit)}emma`,
      author: 'x',
      words: ['x'],
      isComplete: false,
    },
    {
      what: 'have no word that the limit cuts',
      title: `a${'-'.repeat(limit - 4)}emma`,
      author: 'x',
      words: ['a', 'x'],
      isComplete: false,
    },
    {
      what: 'have a word that ends before the limit',
      title: `${'-'.repeat(limit - 5)}emma emma2`,
      author: '',
      words: ['emma'],
      isComplete: false,
    },
    {
      what: 'have no word that the limit cuts within a pair of surrogates',
      title: `a${'-'.repeat(limit - 4)}bc\u{10400}d`,
      author: '',
      words: ['a'],
      isComplete: false,
    },
    {
      what: 'have the start of a word that is longer than an index holds',
      title: `${'-'.repeat(limit - 65)}${'b'.repeat(99)}`,
      author: '',
      words: ['b'.repeat(64)],
      isComplete: false,
    },
    {
      what: 'have a book that is one long word',
      title: '红'.repeat(40_000),
      author: 'x',
      words: ['红'.repeat(16), 'x'],
      isComplete: false,
    },
    {
      what: 'end after 16 characters of a script without spaces',
      title: `${'红'.repeat(17)}楼`,
      author: '',
      words: reds,
      isComplete: true,
    },
    {
      what: 'contain the parts after apostrophes',
      title: "O'Brien’s x",
      author: '',
      words: ['obriens', 'x', 'briens', 's'],
      isComplete: true,
    },
    {
      what: 'contain what follows each character without spaces',
      title: '村上 ー森ー5',
      author: '春’樹 ab',
      words: ['村上', 'ー森ー5', '上', '森ー5', '5', '春樹', 'ab', '樹'],
      isComplete: true,
    },
    {
      what: 'contain Thai with vowel signs, from each letter on',
      title: 'สันติ',
      author: '',
      words: ['สันติ', 'นติ', 'ติ'],
      isComplete: true,
    },
    {
      what: 'contain Hebrew words without prefixes',
      title: 'ובבית בית',
      author: 'של',
      words: ['ובבית', 'בית', 'בבית', 'ית', 'של'],
      isComplete: true,
    },
    {
      what: 'contain Arabic words with and without hamza',
      title: 'أحمد',
      author: '',
      words: ['أحمد'.normalize('NFKD'), 'احمد'],
      isComplete: true,
    },
    {
      what: 'contain Arabic words without prefixes',
      title: 'والسلام',
      author: 'للكتاب',
      words: arabic,
      isComplete: true,
    },
    {
      what: 'contain initials with full stops as one word, with spaces between them, too',
      title: 'U.S.A.',
      author: 'J. R. R. Tolkien, Z.',
      words: ['u', 's', 'a', 'usa', 'j', 'r', 'tolkien', 'z', 'jrr'],
      isComplete: true,
    },
    {
      what: 'contain the parts of a word with hyphens, and these joined, but nothing across a dash',
      title: 'Spider-Man in Catch‑22 -- on--off',
      author: '',
      words: ['spider', 'man', 'in', 'catch', '22', 'on', 'off', 'spiderman', 'catch22'],
      isComplete: true,
    },
    {
      what: 'contain a family name with its particles, joined',
      title: 'The Da Vinci Code',
      author: 'Ursula K. Le Guin, Vincent van Gogh',
      words: [
        'the',
        'da',
        'vinci',
        'code',
        'davinci',
        'ursula',
        'k',
        'le',
        'guin',
        'vincent',
        'van',
        'gogh',
        'leguin',
      ],
      isComplete: true,
    },
    {
      what: 'contain letters as they are typed where a keyboard has no others, also as a letter and a mark',
      title: 'Mu\u0308ller-Weiß',
      author: 'Ångström Ørsted Æsop',
      words: [
        ...['muller', 'weiss', 'mullerweiss', 'mueller', 'muellerweiss'],
        ...['angstrom', 'orsted', 'aesop', 'aangstroem', 'oersted'],
      ],
      isComplete: true,
    },
    {
      what: 'contain the signs after a word, and symbols that people search for',
      title: 'C++ & C# 1+1 #2 I ❤️ NY 👍🏽',
      author: '+ !',
      words: ['c＋＋', 'c＃', '1', '2', 'i', 'ny', '＆', '❤', '👍'],
      isComplete: true,
    },
    {
      what: 'have the author of a title that is too long',
      title: '\u0301'.repeat(500_000),
      author: 'Jane',
      words: ['jane'],
      isComplete: false,
    },
  ];
  for (const { what, title, author, words, isComplete } of table) {
    test(what, () => {
      assert.deepEqual(wordsOf(bookOf({ title, author })), { words, isComplete });
    });
  }

  test('are the first 4,096 different words of each text', () => {
    const many = (start: string) => Array.from({ length: 4097 }, (_, i) => start + i.toString(36)).join(' ');
    const { words, isComplete } = wordsOf(bookOf({ title: `a0 a0 a0 ${many('a')}`, author: many('b') }));
    assert.ok(!isComplete);
    assert.equal(words.length, 2 * 4096);
    assert.ok(words.includes(`b${(4095).toString(36)}`));
    assert.ok(!words.includes(`a${(4096).toString(36)}`));
    assert.ok(indexWords(bookOf({ title: 'word '.repeat(6000), author: 'x' })).isComplete);
  });

  test('have at most 1,024 further forms of each text', () => {
    const title = Array.from({ length: 2000 }, (_, i) => String.fromCodePoint(0x4e00 + i)).join('');
    const { words, isComplete } = wordsOf(bookOf({ title: `${title} emma` }));
    assert.ok(!isComplete);
    assert.equal(words.length, 2 + 1024);
    assert.ok(words.join('').length <= 16 * words.length);
    assert.ok(words.includes('emma'));
    const isFound = (start: number, end: number) =>
      matches(toFilter({ q: title.slice(start, end) }), storedBook(1, { title }));
    assert.ok(isFound(0, 2000));
    assert.ok(isFound(1024, 1088));
    assert.ok(!isFound(1024, 1089));
    assert.ok(!isFound(1025, 1030));
  });

  test('of a title of 1 MiB are as few as its limits allow, whatever its script', () => {
    for (const unit of ['红', 'ー', "a'", "春'", 'ו', 'وال', 'สั', '\u{20000}']) {
      const { words } = wordsOf(bookOf({ title: unit.repeat(2 ** 20 / unit.length), author: 'x' }));
      assert.ok(words.length <= 2 + 1024);
      assert.ok(words.join('').length <= 2 * 16 * 1024);
    }
  });

  test('of a hostile title are found in linear time', () => {
    const title = `Emma ${'\u0301'.repeat(260_000)}${'\u0316'.repeat(260_000)} end`;
    assert.deepEqual(wordsOf(bookOf({ title })), { words: ['emma'], isComplete: false });
    assert.ok(matches(toFilter({ q: 'emm' }), storedBook(1, { title })));
    assert.ok(!matches(toFilter({ q: 'end' }), storedBook(1, { title })));
    assert.ok(matches(toFilter({ title: 'emma end' }), storedBook(1, { title })));
  });
});

/** Texts about as long as the limit, and words beside it. */

/** Texts that each rule of folding changes. */
const samples = [
  'ÅNGSTRÖM Grandpré Straße ſind ΟΔΥΣΣΕΥΣ οδυσσεύς İstanbul ﬁne ①② Ⅳ 1984 ٣',
  "O'Brien O’Brien ‘t d`Artagnan l·l ʻOkina don´t rock 'n' roll C++ C# x_y a-b",
  'ガンダム ｶﾞﾝﾀﾞﾑ 村上春樹の本 ノルウェイの森 สันติภาพ 전쟁과 평화 Война и мир',
  'והספר בבית ולכשיבוא والكتاب بالكتاب للكتاب فكتب الأحمـــد',
  'राम रमा soft\u00adhyphen zero\u200bwidth',
  'J.K. Spider-Man Le Guin Müller Å & 😀 ∞ Catch‑22 U. S. A.',
  'a\u0301\u0323 \u0958 \u1ebf \ud83d\udcda \u{1d400}bc',
  `${'long'.repeat(40)} ${'長'.repeat(40)}`,
];

test('the version of folding changes when its rules do', () => {
  const limits = [maxIndexedForms, maxIndexedLength, maxIndexedWords, maxUnspacedLength, maxWordLength];
  const words = [...samples, [...baseLetters.keys()].join(' ')].map((text) =>
    searchTerms(text).map(indexKey),
  );
  const hash = createHash('sha256')
    .update(JSON.stringify([limits, words, numbersOf({ year: 1813 })]))
    .digest('hex');
  assert.equal(
    foldingVersion,
    hash.slice(0, 12),
    'the rules of folding have changed: put the actual value into src/catalogue/words.ts',
  );
});

test('the words that a text asks for are those that were typed', () => {
  assert.deepEqual(queryWords('Müller, Spider-Man  & -5'), ['muller', 'spider', 'man', '-5']);
  assert.deepEqual(queryWords('!'), []);
  assert.deepEqual(queryTerms('\ta \n b '), [['a'], ['b']]);
});

test('a number is a whole one of at most 16 digits, without a leading zero', () => {
  for (const word of ['1', '-5', '1984', '9'.repeat(16)]) assert.ok(isNumber(word), word);
  for (const word of ['', '0', '01', '-0', '1a', 'a1', '9'.repeat(17), '--5'])
    assert.ok(!isNumber(word), word);
  assert.deepEqual(queryTerms('-5x'), [['5x']]);
});

test('a book has the number of its year, as a word only if it is positive', () => {
  assert.ok(hasNumber({ year: -5 }, '-5') && hasNumber({ year: 1984 }, '1984'));
  assert.ok(!hasNumber({ year: 0 }, '0') && !hasNumber({ year: 5 }, '-5') && !hasNumber({ year: 5 }, 'x'));
  assert.deepEqual([7, 0, -7].map((year) => numbersOf({ year })), [['7'], [], []]);
}); // prettier-ignore

test('the key of a word has wide forms of its signs, and gives the word back', () => {
  for (const word of ['c++', 'c#', '&', 'emma', '-5']) assert.equal(keyWord(indexKey(word)), word);
  assert.equal(indexKey('c++#'), 'c＋＋＃');
});

test('an index holds a word whole up to its length', () => {
  for (const word of ['', 'a'.repeat(64), '\u{10428}'.repeat(64), '红'.repeat(16), '𠀋'.repeat(16)])
    assert.ok(fits(word) && indexKey(word) === word, word);
  for (const word of ['a'.repeat(65), '\u{10428}'.repeat(65), '红'.repeat(17)])
    assert.ok(!fits(word) && indexKey(word) !== word, word);
});
