import type { Book } from '../book.ts';
import { comparePositions, positionOf } from '../query/position.ts';
import type { Condition } from '../query/query.ts';
import { createPage, type Page } from './page.ts';

/**
 * One page of two listings that are ordered by the same condition and share no book: what an index found, and what no
 * index knows yet.
 *
 * @param indexed Begins where the page begins; `isLast` says whether it holds all that is there.
 * @param rest All of it, from where the page begins.
 */
export function mergePage(condition: Condition, limit: number, indexed: Page, rest: readonly Book[]): Page {
  const page = createPage(limit);
  const [a, b] = [indexed.books, rest];
  let [i, j] = [0, 0];
  for (;;) {
    const next = first(condition, a[i], b[j]);
    // What follows the end of a cut-off listing is not known: it might come first.
    if (next === undefined || (i === a.length && !indexed.isLast)) break;
    if (page.isFull) return { books: page.books, isLast: false };
    page.add(next);
    if (next === a[i]) i++;
    else j++;
  }
  return { books: page.books, isLast: indexed.isLast };
}

function first(condition: Condition, a: Book | undefined, b: Book | undefined): Book | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return comparePositions(condition, positionOf(condition, a), positionOf(condition, b)) < 0 ? a : b;
}
