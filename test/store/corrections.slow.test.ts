import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { foldWords } from '../../src/catalogue/fold.ts';
import { matches, openStore, toFilter } from '../../src/index.ts';
import { bookOf } from '../support/books.ts';
import { temporaryFolder } from '../support/temp.ts';

const titles = [
  'The Hunger Games',
  'Pride and Prejudice',
  'The Great Gatsby',
  'Wuthering Heights',
  'Crime and Punishment',
  'Slaughterhouse Five',
  'The Picture of Dorian Gray',
  'Memoirs of a Geisha',
  'The Grapes of Wrath',
  'Water for Elephants',
  'A Midsummer Night’s Dream',
  'Frankenstein',
  'Les Misérables',
  'Brave New World',
  'The Kite Runner',
  'Anna Karenina',
  'Don Quixote',
  'The Secret Garden',
  'Treasure Island',
  'Around the World in Eighty Days',
  'Twenty Thousand Leagues under the Sea',
  'The Count of Monte Cristo',
  'Heart of Darkness',
  'The Canterbury Tales',
];

/** Each word with one typo: every place, and a letter that differs from place to place. */
const typos: Record<string, (word: string) => string[]> = {
  'a letter too many': (word) => places(word, 1, (i) => word.slice(0, i) + letter(i) + word.slice(i)),
  'a letter too few': (word) => places(word, 0, (i) => word.slice(0, i) + word.slice(i + 1)),
  'a wrong letter': (word) => places(word, 0, (i) => word.slice(0, i) + letter(i) + word.slice(i + 1)),
  'two letters exchanged': (word) =>
    places(word, -1, (i) => word.slice(0, i) + word.charAt(i + 1) + word.charAt(i) + word.slice(i + 2)),
};
const letter = (i: number) => 'qxetaoz'.charAt(i % 7);
const places = (word: string, more: number, edit: (i: number) => string) =>
  Array.from({ length: word.length + more }, (_, i) => edit(i)).filter((typo) => typo !== word);

/** Of the typos, a fixed share is tested. */
const step = 8;
const store = await openStore(`file:${await temporaryFolder({ after })}`);
after(() => store.close());
await Promise.all(titles.map((title) => store.create(bookOf({ title }))));

describe('of the typos in words of 5 or more letters, at least 90 % are corrected', () => {
  for (const [kind, edit] of Object.entries(typos)) {
    test(kind, async () => {
      let [all, right] = [0, 0];
      for (const title of titles) {
        const words = foldWords(title);
        for (const [at, word] of words.entries()) {
          if (word.length < 5) continue;
          for (const [i, typo] of edit(word).entries()) {
            if ((i + at) % step !== 0) continue;
            const query = { titleWords: words.with(at, typo).join(' ') };
            const [first = query] = await store.corrections(query, { limit: 1 });
            all++;
            if (matches(toFilter(first), { id: 1, ...bookOf({ title }) })) right++;
          }
        }
      }
      assert.ok(all > 15 && right / all >= 0.9, `${right} of ${all}`);
    });
  }
});
