import type { Book } from '../../book.ts';
import { positionOf } from '../../query/position.ts';
import { isUnconditional, matches, toCondition, type BookQuery } from '../../query/query.ts';
import { mergePage } from '../merge.ts';
import { createPage, type Page } from '../page.ts';
import type { Part } from '../store.ts';
import { certain, uncertain } from './filter.ts';
import { bookProjection, type BookDocument, type Collections } from './prepare.ts';
import { firstOf, readUnindexed } from './unindexed.ts';
import { walk } from './walk.ts';

/** How a question reads records. */
export interface ReadOptions {
  /** A record that is no book is an error. */
  readonly decode: (document: BookDocument) => Book;
  /** After so long the server gives up. */
  readonly maxTimeMS: number;
}

/**
 * Answers from the index and from the books that it does not know yet; these are read first. So a book is found that
 * gets its index entry meanwhile; and one that is changed meanwhile is found by its old entry.
 */
export async function findBooks(
  collections: Collections,
  query: BookQuery,
  { limit, after }: Part,
  { decode, maxTimeMS }: ReadOptions,
): Promise<Page> {
  const condition = toCondition(query);
  const page = createPage(limit);
  // All books by id need no index entry.
  const isList = condition.sort === 'id' && isUnconditional(condition);
  const unindexed = readUnindexed(collections, decode, maxTimeMS, condition);
  const rest = isList ? [] : await firstOf(unindexed, condition, page.maxBooks, after);
  const known = new Set(rest.map(({ id }) => id));
  const batchSize = page.maxBooks + 1;
  let isLast = true;
  for await (const { book, key } of walk(collections, { condition, after, batchSize, maxTimeMS, decode })) {
    const isHere = positionOf(condition, book).key === key; // Else it was changed, and has an old entry.
    if (!isHere || known.has(book.id) || !matches(condition, book)) continue;
    if (page.isFull) {
      isLast = false;
      break;
    }
    page.add(book);
  }
  return mergePage(condition, limit, { books: page.books, isLast }, rest);
}

/** Counts likewise: what the index knows for certain, on the server. */
export async function countBooks(
  collections: Collections,
  query: BookQuery,
  { decode, maxTimeMS }: ReadOptions,
): Promise<number> {
  const condition = toCondition(query);
  const { books } = collections;
  if (isUnconditional(condition)) return books.countDocuments({ _id: { $gt: 0 } }, { maxTimeMS });
  const seen: number[] = [];
  let count = 0;
  for await (const book of readUnindexed(collections, decode, maxTimeMS)) {
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
