// Corrections: counts the words of the index.
import type { Correction } from '../../catalogue/correction.ts';
import { searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { correct, maxCounted } from '../contract/corrections.ts';
import { wordKey } from './index-entry.ts';
import { countOnServer } from './count.ts';
import { findBooks } from './find.ts';
import type { Reading } from './reading.ts';

/** The maximum number of lookups for the candidates of a word. */
const maxLookups = 24;

/** As `BookStore.corrections`. */
export function readCorrections(reading: Reading, query: BookQuery, limit: number): Promise<Correction[]> {
  return correct(query, limit, {
    count: async (each, most) => (await findBooks(reading, each, { limit: most })).books.length,
    countWords: (words, name) => countWords(reading, words, name),
  });
}

/** As `Vocabulary.countWords`. */
async function countWords(
  reading: Reading,
  words: readonly string[],
  name: SearchedField | undefined,
): Promise<(readonly [word: string, count: number])[]> {
  const keysOf = (word: string) =>
    (name === undefined ? searchedFields : [name]).map((each) => wordKey(each, word));
  const found = await findWords(reading, words, keysOf);
  return Promise.all(
    found.map(async (word) => {
      const filter = { 'index.words': { $in: keysOf(word) } };
      return [word, await countOnServer(reading, filter, maxCounted)] as const;
    }),
  );
}

/** The words that some book has. Each lookup finds a book with at least one of the words not found before. */
async function findWords(
  { database: { books }, maxTimeMS, signal }: Reading,
  words: readonly string[],
  keysOf: (word: string) => string[],
): Promise<string[]> {
  const found: string[] = [];
  let left = words;
  for (let i = 0; i < maxLookups && left.length > 0; i++) {
    signal.throwIfAborted();
    const filter = { 'index.words': { $in: left.flatMap(keysOf) } };
    const options = { projection: { 'index.words': 1 }, maxTimeMS } as const;
    const present = new Set((await books.findOne(filter, options))?.index?.words);
    const has = (word: string) => keysOf(word).some((key) => present.has(key));
    if (!left.some(has)) break;
    found.push(...left.filter(has));
    left = left.filter((word) => !has(word));
  }
  return found;
}
