// The answers to questions about all books, by reading all books.
import { maxAuthors } from '../../catalogue/limits.ts';
import type { Book } from '../../catalogue/book.ts';
import { authorField, type SuggestedField } from '../../catalogue/fields.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, toFilter, type StoreQuery } from '../../catalogue/query.ts';
import { BookTally, summarizeYears, type Statistics } from '../../catalogue/statistics.ts';
import {
  commonSpelling,
  countKeys,
  maxSpellings,
  rankKeys,
  type Suggestion,
} from '../../catalogue/suggestion.ts';

/** As `QuestionStore.count`. */
export function count(books: readonly Book[], query: StoreQuery): number {
  const filter = toFilter(query);
  return books.filter((book) => matches(filter, book)).length;
}

/** As `QuestionStore.statistics`. */
export function statistics(books: readonly Book[], query: StoreQuery): Statistics {
  const filter = toFilter(query);
  const found = new BookTally();
  for (const book of books) if (matches(filter, book)) found.add(book);
  return {
    ...summarizeYears(found.years),
    authors: rankKeys(found.authors, maxAuthors).map(({ key, count: number }) => ({
      author: spellingOf(books, authorField, key),
      count: number,
    })),
    estimated: false,
  };
}

/** As `QuestionStore.suggest`. */
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
    .map(({ key, count: number }) => ({ value: spellingOf(books, name, key), count: number }));
}

/** The usual spelling of the texts with a key. */
function spellingOf(books: readonly Book[], name: SuggestedField, key: string): string {
  const texts = books.map((book) => book[name]).filter((text) => textKey(text) === key);
  return commonSpelling(texts.slice(0, maxSpellings));
}
