import type { IndexedInteger, SuggestedField } from './fields.ts';

/** The fields that statistics are about. */
export const yearField = 'year' satisfies IndexedInteger;
export const authorField = 'author' satisfies SuggestedField;

/** The statistics of the books that a query matches. A book without a year has the year 0. */
export interface Statistics {
  /** The number of books. */
  count: number;
  /** The years of the books; 0 counts as none. */
  years: {
    /** The earliest and the latest year; `null` if no book has a year. */
    first: number | null;
    last: number | null;
    /** The number of books without a year. */
    without: number;
  };
  /** The number of books of each decade that has any, by year. At most 1,000 decades: those with the most books. */
  decades: { from: number; count: number }[];
  /** The 10 most frequent authors. Spellings that fold to the same text count together; empty ones do not count. */
  authors: { author: string; count: number }[];
}

export const maxAuthors = 10;
export const maxDecades = 1000;

/** Summarizes the years of books, of which each is given once, with the number of its books. */
export function summarizeYears(
  years: Iterable<readonly [year: number, count: number]>,
): Omit<Statistics, 'authors'> {
  const decades = new Map<number, number>();
  let [total, without] = [0, 0];
  let [first, last]: [number | null, number | null] = [null, null];
  for (const [year, count] of years) {
    total += count;
    if (year === 0) {
      without = count;
      continue;
    }
    first = Math.min(first ?? year, year);
    last = Math.max(last ?? year, year);
    const from = firstOfDecade(year);
    decades.set(from, (decades.get(from) ?? 0) + count);
  }
  const largest = [...decades]
    .map(([from, count]) => ({ from, count }))
    .sort((a, b) => b.count - a.count || b.from - a.from)
    .slice(0, maxDecades);
  return {
    count: total,
    years: { first, last, without },
    decades: largest.sort((a, b) => a.from - b.from),
  };
}

/** The first year of the decade of a year: 1810 for 1815, and -10 for -1. */
export function firstOfDecade(year: number): number {
  return year - (((year % 10) + 10) % 10);
}
