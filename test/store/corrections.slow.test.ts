import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { foldWords } from '../../src/catalogue/fold.ts';
import { matches, toFilter } from '../../src/store.ts';
import { openStore, type BookFields, type BookQuery } from '../../src/index.ts';
import { manyTitles } from '../support/many-titles.ts';
import { createRandom, type Random } from '../support/random.ts';
import { sized } from '../support/size.ts';
import { temporaryFolder } from '../support/temp.ts';

const books = manyTitles(3000);
const store = await openStore(`file:${await temporaryFolder({ after })}`);
after(() => store.close());
for (let i = 0; i < books.length; i += 1000) await store.createMany(books.slice(i, i + 1000));

/** A word with an error: a letter too many, too few or wrong, or two neighbours swapped. */
function misspell(word: string, random: Random): string {
  const at = random(word.length - 1);
  const [start, here, next, rest] = [
    word.slice(0, at),
    word.charAt(at),
    word.charAt(at + 1),
    word.slice(at + 1),
  ];
  const letter = String.fromCharCode(97 + random(26));
  const errors = [start + letter + here + rest, start + rest, start + letter + rest];
  return errors[random(4)] ?? start + next + here + rest.slice(1);
}

/** Ways to mistype the words of a title; `undefined`: it has no word for that. */
const mistakes: Record<string, (words: string[], random: Random, book: BookFields) => string | undefined> = {
  'an error in a word': (words, random) => inWord(words, 4, random, (word) => misspell(word, random)),
  'two errors in a long word': (words, random) =>
    inWord(words, 7, random, (word) => misspell(misspell(word, random), random)),
  'two words joined': (words, random) => {
    const at = random(words.length - 1);
    return words.toSpliced(at, 2, words.slice(at, at + 2).join('')).join(' ');
  },
  'a word split': (words, random) =>
    inWord(words, 6, random, (word) => {
      const at = 2 + random(word.length - 3);
      return `${word.slice(0, at)} ${word.slice(at)}`;
    }),
  'an error before the end is typed': (words, random) => {
    const last = words.at(-1) ?? '';
    if (last.length < 7) return undefined;
    return [...words.slice(0, -1), misspell(last.slice(0, -2), random)].join(' ');
  },
  'an error in the family name': (words, random, { author }) => {
    const [, family = ''] = foldWords(author);
    return `${words.slice(-1).join('')} ${misspell(family, random)}`;
  },
};

function inWord(
  words: readonly string[],
  length: number,
  random: Random,
  change: (word: string) => string,
): string | undefined {
  const places = [...words.keys()].filter((i) => (words[i]?.length ?? 0) >= length);
  const at = places[random(Math.max(1, places.length))];
  return at === undefined ? undefined : words.with(at, change(words[at] ?? '')).join(' ');
}

describe('300 queries with errors find the wanted book by the first correction, if not at once', () => {
  for (const seed of sized({ short: [1], long: [1, 2, 3] }))
    test(`with the seed ${seed}: at least 97 of 100, and less than 2 of 100 find nothing`, async () => {
      const random = createRandom(seed);
      const kinds = Object.values(mistakes);
      const missed: string[] = [];
      let [asked, found, dead] = [0, 0, 0];
      while (asked < 300) {
        const book = books[random(books.length)];
        if (book === undefined) continue;
        const q = kinds[asked % kinds.length]?.(foldWords(book.title), random, book);
        if (q === undefined) continue;
        asked++;
        const query: BookQuery = { q };
        const [correction = query] = await store.corrections(query, { limit: 3 });
        const { books: answer } = await store.find(correction, { limit: 1000 });
        if (answer.length === 0) dead++;
        if (answer.some(({ title }) => title === book.title)) found++;
        else missed.push(`${q}: ${correction.q ?? ''}, not ${book.title}`);
        if (correction !== query)
          assert.ok(
            answer.some((each) => matches(toFilter(correction), each)),
            q,
          );
      }
      assert.ok(found / asked >= 0.97, `${found} of ${asked}:\n${missed.join('\n')}`);
      assert.ok(dead / asked < 0.02, `${dead} of ${asked}`);
    });
});
