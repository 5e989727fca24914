import type { Book } from '../../catalogue/book.ts';
import type { IdRange } from '../contract/ids.ts';
import { createPage } from '../contract/page.ts';
import { live } from './schema.ts';
import { readBatches, type Reading } from './reading.ts';

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
  for await (const batch of readBatches(reading, filter, { sort: { _id: 1 }, limit, batchSize: limit })) {
    for (const { document, book } of batch) {
      read++;
      if (book !== undefined) page.add(book);
      if (page.isFull || read === limit) return { books: page.books, next: Math.floor(document._id) + 1 };
    }
  }
  return { books: page.books, next: undefined };
}
