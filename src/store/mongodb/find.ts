// Reads a page of the books that match, and a page of all books by id.
import type { Book } from '../../catalogue/book.ts';
import { matches, toFilter, type StoreQuery } from '../../catalogue/query.ts';
import type { IdRange } from '../contract/ids.ts';
import { createPage, type Page, type PageRequest } from '../contract/page.ts';
import { walkInOrder } from './order.ts';
import { readDocuments, type Reading } from './reading.ts';
import { live } from './schema.ts';

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

/** One page of books by id, and the start of the next page. */
export interface ListPage {
  readonly books: readonly Book[];
  /** `undefined`: there are no more. */
  readonly next: number | undefined;
}

/**
 * Reads one page of the books with these ids. Each page is a separate query: a slow reader keeps no cursor open on
 * the server.
 */
export async function readPage(reading: Reading, { first, last }: IdRange): Promise<ListPage> {
  const page = createPage();
  const { maxBooks: limit } = page;
  const filter = { ...live, _id: { $gte: first, $lte: last } };
  let read = 0;
  for await (const batch of readDocuments(reading, filter, { sort: { _id: 1 }, limit, batchSize: limit })) {
    for (const { document, book } of batch) {
      read++;
      if (book !== undefined) page.add(book);
      if (page.isFull || read === limit) return { books: page.books, next: Math.floor(document._id) + 1 };
    }
  }
  return { books: page.books, next: undefined };
}
