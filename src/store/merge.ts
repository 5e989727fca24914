import type { Book } from '../book.ts';
import { comparePositions, positionOf } from '../query/position.ts';
import type { Condition } from '../query/query.ts';
import { createPage, type Page } from './page.ts';

/**
 * One page of two that are ordered by the same condition, begin at the same place and share no book: what an index
 * found, and what no index knows yet.
 */
export function mergePages(condition: Condition, limit: number, one: Page, other: Page): Page {
  const page = createPage(limit);
  const [a, b] = [one.books, other.books];
  let [i, j] = [0, 0];
  for (;;) {
    // What follows the end of a page that is not the last is not known: it might come next.
    if ((i === a.length && !one.isLast) || (j === b.length && !other.isLast)) break;
    const next = earlier(condition, a[i], b[j]);
    if (next === undefined) return { books: page.books, isLast: true };
    if (page.isFull) break;
    page.add(next);
    if (next === a[i]) i++;
    else j++;
  }
  return { books: page.books, isLast: false };
}

function earlier(condition: Condition, a: Book | undefined, b: Book | undefined): Book | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return comparePositions(condition, positionOf(condition, a), positionOf(condition, b)) < 0 ? a : b;
}
