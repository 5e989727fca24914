import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  comparedOf,
  isTitleMatch,
  rankingWords,
  rankOf,
  rankOfCompared,
  titleArticles,
  titleStarts,
} from '../../src/catalogue/ranking.ts';

const level = (q: string, title: string, author: string) =>
  Math.floor(rankOf(rankingWords([q]), { title, author }) / 100_000_000);

describe('how well a book fits the words of a query', () => {
  const table: [level: number, q: string, title: string, author: string][] = [
    [1, 'it', 'It', 'Stephen King'],
    [1, 'The Hunger Games', 'The Hunger Games (The Hunger Games, #1)', 'Suzanne Collins'],
    [1, 'hunger games', 'The Hunger Games [large print] (The Hunger Games, #1)', 'Suzanne Collins'],
    [1, 'wicked', 'Wicked: The Life and Times (The Wicked Years, #1)', 'Gregory Maguire'],
    [1, 'Dracula', 'Dracula; or, The Un-Dead', 'Bram Stoker'],
    [1, 'étranger', 'L’Étranger', 'Albert Camus'],
    [1, 'war & peace', 'War and Peace', 'Leo Tolstoy'],
    [1, 'spiderman', 'Spider-Man', 'Stan Lee'],
    [1, 'Spider-Man', 'Spiderman', 'Stan Lee'],
    [1, 'mueller', 'Müller', 'X'],
    [1, 'usa', 'U.S.A.', 'John Dos Passos'],
    [1, 'the', 'The', 'X'],
    [1, '(1984)', '(1984)', 'George Orwell'],
    [1, 'emma', 'Emma  (a (b) c) ', 'X'],
    [1, 'emma', 'Emma [x]  (y)', 'X'],
    [1, 'emma', ' Emma: A Novel', 'X'],
    [1, 'emma', 'Emma : A Novel', 'X'],
    [1, 'z', 'Z: A Novel of Zelda', 'X'],
    [1, 'bells toll', 'Bell’s Toll', 'X'],
    [2, 'emma', ': Emma: A Novel', 'X'],
    [2, 'spiderman re', 'Spider-Man Returns', 'X'],
    [2, 'harry po', 'Harry Potter and the Goblet of Fire', 'J.K. Rowling'],
    [2, 'the hob', 'The Hobbit', 'J.R.R. Tolkien'],
    [3, 'orwell 1984', '1984', 'George Orwell'],
    [3, 'orwell animal farm', 'Animal Farm: A Fairy Story', 'George Orwell'],
    [3, 'emma jane austen', 'Emma', 'Jane Austen'],
    [4, 'collins hunger', 'The Hunger Games (The Hunger Games, #1)', 'Suzanne Collins'],
    [5, 'potter stone', 'Harry Potter and the Philosopher’s Stone', 'J.K. Rowling'],
    [6, 'pott sto', 'Harry Potter and the Philosopher’s Stone', 'J.K. Rowling'],
    [7, 'hunger', 'Catching Fire (The Hunger Games, #2)', 'Suzanne Collins'],
    [5, 'müller life', 'Strange Life of Mueller', 'X'],
    [7, 'jane austen', 'Emma', 'Jane Austen'],
    [9, 'the', 'A', 'X'],
    [7, 'emma', 'Room', 'Emma Donoghue'],
    [8, 'king lot', 'Salem’s Lot', 'Stephen King'],
    [9, 'kin', 'Carrie', 'Stephen King'],
    [9, 'rowling 1997', 'Harry Potter and the Philosopher’s Stone', 'J.K. Rowling'],
  ];
  for (const [expected, q, title, author] of table)
    test(`is ${expected} for ${q}: ${title}, ${author}`, () => {
      assert.equal(level(q, title, author), expected);
      assert.equal(isTitleMatch(rankOf(rankingWords([q]), { title, author })), expected < 5);
    });

  test('is better with fewer words in the title, then with fewer in its brackets', () => {
    const rank = (title: string) => rankOf(rankingWords(['game']), { title, author: 'X' });
    const titles = [
      'A Game',
      'The Game (Saga)',
      'The Game (The Long Saga)',
      'Game of Thrones',
      'End of the Game',
    ];
    const sorted = titles.toSorted((a, b) => rank(a) - rank(b));
    assert.deepEqual(sorted, titles);
  });

  test('of a text of a mebibyte is found in little time, whatever it has', () => {
    for (const text of ['(', ')', ': ', 'a-', 'a.', "l'", 'The ', 'é', '[]', '&'])
      assert.ok(rankOf(rankingWords([text.repeat(3000)]), { title: text.repeat(2 ** 20), author: text }) > 0);
  });
});

test('the titles that a query names begin with its words, or with those beside an author, also behind an article', () => {
  const { whole, parts } = titleStarts(rankingWords(['Collins Hunger']));
  const starts = [...whole, ...parts];
  for (const start of ['collins hunger', 'hunger', 'collins', 'the hunger', 'lhunger', 'die collins hunger'])
    assert.ok(starts.includes(start), start);
});

test('a rank is the level, the words of the title, and the words with those in brackets', () => {
  const rank = (title: string) => rankOf(rankingWords(['game']), { title, author: 'X' });
  assert.equal(rank('The Game'), 100_010_001);
  assert.equal(rank('The Game (The Long Saga)'), 100_010_004);
  assert.equal(rank('Game of Thrones'), 200_030_003);
  assert.equal(rank(''), 900_000_000);
});

test('a book that was read before has the same rank', () => {
  const words = rankingWords(['orwell', '1984']);
  const book = { title: '1984 (Penguin Classics)', author: 'George Orwell' };
  assert.equal(rankOf(words, book), 300_010_003);
  assert.equal(rankOfCompared(words, comparedOf(book)), rankOf(words, book));
});

test('a title is one that a query names up to level 4', () => {
  assert.deepEqual([499_999_999, 500_000_000].map(isTitleMatch), [true, false]);
});

describe('the titles that a query may name', () => {
  const isPlain = (start: string) => !titleArticles.some((article) => start.startsWith(`${article} `));
  const table: [q: string, whole: string[], parts: string[]][] = [
    ['emma', ['emma'], []],
    ['Jane Emma', ['jane emma'], ['jane', 'emma']],
    ["L'Étranger", ['etranger'], []],
    ['', [], []],
    ['!', [], []],
    ['Spider-Man', ['spider man', 'spiderman'], ['spider', 'man']],
  ];
  for (const [q, whole, parts] of table)
    test(JSON.stringify(q), () => {
      const starts = titleStarts(rankingWords([q]));
      const withL = (some: string[]) => some.flatMap((start) => [start, `l${start}`]);
      assert.deepEqual(starts.whole.filter(isPlain), withL(whole));
      assert.deepEqual(starts.parts.filter(isPlain), withL(parts));
      assert.equal(starts.whole.length, whole.length * (titleArticles.length + 2));
    });

  test('are looked for among its first eight words', () => {
    const { parts } = titleStarts(rankingWords(['a1 a2 a3 a4 a5 a6 a7 a8 a9 a10']));
    assert.ok(parts.includes('a8') && !parts.includes('a9 a10') && !parts.includes('a10'));
  });

  test('may begin with an article, which is a word of its own', () => {
    for (const article of titleArticles) assert.match(article, /^\p{L}+$/u);
  });
});
