import { matches, toFilter, type StoreQuery } from '../../../catalogue/query.ts';
import { createPage, type Page, type PageRequest } from '../../page.ts';
import { walkInOrder } from './keyset.ts';
import type { Reading } from './reading.ts';

/** Reads one page of the books that match. */
export async function findBooks(
  reading: Reading,
  query: StoreQuery,
  { limit, after }: PageRequest,
): Promise<Page> {
  const filter = toFilter(query);
  const page = createPage(limit);
  const seen = new Set<number>();
  // Reads one more than fits, to find out whether another page follows.
  for await (const { book } of walkInOrder(reading, filter, after, page.maxBooks + 1)) {
    // A book that moves during the walk may appear again.
    if (book === undefined || seen.has(book.id) || !matches(filter, book)) continue;
    if (page.isFull) return { books: page.books, isLast: false };
    seen.add(book.id);
    page.add(book);
  }
  return { books: page.books, isLast: true };
}
