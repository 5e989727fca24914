// Statistics, by reading all books.
import type { Book } from '../../catalogue/book.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, toFilter, type BookQuery } from '../../catalogue/query.ts';
import {
  authorField,
  maxAuthors,
  summarizeYears,
  yearField,
  type Statistics,
} from '../../catalogue/statistics.ts';
import { countKeys } from '../../catalogue/suggestion.ts';
import { spellingOf } from './suggest.ts';

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
