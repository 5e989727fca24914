import type { IdRange } from '../ids.ts';
import { createPage, type Page } from '../page.ts';
import { bookProjection } from './prepare.ts';
import { readBatches, type Reading } from './reading.ts';
import type { Turns } from './turns.ts';

/**
 * Reads the first of the books with these ids. Each page is a query of its own: a slow reader holds no cursor on the
 * server.
 *
 * @param turns A few pages at once are each read in time; all of them at once, none would be.
 */
export async function readPage(reading: Reading, turns: Turns, { first, last }: IdRange): Promise<Page> {
  const page = createPage();
  const { maxBooks: limit } = page;
  const options = { sort: { _id: 1 }, limit, batchSize: limit, projection: bookProjection } as const;
  await turns.take(reading.limits.signal);
  try {
    for await (const documents of readBatches(reading, { _id: { $gte: first, $lte: last } }, options)) {
      for (const document of documents) {
        if (page.isFull) break;
        page.add(reading.decode(document));
      }
      if (page.isFull) break;
    }
  } finally {
    turns.give();
  }
  return { books: page.books, isLast: !page.isFull };
}
