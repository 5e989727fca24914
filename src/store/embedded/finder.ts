import type { Book } from '../../book.ts';
import { comparePositions, positionOf, type Position } from '../../query/position.ts';
import { isUnconditional, matches, type Condition } from '../../query/query.ts';
import { mergePages } from '../merge.ts';
import { createPage, type Page } from '../page.ts';
import type { PageRequest } from '../store.ts';
import { segmentOf } from './segment.ts';
import type { Snapshot } from './snapshot.ts';
import type { Work } from './work.ts';

/** As `BookStore.find`. */
export function* findBooks(
  snapshot: Snapshot,
  condition: Condition,
  { limit, after }: PageRequest,
): Work<Page> {
  if (isUnconditional(condition) && condition.sort === 'id')
    return yield* fillPage(byId(snapshot, condition, after), limit);
  const rest = yield* pick(snapshot, condition, matching(condition, snapshot.rest()), { limit, after });
  const indexed = yield* findIndexed(snapshot, condition, { limit, after });
  return mergePages(condition, limit, indexed, rest);
}

/** As `BookStore.count`, of a condition that not every book fits. */
export function* countBooks(snapshot: Snapshot, condition: Condition): Work<number> {
  let count = 0;
  for (const segment of snapshot.segments) {
    const { ids, isExact } = yield* snapshot.candidates(segment, condition);
    count += isExact ? ids.length : yield* countMatches(condition, booksOf(snapshot, ids));
    yield;
  }
  return count + (yield* countMatches(condition, snapshot.rest()));
}

function* countMatches(condition: Condition, books: Iterable<Book | undefined>): Work<number> {
  let count = 0;
  for (const book of matching(condition, books)) {
    if (book !== undefined) count++;
    yield;
  }
  return count;
}

/** Of the books in the index those that fit, in order. */
function* findIndexed(snapshot: Snapshot, condition: Condition, part: PageRequest): Work<Page> {
  const { limit, after } = part;
  if (condition.sort === 'id') return yield* fillPage(fitting(snapshot, condition, after), limit);
  const inOrder = booksOf(snapshot, snapshot.walk(condition, after));
  if (isUnconditional(condition)) return yield* fillPage(inOrder, limit);
  // Few that fit are put in order; if there are many, one meets enough of them soon on a walk in that order. At so
  // many, both are about as much work.
  const many = Math.max(1000, Math.sqrt(limit * snapshot.indexedBooks));
  const found = yield* countAtMost(snapshot, condition, many);
  if (found > many) {
    const page = yield* fillPage(matching(condition, inOrder), limit, 4 * many);
    if (page !== undefined) return page; // Else they stand far behind in this order.
  }
  return yield* pick(snapshot, condition, fitting(snapshot, condition), part);
}

/** All books by id, from behind a position. */
function byId(snapshot: Snapshot, { isDescending }: Condition, after: Position | undefined): Iterable<Book> {
  if (isDescending) return snapshot.books({ reverse: true, ...(after && { start: after.id - 1 }) });
  return snapshot.books({ start: (after?.id ?? 0) + 1 });
}

/** The books in the index that fit, by id, from behind a position; `undefined` is a pause. */
function* fitting(
  snapshot: Snapshot,
  condition: Condition,
  after?: Position,
): Generator<Book | undefined, void, undefined> {
  const isDescending = condition.sort === 'id' && condition.isDescending;
  const isBehind = (a: number, b: number) => (isDescending ? a < b : a > b);
  const { segments } = snapshot;
  for (const segment of isDescending ? segments.toReversed() : segments) {
    yield undefined;
    if (after !== undefined && isBehind(segmentOf(after.id), segment)) continue;
    const { ids, isExact } = yield* snapshot.candidates(segment, condition);
    const inOrder = isDescending ? ids.toReversed() : ids;
    const books = booksOf(
      snapshot,
      after === undefined ? inOrder : inOrder.filter((id) => isBehind(id, after.id)),
    );
    yield* isExact ? books : matching(condition, books);
  }
}

/** How many books in the index may fit, but not much further than to `enough`. */
function* countAtMost(snapshot: Snapshot, condition: Condition, enough: number): Work<number> {
  let count = 0;
  for (const segment of snapshot.segments) {
    if (count > enough) break;
    const { ids } = yield* snapshot.candidates(segment, condition);
    count += ids.length;
    yield;
  }
  return count;
}

function* booksOf(snapshot: Snapshot, ids: Iterable<number>): Generator<Book | undefined> {
  for (const id of ids) yield snapshot.get(id);
}

function* matching(condition: Condition, books: Iterable<Book | undefined>): Generator<Book | undefined> {
  for (const book of books) yield book !== undefined && matches(condition, book) ? book : undefined;
}

function fillPage(books: Iterable<Book | undefined>, limit: number): Work<Page>;
function fillPage(books: Iterable<Book | undefined>, limit: number, patience: number): Work<Page | undefined>;
/** A page of the books that come first; `undefined` if so many steps did not fill it. */
function* fillPage(
  books: Iterable<Book | undefined>,
  limit: number,
  patience = Infinity,
): Work<Page | undefined> {
  const page = createPage(limit);
  let steps = 0;
  for (const book of books) {
    if (book !== undefined && page.isFull) return { books: page.books, isLast: false };
    if (book !== undefined) page.add(book);
    if (++steps > patience) return undefined;
    yield;
  }
  return { books: page.books, isLast: true };
}

/** A page of books that come in any order; only their positions are held. */
function* pick(
  snapshot: Snapshot,
  condition: Condition,
  books: Iterable<Book | undefined>,
  { limit, after }: PageRequest,
): Work<Page> {
  let first: Position[] = [];
  const putInOrder = () => first.sort((a, b) => comparePositions(condition, a, b)).slice(0, limit + 1);
  for (const book of books) {
    yield;
    if (book === undefined) continue;
    const position = positionOf(condition, book);
    if (after !== undefined && comparePositions(condition, position, after) <= 0) continue;
    if (first.push(position) > 2 * limit + 1000) first = putInOrder();
  }
  const ids = putInOrder().map(({ id }) => id);
  return yield* fillPage(booksOf(snapshot, ids), limit);
}
