import { indexedIntegers } from '../../src/catalogue/fields.ts';
import { fitnessOf } from '../../src/catalogue/fitness.ts';
import { matches, toFilter } from '../../src/catalogue/query.ts';
import { defaultRules, isOrderedText, sortKey, type SortRules } from '../../src/catalogue/sort-keys.ts';
import type { Book, BookQuery } from '../../src/index.ts';

/**
 * All books that a query matches, in its order: a second implementation of a store, which compares each book. The rules of words and
 * keys are the catalogue's own, which its tests check.
 */
export function answer(books: Iterable<Book>, question: BookQuery, rules: SortRules = defaultRules): Book[] {
  const filter = toFilter(question);
  const { sort: key, best } = filter;
  const sign = filter.isDescending ? -1 : 1;
  const keyOf = (book: Book) => {
    if (best !== undefined) return fitnessOf(best, book);
    return isOrderedText(key) ? Buffer.from(sortKey(key, book[key], rules)) : book[key];
  };
  return [...books]
    .filter((book) => isInRanges(question, book) && matches(filter, book))
    .sort((a, b) => sign * (compare(keyOf(a), keyOf(b)) || a.id - b.id));
}

function isInRanges(question: BookQuery, book: Book): boolean {
  return indexedIntegers.every((name) => {
    const { [name]: value = book[name] } = question;
    const from = question[`${name}From`] ?? -Infinity;
    const to = question[`${name}To`] ?? Infinity;
    return book[name] === value && book[name] >= from && book[name] <= to;
  });
}

function compare(a: number | Buffer, b: number | Buffer): number {
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b);
  return Buffer.compare(a, b);
}
