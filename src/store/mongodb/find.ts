import { positionOf } from '../../query/position.ts';
import { isUnconditional, matches, toCondition, type BookQuery } from '../../query/query.ts';
import { mergePages } from '../merge.ts';
import { createPage, type Page } from '../page.ts';
import type { PageRequest } from '../store.ts';
import { Earliest } from './earliest.ts';
import type { Reading } from './reading.ts';
import type { Unindexed } from './unindexed.ts';
import { walk } from './walk.ts';

/**
 * Answers from the index and from the books that it does not know yet; these are read first. So a book is found that
 * gets its index entry meanwhile; and one that is changed meanwhile is found by its old entry, and put where it
 * stands by now.
 */
export async function findBooks(
  reading: Reading,
  unindexed: Unindexed,
  query: BookQuery,
  { limit, after }: PageRequest,
): Promise<Page> {
  const condition = toCondition(query);
  const page = createPage(limit);
  // One more than fits into the page, if there are more.
  const batchSize = page.maxBooks + 1;
  const rest = new Earliest(condition, page.maxBooks, after);
  // All books by id need no index entry.
  if (condition.sort !== 'id' || !isUnconditional(condition)) {
    const isOrdered = condition.sort === 'id' || condition.sort === 'year';
    for await (const book of unindexed.fitting(reading, condition, after, batchSize)) {
      rest.add(book);
      if (isOrdered && rest.isComplete) break;
    }
  }
  const seen = new Set(rest.books.map(({ id }) => id));
  let isLast = true;
  for await (const { book, key } of walk(reading, condition, after, batchSize)) {
    // While the walk goes on, a book may move, and be met again.
    if (seen.has(book.id)) continue;
    seen.add(book.id);
    if (positionOf(condition, book).key !== key) rest.add(book);
    else if (matches(condition, book)) {
      if (page.isFull) {
        isLast = false;
        break;
      }
      page.add(book);
    }
  }
  return mergePages(condition, limit, { books: page.books, isLast }, { books: rest.books, isLast: true });
}
