import { matches, toFilter, type StoreQuery } from '../../catalogue/query.ts';
import { createPage, type Page, type PageRequest } from '../contract/page.ts';
import { walkInOrder } from './order.ts';
import { readBatches, type Reading } from './reading.ts';
import type { Book, BookFields } from '../../catalogue/book.ts';
import { maxBooksAtOnce } from '../contract/create.ts';
import { chooseSame, sameHash } from '../contract/duplicates.ts';

/** As `BookStore.findSame`, in one query. */
export async function findSame(
  reading: Reading,
  wanted: readonly BookFields[],
): Promise<(Readonly<Book> | undefined)[]> {
  const filter = { 'index.same': { $in: [...new Set(wanted.map(sameHash))] } };
  const found: Book[] = [];
  for await (const batch of readBatches(reading, filter, { batchSize: maxBooksAtOnce }))
    for (const { book } of batch) if (book !== undefined) found.push(book);
  return chooseSame(wanted, found);
}

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
