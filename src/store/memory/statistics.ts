// Statistics, by reading all books.
import type { Book } from '../../catalogue/book.ts';
import { matches, toFilter, type BookQuery } from '../../catalogue/query.ts';
import {
  authorField,
  BookTally,
  maxAuthors,
  summarizeYears,
  type Statistics,
} from '../../catalogue/statistics.ts';
import { rankKeys } from '../../catalogue/suggestion.ts';
import { spellingOf } from './suggest.ts';

/** As `BookStore.statistics`. */
export function statistics(books: readonly Book[], query: BookQuery): Statistics {
  const filter = toFilter(query);
  const found = new BookTally();
  for (const book of books) if (matches(filter, book)) found.add(book);
  return {
    ...summarizeYears(found.years),
    authors: rankKeys(found.authors, maxAuthors).map(({ key, count }) => ({
      author: spellingOf(books, authorField, key),
      count,
    })),
    estimated: false,
  };
}
