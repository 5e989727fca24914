import { rankOf } from '../../src/catalogue/ranking.ts';
import { indexedIntegers } from '../../src/catalogue/fields.ts';
import { matches, toFilter, type StoreQuery } from '../../src/catalogue/query.ts';
import { defaultRules, isOrderedText, sortKey, type SortRules } from '../../src/catalogue/sort-keys.ts';
import type { Book, BookStore } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import { completeStore } from '../../src/store/complete.ts';
import { fillPage } from '../../src/store/contract/page.ts';

/** A store of these books, as `completeStore` makes it from the simplest core: parts of words and corrections are its own. */
export function modelOf(books: Iterable<Book>, rules?: SortRules): CompleteStore {
  const all = [...books].sort((a, b) => a.id - b.id);
  const core: Partial<BookStore> = {
    description: 'a model',
    version: () => Promise.resolve('1'),
    find: (query, { limit }) => Promise.resolve(fillPage(answer(all, query, rules), limit)),
    async *iterate() {
      yield await Promise.resolve(all);
    },
  };
  return completeStore(core as BookStore);
}

/**
 * All books that a query matches, in its order: a second implementation of a store, which compares each book. The rules of words and
 * keys are the catalogue's own, which its tests check.
 */
export function answer(
  books: readonly Book[],
  question: StoreQuery,
  rules: SortRules = defaultRules,
): Book[] {
  const filter = toFilter(question);
  const { sort: key, best } = filter;
  const sign = filter.isDescending ? -1 : 1;
  const keyOf = (book: Book) => {
    if (best !== undefined) return rankOf(best, book);
    return isOrderedText(key) ? Buffer.from(sortKey(key, book[key], rules)) : book[key];
  };
  return [...books]
    .filter((book) => isInRanges(question, book) && matches(filter, book))
    .sort((a, b) => sign * (compare(keyOf(a), keyOf(b)) || a.id - b.id));
}

function isInRanges(question: StoreQuery, book: Book): boolean {
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
