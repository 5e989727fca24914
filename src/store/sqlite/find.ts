// Reads a page of the books that match, and a page of all books by id.
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import type { Book } from '../../catalogue/book.ts';
import { hasWords, matches, matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import { isOrderedText } from '../../catalogue/sort-keys.ts';
import type { IdRange } from '../contract/ids.ts';
import { checkOrder, createPage, maxBooks, type StorePage } from '../contract/page.ts';
import { findByRank } from './best.ts';
import {
  allBooks,
  checkTimeIn,
  filterOf,
  isExact,
  isFullText,
  isIndexedBy,
  orderOf,
  placesOf,
  smallestSource,
  sourcesOf,
  type OrderedFilter,
  type Source,
} from './filter.ts';
import { readOrderName } from './order.ts';
import { booksOf } from './read-books.ts';
import type { QueryContext } from './reading.ts';
import { maxIdSql, sortColumn } from './schema.ts';

/** Up to this multiple of the number above which a walk is faster, the matches of a search are collected before the walk. */
const maxWalked = 10;

/** One page of the books with these ids. */
export function list(reading: QueryContext, { first, last }: IdRange): StorePage {
  const all = { from: 'FROM books WHERE id BETWEEN ? AND ? ORDER BY id', values: [first, last] };
  return fill(booksOf(reading, all, maxBooks + 1), undefined, Infinity);
}

/** As `BookStore.find`. */
export function find(
  reading: QueryContext,
  filter: BookFilter,
  limit: number,
  after: KeysetPosition | undefined,
  byText = false,
): StorePage {
  const { sort, best } = filter;
  if (best !== undefined) return findByRank(reading, { ...filter, best }, limit, after);
  if (byText || !isOrderedText(sort)) return findInOrder(reading, filter, limit, after);
  const order = readOrderName(reading.statements);
  checkOrder(after, order);
  const column = `${sort}_order` as const;
  const page = findInOrder(reading, { ...filter, sort: column }, limit, after);
  const id = page.books.at(-1)?.id;
  if (id === undefined) return page;
  const [key] = reading.statements.row(`SELECT ${column} FROM books WHERE id = ?`, id) ?? [];
  return { ...page, end: { key: String(key ?? ''), id, order } };
}

/** Finds a page by the way that is the fastest for the number of matches. */
function findInOrder(
  reading: QueryContext,
  filter: OrderedFilter,
  limit: number,
  after: KeysetPosition | undefined,
): StorePage {
  const sources = sourcesOf(filter);
  // Few matches are sorted. With many, a walk in sort order soon finds enough. At this number both cost about the same.
  const many = Math.max(1000, Math.sqrt(limit * reading.statements.number(maxIdSql)));
  const byId = filter.sort === 'id' ? sources.find(({ isById }) => isById) : undefined;
  // A single source that is in this order is read whatever its size.
  const source = byId && sources.length === 1 ? byId : (smallestSource(reading, sources, many) ?? byId);
  if (source !== undefined) return sort(reading, source, filter, limit, after);
  const [words] = hasWords(filter) ? sources : [];
  const isAlone = words !== undefined && sources.every(isFullText);
  if (isAlone && smallestSource(reading, [words], maxWalked * many) !== undefined)
    return walkMatches(reading, words, filter, limit, after);
  const page = walk(reading, filter, limit, after, sources.length === 0 ? Infinity : 4 * many);
  // If the matches come late in this order, the walk gives up.
  return page ?? sort(reading, sources[0] ?? allBooks, filter, limit, after);
}

/** Sorts the ids of all books of a source, then reads only the books of the page. */
function sort(
  reading: QueryContext,
  source: Source,
  filter: OrderedFilter,
  limit: number,
  after: KeysetPosition | undefined,
): StorePage {
  const place = filterOf(filter, source, after);
  const check = isExact(filter, source) ? undefined : filter;
  return fill(
    booksInOrder(reading, { ...source, ...place }, filter, check ? undefined : limit),
    check,
    limit,
  );
}

/** Walks the index of the sort key, which has the ids, and reads only the books that have the words. */
function walkMatches(
  reading: QueryContext,
  words: Source,
  filter: OrderedFilter,
  limit: number,
  after: KeysetPosition | undefined,
): StorePage {
  const column = sortColumn(filter.sort);
  const where = `${column} IS NOT NULL AND books.id IN (SELECT rowid FROM words WHERE ${words.where})`;
  const source = { from: `books INDEXED BY books_by_${filter.sort}`, where, values: words.values };
  const books = chain(placesOf(filter, after, source), (place) =>
    booksInOrder(reading, { ...source, ...place }, filter),
  );
  return fill(books, filter, limit);
}

/** The books of the parts of an index, one part after the other. */
function* chain<Part>(parts: readonly Part[], booksOfPart: (part: Part) => Iterable<Book>): Generator<Book> {
  for (const part of parts) yield* booksOfPart(part);
}

/**
 * The books of a source, found by their ids: an order of SQLite then sorts no more than ids.
 *
 * @param limit That of a page of these books, if no other check follows.
 */
function booksInOrder(
  reading: QueryContext,
  source: Source,
  filter: OrderedFilter,
  limit?: number,
): Generator<Book> {
  const { from, where, values } = source;
  const order = `FROM ${from} WHERE ${where} AND ${checkTimeIn(source)} ORDER BY ${orderOf(filter, source)}`;
  return booksOf(reading, { from: order, values }, limit && Math.min(limit, maxBooks) + 1);
}

/** Reads books in sort order and keeps those that match; `undefined` if `patience` books did not fill the page. */
function walk(
  reading: QueryContext,
  filter: OrderedFilter,
  limit: number,
  after: KeysetPosition | undefined,
  patience: number,
): StorePage | undefined {
  const { sort } = filter;
  const from = sort === 'id' ? 'books NOT INDEXED' : `books INDEXED BY books_by_${sort}`;
  const source = { from, where: isIndexedBy(filter), values: [] };
  const atOnce = matchesEverything(filter) ? limit : undefined;
  const books = chain(placesOf(filter, after, source), (place) =>
    booksInOrder(reading, { ...source, ...place }, filter, atOnce),
  );
  return fill(books, filter, limit, patience);
}

function fill(books: Iterable<Book>, check: Omit<BookFilter, 'sort'> | undefined, limit: number): StorePage;
function fill(
  books: Iterable<Book>,
  check: Omit<BookFilter, 'sort'> | undefined,
  limit: number,
  patience: number,
): StorePage | undefined;
function fill(
  books: Iterable<Book>,
  check: Omit<BookFilter, 'sort'> | undefined,
  limit: number,
  patience = Infinity,
): StorePage | undefined {
  const page = createPage(limit);
  let steps = 0;
  for (const book of books) {
    if (++steps > patience) return undefined;
    if (check !== undefined && !matches(check, book)) continue;
    if (page.isFull) return { books: page.books, isLast: false };
    page.add(book);
  }
  return { books: page.books, isLast: true };
}
