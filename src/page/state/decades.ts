import { yearField } from '../../catalogue/fields.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { firstOfDecade, type Statistics } from '../../catalogue/statistics.ts';
import { texts } from '../texts/current.ts';
import type { QueryChanges } from './navigation.ts';

/** A time as a reader knows it, and the query for its books. */
interface Time {
  readonly label: string;
  readonly query: BookQuery;
}

const between = (first: number | undefined, last: number): BookQuery => ({
  ...(first !== undefined && { [`${yearField}From`]: first }),
  [`${yearField}To`]: last,
});

/** The decade of a year. Year 0 means that there is none. */
export function decadeOf(year: number): Time {
  const from = firstOfDecade(year);
  return { label: texts.books.decade(from), query: between(from || 1, from + 9) };
}

/** No filter of years. */
const anyYear: QueryChanges = {
  [yearField]: undefined,
  [`${yearField}From`]: undefined,
  [`${yearField}To`]: undefined,
};

/** The filter for the books without a year. */
export const withoutYear: QueryChanges = { ...anyYear, [yearField]: 0 };

/** The filter for the books of the decade of a year, or for those that have none, instead of another filter of years. */
export function decadeFilter(year: number): { label: string; query: QueryChanges } {
  if (year === 0) return { label: texts.missing[yearField], query: withoutYear };
  const { label, query } = decadeOf(year);
  return { label, query: { ...anyYear, ...query } };
}

/** The time before this year is one bar: it has few books of many decades. */
const firstYear = 1900;
/** More decades without a book are left out: a year may be a typing error. */
const maxDecades = 30;

type Bar = Time & { readonly count: number };

/**
 * The books of each decade, the newest first; also of those that have none, so that equal distances are equal times.
 *
 * @param counted The query whose books are counted: a bar leads to no year outside of it.
 */
export function barsOfDecades(decades: Statistics['decades'], counted: BookQuery): Bar[] {
  const [from, to] = [`${yearField}From`, `${yearField}To`] as const;
  return bars(decades).map((bar) => {
    const first = Math.max(bar.query[from] ?? -Infinity, counted[from] ?? -Infinity);
    const last = Math.min(bar.query[to] ?? Infinity, counted[to] ?? Infinity);
    return { ...bar, query: between(Number.isFinite(first) ? first : undefined, last) };
  });
}

function bars(decades: Statistics['decades']): Bar[] {
  const last = decades.at(-1)?.from ?? 0;
  if (last < firstYear)
    return [...decades].reverse().map((each) => ({ ...decadeOf(each.from), count: each.count }));
  const counts = new Map(decades.map(({ from, count }) => [from, count]));
  const distance = (last - firstYear) / 10 + 1; // A year may be as large as an integer.
  const shown =
    distance > maxDecades
      ? [...counts.keys()].filter((from) => from >= firstYear).reverse()
      : Array.from({ length: distance }, (_, i) => last - 10 * i);
  const sumOf = (first: number, end: number) =>
    decades.reduce((sum, { from, count }) => sum + (from >= first && from < end ? count : 0), 0);
  const earlier = [
    {
      label: texts.stats.before(firstYear),
      query: between(1, firstYear - 1),
      count: sumOf(0, firstYear),
    },
    { label: texts.stats.beforeChrist, query: between(undefined, -1), count: sumOf(-Infinity, 0) },
  ];
  return [
    ...shown.map((from) => ({ ...decadeOf(from), count: counts.get(from) ?? 0 })),
    ...earlier.filter(({ count }) => count > 0),
  ];
}
