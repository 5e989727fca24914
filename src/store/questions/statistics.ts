// Decisions about statistics and suggestions that all stores share: how to scale a sample, and which authors and values to count.
import { maxAuthors } from '../../catalogue/limits.ts';
import { yearField } from '../../catalogue/fields.ts';
import { matchesEverything, toFilter, type BookFilter } from '../../catalogue/query.ts';
import { summarizeYears, type Statistics, type YearSummary } from '../../catalogue/statistics.ts';
import { countKeys, rankKeys, type Suggestion } from '../../catalogue/suggestion.ts';
import { wait, type MaybePromise, type Gensync } from '../../lib/gensync.ts';
import { maxCandidates, takeSample, wantedMatches, type Sample, type SampledStore } from './sample.ts';

export type AuthorCount = readonly [key: string, count: number];

/** What statistics are made of. */
export interface Counts {
  readonly years: YearSummary;
  /** The most frequent ones, at least. */
  readonly authors: Iterable<AuthorCount>;
}

/** The usual spellings of the texts with some keys, in their order. */
type DisplayForms = (keys: readonly string[]) => MaybePromise<readonly string[]>;

/** What a sample shows of a book. */
export type YearAndAuthor = readonly [year: number, authorKey: string];

/** What a store counts for statistics: the books that match a filter, unless it is told otherwise. */
export interface StatisticsStore {
  readonly sampled: SampledStore<YearAndAuthor>;
  readonly spell: DisplayForms;
  /**
   * Counts exactly, if an index leads to few enough books.
   *
   * @param sample Passed in a second call: it shows how frequent words are, which an index may take long to find.
   */
  countFew(sample?: Sample<YearAndAuthor>): MaybePromise<Counts | undefined>;
  /** The exact numbers of books, and of those without a year; `undefined` if they take long to count. */
  count(): MaybePromise<number | undefined>;
  countWithoutYear(): MaybePromise<number | undefined>;
  /** The first (1) or last (-1) year of a range, if it comes soon. */
  nextYear(from: number, to: number, direction: 1 | -1): MaybePromise<number | undefined>;
  /** Whether counting the matching books of all authors takes hardly longer than of one. */
  readonly countsTogether?: boolean;
  /** The exact number of books of each of some authors, as far as they match another filter. */
  countAuthors(filter: BookFilter, keys: readonly string[]): MaybePromise<readonly AuthorCount[]>;
}

/** As `BookStore.statistics`. @param size The number of books of a sample. */
export function* statisticsOf(store: StatisticsStore, filter: BookFilter, size: number): Gensync<Statistics> {
  const sampled = function* (): Gensync<Counts | Sample<YearAndAuthor>> {
    const few = yield* wait(store.countFew());
    if (few !== undefined) return few;
    const sample = yield* takeSample(store.sampled, 0, size);
    const counts = yield* wait(store.countFew(sample));
    if (counts !== undefined || sample.found.length >= wantedMatches) return counts ?? sample;
    return yield* takeSample(store.sampled, wantedMatches, size);
  };
  const known = yield* sampled();
  const estimated = 'found' in known;
  const { years, authors } = estimated ? yield* estimate(store, filter, known) : known;
  const best = rankKeys(authors, maxAuthors);
  const spellings = yield* wait(store.spell(best.map(({ key }) => key)));
  return {
    ...years,
    authors: best.map(({ count }, i) => ({ author: spellings[i] ?? '', count })),
    estimated,
  };
}

/** Scales a sample of the matching books; counts its most frequent authors by the index. */
function* estimate(
  store: StatisticsStore,
  filter: BookFilter,
  { found, factor }: Sample<YearAndAuthor>,
): Gensync<Counts> {
  const total = (yield* wait(store.count())) ?? found.length * factor;
  const sampled = found.map(([year]) => [year, 1] as const);
  const summary = summarizeYears(sampled, total / Math.max(1, found.length));
  const range = yield* rangeOfYears(store, filter, summary.years);
  const without = (yield* wait(store.countWithoutYear())) ?? summary.years.without;
  const likely = countKeys(found.map(([, key]) => key)).slice(0, maxCandidates);
  return {
    years: { ...summary, years: { ...range, without } },
    authors: yield* countAuthors(
      store,
      filter,
      likely.map(({ key }) => key),
    ),
  };
}

/** The range of the years, as far as their index shows it soon. */
function* rangeOfYears(
  store: StatisticsStore,
  filter: BookFilter,
  sampled: Statistics['years'],
): Gensync<Pick<Statistics['years'], 'first' | 'last'>> {
  const { from, to } = filter.ranges[yearField] ?? { from: -Infinity, to: Infinity };
  const [least, most] = [Math.max(from, Number.MIN_SAFE_INTEGER), Math.min(to, Number.MAX_SAFE_INTEGER)];
  const [before, after] = [Math.min(to, -1), Math.max(from, 1)]; // The year 0 is none.
  const ends = [
    (yield* wait(store.nextYear(least, before, 1))) ?? (yield* wait(store.nextYear(after, most, 1))),
    (yield* wait(store.nextYear(after, most, -1))) ?? (yield* wait(store.nextYear(least, before, -1))),
    sampled.first,
    sampled.last,
  ].filter((year) => typeof year === 'number');
  if (ends.length === 0) return { first: null, last: null };
  return { first: Math.min(...ends), last: Math.max(...ends) };
}

/** The exact numbers of books of the most frequent of some authors, which are ordered by their probable number. */
function* countAuthors(
  store: StatisticsStore,
  filter: BookFilter,
  likely: readonly string[],
): Gensync<readonly AuthorCount[]> {
  if (store.countsTogether === true) return yield* wait(store.countAuthors(filter, likely));
  const totals = yield* wait(store.countAuthors(toFilter({}), likely));
  if (matchesEverything(filter)) return totals;
  const first = yield* wait(store.countAuthors(filter, likely.slice(0, maxAuthors)));
  // An author with fewer books in all than each of these has matches cannot be among the most frequent.
  const least = rankKeys(first, maxAuthors)[maxAuthors - 1]?.count ?? 0;
  const counted = new Set(first.map(([key]) => key));
  const others = totals.flatMap(([key, total]) => (!counted.has(key) && total >= least ? [key] : []));
  return [...first, ...(yield* wait(store.countAuthors(filter, others)))];
}

/** Counts the books of the most frequent keys exactly. @param found The key of each book that was found, with repetitions. */
export function* suggestOf(
  found: readonly string[],
  limit: number,
  count: (keys: readonly string[]) => MaybePromise<readonly AuthorCount[]>,
  spell: DisplayForms,
): Gensync<Suggestion[]> {
  const likely = countKeys(found).slice(0, Math.max(maxCandidates, limit));
  const best = rankKeys(yield* wait(count(likely.map(({ key }) => key))), limit);
  const spellings = yield* wait(spell(best.map(({ key }) => key)));
  return best.map((each, i) => ({ value: spellings[i] ?? '', count: each.count }));
}
