import { matches, toCondition, type BookQuery } from '../../query/query.ts';
import { createPage, type Page, type PageRequest } from '../page.ts';
import { walk } from './keyset.ts';
import type { Reading } from './reading.ts';

/** Reads one page of the books that match. */
export async function findBooks(
  reading: Reading,
  query: BookQuery,
  { limit, after }: PageRequest,
): Promise<Page> {
  const condition = toCondition(query);
  const page = createPage(limit);
  const seen = new Set<number>();
  // Reads one more than fits, to see whether there are more.
  for await (const { book } of walk(reading, condition, after, page.maxBooks + 1)) {
    // A book that moves during the walk may appear again.
    if (book === undefined || seen.has(book.id) || !matches(condition, book)) continue;
    if (page.isFull) return { books: page.books, isLast: false };
    seen.add(book.id);
    page.add(book);
  }
  return { books: page.books, isLast: true };
}
