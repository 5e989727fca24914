import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { foldWords } from '../../src/catalogue/fold.ts';
import { openStore, type BookFields } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { manyTitles } from '../support/many-titles.ts';
import { createRandom, type Random } from '../support/random.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const many = manyTitles(2000);
/** The first words of titles, as titles of their own: each is in many others. */
const short = [...new Set(many.map(({ title }) => nameOf(title).split(' ')[0] ?? ''))].map((title, i) =>
  bookOf({ title, author: many[i]?.author ?? '' }),
);

/** The words of a title without a leading article, as people type them. */
function nameOf(title: string): string {
  const words = foldWords(title);
  return (/^(?:the|a)$/.test(words[0] ?? '') ? words.slice(1) : words).join(' ');
}

/** Ways to type a book, and whether an answer is what was meant. */
const ways: [
  type: (book: BookFields, random: Random) => string,
  isMeant: (found: BookFields, q: string) => boolean,
][] = [
  [({ title }) => title, ({ title }, q) => title === q],
  [({ title }) => nameOf(title), ({ title }, q) => nameOf(title) === q],
  [
    ({ title }, random) => nameOf(title).slice(0, 4 + random(title.length)),
    ({ title }, q) => nameOf(title).startsWith(q.trim()),
  ],
  [
    ({ title, author }) => [foldWords(author).at(-1), nameOf(title).split(' ')[0]].join(' '),
    ({ title, author }, q) => {
      const [family = '', word = ''] = q.split(' ');
      return foldWords(author).includes(family) && nameOf(title).startsWith(word);
    },
  ],
];

describe('a book that is typed as people do is the first answer for 98 of 100, among at least three matches', () => {
  for (const seed of sized({ short: [1], long: [1, 2] }))
    test(`with the seed ${seed}`, async (t) => {
      const random = createRandom(seed);
      const books = [...many, ...short];
      for (let i = books.length - 1; i > 0; i--) {
        const j = random(i + 1);
        [books[i], books[j]] = [books[j] ?? bookOf({}), books[i] ?? bookOf({})];
      }
      const store = await openStore(`file:${await temporaryFolder(t)}`);
      t.after(() => store.close());
      for (let i = 0; i < books.length; i += 1000) await store.createMany(books.slice(i, i + 1000));
      const missed: string[] = [];
      for (let asked = 0; asked < 200;) {
        const [type, isMeant] = ways[asked % ways.length] ?? assert.fail();
        // Every second book is a short title, which is the hardest to find.
        const some = asked % 2 === 0 ? short : many;
        const q = type(some[random(some.length)] ?? bookOf({}), random);
        const found = await store.find({ q }, { limit: 3 });
        if (found.books.length < 3) continue;
        asked++;
        const [first = bookOf({})] = found.books;
        if (!isMeant(first, q)) missed.push(`${q}: ${first.title}, ${first.author}`);
      }
      assert.ok(missed.length <= 4, missed.join('\n'));
    });
});
