import { maxDecades } from './limits.ts';
import type { BookFields } from './book.ts';
import { authorField, yearField } from './fields.ts';
import { textKey } from './keyset-position.ts';

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
  /** The decades that have books, with the number of these, by year. At most 1,000 decades: those with the most books. */
  decades: { from: number; count: number }[];
  /** The 10 most frequent authors. Spellings that fold to the same text count together; empty ones do not count. */
  authors: { author: string; count: number }[];
  /** Whether all counts but those of authors come from a sample of the books. The range of the years may then be too short. */
  estimated: boolean;
}

/** Counts books by year, and by the key of their author. */
export class BookTally {
  readonly years = new Map<number, number>();
  readonly authors = new Map<string, number>();

  add(book: Pick<BookFields, typeof yearField | typeof authorField>): void {
    const [year, key] = [book[yearField], textKey(book[authorField])];
    this.years.set(year, (this.years.get(year) ?? 0) + 1);
    this.authors.set(key, (this.authors.get(key) ?? 0) + 1);
  }
}

/** What the years of books tell. */
export type YearSummary = Omit<Statistics, 'authors' | 'estimated'>;

/**
 * Summarizes the years of books, each with a number of its books.
 *
 * @param factor The number of books that each counted book represents.
 */
export function summarizeYears(
  years: Iterable<readonly [year: number, count: number]>,
  factor = 1,
): YearSummary {
  const decades = new Map<number, number>();
  let [total, without] = [0, 0];
  let [first, last]: [number | null, number | null] = [null, null];
  for (const [year, count] of years) {
    total += count;
    if (year === 0) {
      without += count;
      continue;
    }
    first = Math.min(first ?? year, year);
    last = Math.max(last ?? year, year);
    const from = firstOfDecade(year);
    decades.set(from, (decades.get(from) ?? 0) + count);
  }
  const largest = [...decades]
    .map(([from, count]) => ({ from, count: Math.round(count * factor) }))
    .sort((a, b) => b.count - a.count || b.from - a.from)
    .slice(0, maxDecades);
  return {
    count: Math.round(total * factor),
    years: { first, last, without: Math.round(without * factor) },
    decades: largest.sort((a, b) => a.from - b.from),
  };
}

/** The first year of the decade of a year: 1810 for 1815, and -10 for -1. */
export function firstOfDecade(year: number): number {
  return year - (((year % 10) + 10) % 10);
}

/** Rounds an estimate to three significant digits: more would look exact. */
export function roundEstimate(count: number): number {
  return Number(count.toPrecision(3));
}
