import type { Book } from '../book.ts';
import { comparePositions, positionOf, type Position } from '../query/position.ts';
import type { Condition } from '../query/query.ts';
import { createPage, type Page } from './page.ts';

/**
 * One page of two that are ordered by the same condition, begin at the same place and share no book: what an index
 * found, and what no index knows yet.
 */
export function mergePages(condition: Condition, limit: number, one: Page, other: Page): Page {
  const page = createPage(limit);
  const [a, b] = [one, other].map(({ books }) =>
    books.map((book) => ({ book, position: positionOf(condition, book) })),
  ) as [Placed[], Placed[]];
  let [i, j] = [0, 0];
  for (;;) {
    // What follows the end of a page that is not the last is not known: it might come next.
    if ((i === a.length && !one.isLast) || (j === b.length && !other.isLast)) break;
    const next = earlier(condition, a[i], b[j]);
    if (next === undefined) return { books: page.books, isLast: true };
    if (page.isFull) break;
    page.add(next.book);
    if (next === a[i]) i++;
    else j++;
  }
  return { books: page.books, isLast: false };
}

interface Placed {
  readonly book: Book;
  readonly position: Position;
}

function earlier(condition: Condition, a: Placed | undefined, b: Placed | undefined): Placed | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return comparePositions(condition, a.position, b.position) < 0 ? a : b;
}
