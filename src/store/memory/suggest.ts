import type { Book } from '../../catalogue/book.ts';
import { searchedFields, type SearchedField, type SuggestedField } from '../../catalogue/fields.ts';
import { searchTerms } from '../../catalogue/words.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, toFilter, type BookQuery } from '../../catalogue/query.ts';
import {
  authorField,
  maxAuthors,
  summarizeYears,
  yearField,
  type Statistics,
} from '../../catalogue/statistics.ts';
import { commonSpelling, countKeys, maxSpellings, type Suggestion } from '../../catalogue/suggestion.ts';
import { correct, maxCounted } from '../contract/corrections.ts';
import type { Correction } from '../../catalogue/correction.ts';

/** As `BookStore.suggest`. */
export function suggest(
  books: readonly Book[],
  name: SuggestedField,
  text: string,
  limit: number,
): Suggestion[] {
  const filter = toFilter({ [`${name}Words`]: text });
  const keys = new Set(books.filter((book) => matches(filter, book)).map((book) => textKey(book[name])));
  return countKeys(books.map((book) => textKey(book[name])))
    .filter(({ key }) => keys.has(key))
    .slice(0, limit)
    .map(({ key, count }) => ({ value: spellingOf(books, name, key), count }));
}

/** As `BookStore.statistics`. */
export function statistics(books: readonly Book[], query: BookQuery): Statistics {
  const filter = toFilter(query);
  const found = books.filter((book) => matches(filter, book));
  const years = new Map<number, number>();
  for (const { [yearField]: year } of found) years.set(year, (years.get(year) ?? 0) + 1);
  const authors = countKeys(found.map((book) => textKey(book[authorField]))).slice(0, maxAuthors);
  return {
    ...summarizeYears(years),
    authors: authors.map(({ key, count }) => ({ author: spellingOf(books, authorField, key), count })),
  };
}

/** As `BookStore.corrections`. */
export function corrections(books: readonly Book[], query: BookQuery, limit: number): Promise<Correction[]> {
  const count = (each: BookQuery) => {
    const filter = toFilter(each);
    return books.filter((book) => matches(filter, book)).length;
  };
  return correct(query, limit, {
    count: (each, most) => Promise.resolve(Math.min(count(each), most)),
    countWords: (words, name) => Promise.resolve(countWords(books, words, name)),
  });
}

function countWords(
  books: readonly Book[],
  words: readonly string[],
  name: SearchedField | undefined,
): Map<string, number> {
  const wanted = new Set(words);
  const counts = new Map<string, number>();
  for (const book of books) {
    const names = name === undefined ? searchedFields : [name];
    for (const word of new Set(names.flatMap((each) => searchTerms(book[each]))))
      if (wanted.has(word)) counts.set(word, Math.min((counts.get(word) ?? 0) + 1, maxCounted));
  }
  return counts;
}

function spellingOf(books: readonly Book[], name: SuggestedField, key: string): string {
  const texts = books.map((book) => book[name]).filter((text) => textKey(text) === key);
  return commonSpelling(texts.slice(0, maxSpellings));
}
