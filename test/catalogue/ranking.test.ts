import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { rankOf, rankingWords, isTitleMatch, titleStarts } from '../../src/catalogue/ranking.ts';

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
    [2, 'harry po', 'Harry Potter and the Goblet of Fire', 'J.K. Rowling'],
    [2, 'the hob', 'The Hobbit', 'J.R.R. Tolkien'],
    [3, 'orwell 1984', '1984', 'George Orwell'],
    [3, 'orwell animal farm', 'Animal Farm: A Fairy Story', 'George Orwell'],
    [3, 'emma jane austen', 'Emma', 'Jane Austen'],
    [4, 'collins hunger', 'The Hunger Games (The Hunger Games, #1)', 'Suzanne Collins'],
    [5, 'potter stone', 'Harry Potter and the Philosopher’s Stone', 'J.K. Rowling'],
    [6, 'pott sto', 'Harry Potter and the Philosopher’s Stone', 'J.K. Rowling'],
    [7, 'hunger', 'Catching Fire (The Hunger Games, #2)', 'Suzanne Collins'],
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
