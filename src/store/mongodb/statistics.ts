// Statistics: counted on the server, but for books that must be checked; estimated from a sample of many matches.
import type { Document, Filter } from 'mongodb';
import type { Book } from '../../catalogue/book.ts';
import { matches, matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import {
  authorField,
  BookTally,
  maxAuthors,
  summarizeYears,
  yearField,
  type Statistics,
  type YearSummary,
} from '../../catalogue/statistics.ts';
import { rankKeys, type KeyCount } from '../../catalogue/suggestion.ts';
import { maxCandidates, sampleSize, wantedMatches } from '../contract/sample.ts';
import { countBooks, countOnServer } from './count.ts';
import { candidates, certain, hasEntry, uncertain } from './filter.ts';
import { readDocuments, type Reading } from './reading.ts';
import { idsOf, readSample, type Sample } from './sample.ts';
import type { BookDocument } from './schema.ts';
import { countKeysOnServer, spell } from './suggest.ts';

/** The number of books that are counted one by one, and of those in a round of a sample of more. */
export const statisticsLimits = { matches: 100_000, sample: sampleSize };

interface Counts {
  readonly years: YearSummary;
  /** The most frequent ones, at least. */
  readonly authors: Iterable<AuthorCount>;
}

type AuthorCount = readonly [key: string, count: number];
type Years = Statistics['years'];

/** The number of books that are checked without a pause. */
const maxCheckedAtOnce = 100;
/** The same of a sample, which is small. */
const sampledAtOnce = 1000;

const authorKey = `index.${authorField}`;
const yearKey = `index.${yearField}`;
const wordsKey = 'index.words';
const maxYear = Number.MAX_SAFE_INTEGER;

/** As `BookStore.statistics`. */
export async function readStatistics(
  reading: Reading,
  filter: BookFilter,
  limits = statisticsLimits,
): Promise<Statistics> {
  const sample = await sampleIfMany(reading, filter, limits);
  const counts =
    sample === undefined ? readCounts(reading, filter) : estimate(reading, filter, sample, limits.matches);
  const { years, authors } = await counts;
  const best = rankKeys(authors, maxAuthors);
  const spellings = await spell(reading, authorField, best);
  return {
    ...years,
    authors: best.map(({ count }, i) => ({ author: spellings[i] ?? '', count })),
    estimated: sample !== undefined,
  };
}

/** A sample of the matching books; `undefined` if an index leads to few enough of them. */
async function sampleIfMany(
  reading: Reading,
  filter: BookFilter,
  { matches: most, sample: size }: typeof statisticsLimits,
): Promise<Sample<Book> | undefined> {
  const { first, last } = await idsOf(reading);
  if (last - first < most) return undefined;
  const terms = candidates(filter);
  const isAnyFew = async (some: readonly Filter<BookDocument>[]) => {
    for (const term of some) if ((await countOnServer(reading, term, most + 1)) <= most) return true;
    return false;
  };
  const isOfWords = (term: Filter<BookDocument>) => Object.hasOwn(term, wordsKey);
  if (await isAnyFew(terms.filter((term) => !isOfWords(term)))) return undefined;
  const read = async (ids: Filter<BookDocument>) => {
    const query = { $and: [ids, hasEntry, ...terms] };
    const found: Book[] = [];
    for await (const batch of readDocuments(reading, query, { hint: { _id: 1 }, batchSize: sampledAtOnce }))
      for (const { book } of batch) if (book !== undefined && matches(filter, book)) found.push(book);
    return found;
  };
  const sample = await readSample(reading, read, 0, size);
  // The server reads all books that one of the terms finds. It takes long to count those of a frequent word.
  const isFew = sample.found.length * sample.factor <= most;
  if (isFew && (terms.length <= 1 || (await isAnyFew(terms.filter(isOfWords))))) return undefined;
  return sample.found.length < wantedMatches ? readSample(reading, read, wantedMatches, size) : sample;
}

/** Counts on the server, except the books that must be checked one by one. */
async function readCounts(reading: Reading, filter: BookFilter): Promise<Counts> {
  const { years, authors } = await tallyMatches(reading, filter);
  return { years: summarizeYears(years), authors };
}

async function tallyMatches(reading: Reading, filter: BookFilter): Promise<BookTally> {
  if (matchesEverything(filter)) return tallyOnServer(reading, hasEntry, [], { [authorKey]: { $gt: '' } });
  const [sure, unsure] = [certain(filter), uncertain(filter)];
  const checked = await tallyHere(reading, filter, unsure);
  if (sure === undefined) return checked;
  const counts = await tallyOnServer(reading, { $and: sure }, [...checked.authors.keys()]);
  add(counts.years, checked.years);
  add(counts.authors, checked.authors);
  return counts;
}

/**
 * Several aggregations at once. Without a filter, each uses only the index of its field.
 *
 * @param others Authors to count besides the most frequent ones.
 */
async function tallyOnServer(
  reading: Reading,
  filter: Filter<BookDocument>,
  others: readonly string[],
  authorFilter = filter,
): Promise<BookTally> {
  const ofOthers = { $and: [filter, { [authorKey]: { $in: others } }] };
  const [years, authors, more] = await Promise.all([
    group(reading, filter, yearField),
    group(reading, authorFilter, authorField, [{ $sort: { count: -1, _id: 1 } }, { $limit: maxAuthors + 1 }]),
    others.length > 0 ? group(reading, ofOthers, authorField) : [],
  ]);
  const tally = new BookTally();
  for (const { _id, count } of years) tally.years.set(Number(_id), Number(count));
  for (const { _id, count } of [...authors, ...more]) tally.authors.set(String(_id), Number(count));
  return tally;
}

async function group(
  { database: { books }, maxTimeMS, signal }: Reading,
  filter: Filter<BookDocument>,
  name: string,
  more: readonly Document[] = [],
): Promise<Document[]> {
  const stages = [{ $match: filter }, { $group: { _id: `$index.${name}`, count: { $sum: 1 } } }, ...more];
  const found = await books.aggregate(stages, { maxTimeMS, batchSize: 10_000 }).toArray();
  signal.throwIfAborted();
  return found;
}

/** Checks candidates one by one. */
async function tallyHere(
  reading: Reading,
  filter: BookFilter,
  unchecked: Filter<BookDocument>[] | undefined,
): Promise<BookTally> {
  const tally = new BookTally();
  if (unchecked === undefined) return tally;
  for await (const batch of readDocuments(reading, { $and: unchecked }, { batchSize: maxCheckedAtOnce }))
    for (const { book } of batch) if (book !== undefined && matches(filter, book)) tally.add(book);
  return tally;
}

function add<Key>(counts: Map<Key, number>, more: Iterable<readonly [Key, number]>): void {
  for (const [key, count] of more) counts.set(key, (counts.get(key) ?? 0) + count);
}

/** Scales a sample; counts its most frequent authors by the index. */
async function estimate(
  reading: Reading,
  filter: BookFilter,
  { found, factor }: Sample<Book>,
  most: number,
): Promise<Counts> {
  const tally = new BookTally();
  for (const book of found) tally.add(book);
  const summary = summarizeYears(tally.years, factor);
  const [years, authors] = await Promise.all([
    rangeOfYears(reading, filter, summary.years, most),
    countAuthors(reading, filter, rankKeys(tally.authors, maxCandidates)),
  ]);
  return { years: { ...summary, years: { ...summary.years, ...years } }, authors };
}

/** The range of the years, as far as their index shows it soon; and of all books, the number of those that have none. */
async function rangeOfYears(
  reading: Reading,
  filter: BookFilter,
  sampled: Years,
  most: number,
): Promise<Partial<Years>> {
  const asked = filter.ranges[yearField] ?? { from: -maxYear, to: maxYear };
  const end = (from: number, to: number, direction: 1 | -1) =>
    firstYear(reading, filter, Math.max(from, asked.from), Math.min(to, asked.to), direction);
  const ends = [
    (await end(-maxYear, -1, 1)) ?? (await end(1, maxYear, 1)),
    (await end(1, maxYear, -1)) ?? (await end(-maxYear, -1, -1)),
    sampled.first,
    sampled.last,
  ].filter((year) => typeof year === 'number');
  const range = ends.length === 0 ? {} : { first: Math.min(...ends), last: Math.max(...ends) };
  if (!matchesEverything(filter)) return range;
  const without = await countOnServer(reading, { [yearKey]: 0 }, most + 1);
  return without > most ? range : { ...range, without };
}

/** The year of the first matching book of a range, if it comes soon. */
async function firstYear(
  reading: Reading,
  filter: BookFilter,
  from: number,
  to: number,
  direction: 1 | -1,
): Promise<number | undefined> {
  const query = { [yearKey]: { $gte: from, $lte: to } };
  const options = {
    sort: { [yearKey]: direction },
    limit: wantedMatches,
    batchSize: maxCheckedAtOnce,
  } as const;
  for await (const batch of readDocuments(reading, query, options)) {
    const first = batch.find(({ book }) => book !== undefined && matches(filter, book));
    if (first?.book !== undefined) return first.book[yearField];
  }
  return undefined;
}

/** The exact numbers of books of the most frequent of some authors. */
async function countAuthors(
  reading: Reading,
  filter: BookFilter,
  likely: readonly KeyCount[],
): Promise<AuthorCount[]> {
  const keys = likely.map(({ key }) => key);
  const totals = await countKeysOnServer(keys, reading, (key) =>
    countOnServer(reading, { [authorKey]: key }),
  );
  if (matchesEverything(filter)) return totals;
  const count = (some: readonly string[]) =>
    countKeysOnServer(some, reading, (key) =>
      countBooks(reading, { ...filter, texts: { ...filter.texts, [authorField]: key } }),
    );
  const first = await count(keys.slice(0, maxAuthors));
  // Whoever has fewer books than these have matches is not among them.
  const least = rankKeys(first, maxAuthors)[maxAuthors - 1]?.count ?? 0;
  const counted = new Set(first.map(([key]) => key));
  const others = totals.filter(([key, total]) => !counted.has(key) && total >= least);
  return [...first, ...(await count(others.map(([key]) => key)))];
}
