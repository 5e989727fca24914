import assert from 'node:assert/strict';
import type { Book, BookFields, BookQuery } from '../../src/index.ts';
import type { CompleteStore, Statistics, Suggestion } from '../../src/store.ts';
import { statistics, suggest } from '../../src/store/questions/fallback.ts';
import { bookOf } from './books.ts';

/** The limits of a store that estimates {@link manyBooks}. */
export const lowLimits = { all: 500, matches: 500, sample: 1000 };

/** Queries with many matches, whose statistics are estimated with {@link lowLimits}. */
export const broad: readonly BookQuery[] = [
  {},
  { q: 'the' },
  { titleWords: 'mothers' },
  { q: 'etude', yearFrom: 1950 },
  { yearFrom: 1930 },
];

/** Queries of which an index leads to few matches: their statistics are exact. */
export const selective: readonly BookQuery[] = [
  { author: 'Author 5' },
  { q: '77' },
  { q: 'the', year: 1995 },
  { q: 'none' },
  { q: 'the 77' },
];

/** Books sorted by year, as imports often are: half of them from the 1990s on, and with apostrophes and accents. */
export const manyBooks: readonly BookFields[] = Array.from({ length: 4000 }, (_, i) =>
  bookOf({
    title: i % 3 === 0 ? `The Étude ${i}` : `L'Autre Mother’s Day ${i}`,
    author: `Author ${Math.floor(600 / (1 + ((i * 79) % 600)))}`,
    year: i < 40 ? 0 : i < 2000 ? 1900 + Math.floor(i / 25) : 1990 + Math.floor((i - 2000) / 80),
  }),
);

/**
 * Stores {@link manyBooks} and returns them with their ids.
 *
 * @param raise Makes the ids of the next books go on from a number; with it, the last thousand and one more are far away.
 */
export async function storeMany(
  store: CompleteStore,
  raise?: (id: number) => Promise<void>,
): Promise<Book[]> {
  const books: Book[] = [];
  const add = async (some: readonly BookFields[]) => {
    const { ids } = await store.createMany(some);
    for (const [n, each] of some.entries()) books.push({ id: ids[n] ?? 0, ...each });
  };
  for (let i = 0; i < manyBooks.length; i += 1000) {
    if (i === 3000) await raise?.(2 ** 40);
    await add(manyBooks.slice(i, i + 1000));
  }
  if (raise !== undefined) {
    await raise(Number.MAX_SAFE_INTEGER - 10);
    await add(manyBooks.slice(0, 1));
  }
  return books;
}

/** Compares estimated statistics with exact ones: authors are equal, the range of years too, other counts almost. */
export function assertEstimated(found: Statistics, books: readonly Book[], query: BookQuery): void {
  const exact = statistics(books, query);
  const what = JSON.stringify(query);
  assert.equal(found.estimated, true, what);
  assert.deepEqual(found.authors, exact.authors, what);
  assert.deepEqual([found.years.first, found.years.last], [exact.years.first, exact.years.last], what);
  const near = (estimate: number, count: number) => {
    assert.ok(Math.abs(estimate - count) < 0.05 * exact.count, `${what}: ${estimate} instead of ${count}`);
  };
  near(found.count, exact.count);
  near(found.years.without, exact.years.without);
  const countOf = ({ decades }: Statistics, from: number) =>
    decades.find((each) => each.from === from)?.count ?? 0;
  for (const { from } of [...exact.decades, ...found.decades])
    near(countOf(found, from), countOf(exact, from));
}

/** Compares suggestions from a sample with exact ones: the counts are exact, and each value is one of the best. */
export function assertSuggested(found: readonly Suggestion[], books: readonly Book[], text: string): void {
  const all = suggest(books, 'author', text, Infinity);
  for (const each of found)
    assert.deepEqual(
      each,
      all.find(({ value }) => value === each.value),
    );
  const best = all.slice(0, found.length).map(({ count }) => count);
  assert.deepEqual(found.slice(0, 5), all.slice(0, 5), text);
  assert.ok(
    found.every(({ count }, i) => 2 * count >= (best[i] ?? 0)),
    text,
  );
  assert.equal(found.length, Math.min(10, all.length), text);
}
