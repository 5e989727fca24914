import { positionOf } from '../../query/position.ts';
import { isUnconditional, matches, toCondition, type BookQuery } from '../../query/query.ts';
import { mergePages } from '../merge.ts';
import { createPage, type Page } from '../page.ts';
import type { Part } from '../store.ts';
import { certain, uncertain } from './filter.ts';
import { bookProjection } from './prepare.ts';
import type { Reading } from './reading.ts';
import { firstOf, type Unindexed } from './unindexed.ts';
import { walk } from './walk.ts';

/**
 * Answers from the index and from the books that it does not know yet; these are read first. So a book is found that
 * gets its index entry meanwhile; and one that is changed meanwhile is found by its old entry.
 */
export async function findBooks(
  reading: Reading,
  unindexed: Unindexed,
  query: BookQuery,
  { limit, after }: Part,
): Promise<Page> {
  const condition = toCondition(query);
  const page = createPage(limit);
  // All books by id need no index entry.
  const isList = condition.sort === 'id' && isUnconditional(condition);
  // One more than fits into the page, if there are more.
  const rest = isList ? [] : await firstOf(unindexed.read(), condition, page.maxBooks, after);
  const known = new Set(rest.map(({ id }) => id));
  const batchSize = page.maxBooks + 1;
  let isLast = true;
  for await (const { book, key } of walk(reading, condition, after, batchSize)) {
    const isHere = positionOf(condition, book).key === key; // Else it was changed, and has an old entry.
    if (!isHere || known.has(book.id) || !matches(condition, book)) continue;
    if (page.isFull) {
      isLast = false;
      break;
    }
    page.add(book);
  }
  return mergePages(condition, limit, { books: page.books, isLast }, { books: rest, isLast: true });
}

/** Counts likewise: what the index knows for certain, on the server. */
export async function countBooks(
  { collections: { books }, decode, maxTimeMS }: Reading,
  unindexed: Unindexed,
  query: BookQuery,
): Promise<number> {
  const condition = toCondition(query);
  if (isUnconditional(condition)) return books.countDocuments({ _id: { $gt: 0 } }, { maxTimeMS });
  const seen: number[] = [];
  let count = 0;
  for await (const book of unindexed.read()) {
    seen.push(book.id);
    if (matches(condition, book)) count++;
  }
  const unseen = seen.length === 0 ? [] : [{ _id: { $nin: seen } }];
  const sure = certain(condition);
  if (sure) count += await books.countDocuments({ $and: [...sure, ...unseen] }, { maxTimeMS });
  const unsure = uncertain(condition);
  if (unsure) {
    const options = { projection: bookProjection, maxTimeMS };
    for await (const document of books.find({ $and: [...unsure, ...unseen] }, options))
      if (matches(condition, decode(document))) count++;
  }
  return count;
}
