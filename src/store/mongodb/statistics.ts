// Statistics: counted on the server, but for books that must be checked; estimated from a sample of many matches.
import { maxAuthors } from '../../catalogue/limits.ts';
import { authorField, yearField } from '../../catalogue/fields.ts';
import type { Document, Filter } from 'mongodb';
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import { BookTally, summarizeYears, type Statistics } from '../../catalogue/statistics.ts';
import { runAsync } from '../../lib/gensync.ts';
import { sampleSize, wantedMatches, type Sample } from '../questions/sample.ts';
import {
  statisticsOf,
  type Counts,
  type StatisticsStore,
  type YearAndAuthor,
} from '../questions/statistics.ts';
import { countBooks, countOnServer } from './count.ts';
import { candidates, certain, hasEntry, uncertain } from './filter.ts';
import { readDocuments, type QueryContext } from './reading.ts';
import { nextId, sampleOf } from './sample.ts';
import { anyId, type BookDocument } from './schema.ts';
import { countKeysOnServer, spell } from './suggest.ts';

/** The number of books that are counted one by one, and of those in a round of a sample of more. */
export const statisticsLimits = { matches: 100_000, sample: sampleSize };

/** The number of books that are checked without a pause. */
const maxCheckedAtOnce = 100;
/** The same of a sample, which is small. */
const sampledAtOnce = 1000;

const authorKey = `index.${authorField}`;
const yearKey = `index.${yearField}`;
const wordsKey = 'index.words';

/** As `BookStore.statistics`. */
export function readStatistics(
  reading: QueryContext,
  filter: BookFilter,
  limits = statisticsLimits,
): Promise<Statistics> {
  return runAsync(statisticsOf(storeOf(reading, filter, limits.matches), filter, limits.sample));
}

function storeOf(reading: QueryContext, filter: BookFilter, most: number): StatisticsStore {
  const terms = candidates(filter);
  const isOfWords = (term: Filter<BookDocument>) => Object.hasOwn(term, wordsKey);
  const isAnyFew = async (some: readonly Filter<BookDocument>[]) => {
    for (const term of some) if ((await countOnServer(reading, term, most + 1)) <= most) return true;
    return false;
  };
  const isFew = async (sample: Sample<unknown> | undefined) => {
    if (sample === undefined) {
      const ends = [nextId(reading, anyId.$gte, 1), nextId(reading, anyId.$lte, -1)];
      const [first = 1, last = 0] = await Promise.all(ends);
      return last - first < most || (await isAnyFew(terms.filter((term) => !isOfWords(term))));
    }
    // The server reads all books that one of the terms finds. It takes long to count those of a frequent word.
    if (sample.found.length * sample.factor > most) return false;
    return terms.length <= 1 || (await isAnyFew(terms.filter(isOfWords)));
  };
  return {
    sampled: sampleOf(reading, async (ids) => {
      const query = { $and: [ids, hasEntry, ...terms] };
      const found: YearAndAuthor[] = [];
      for await (const batch of readDocuments(reading, query, { hint: { _id: 1 }, batchSize: sampledAtOnce }))
        for (const { book } of batch)
          if (book !== undefined && matches(filter, book))
            found.push([book[yearField], textKey(book[authorField])]);
      return found;
    }),
    spell: spell(reading, authorField),
    countFew: async (sample) => ((await isFew(sample)) ? readCounts(reading, filter) : undefined),
    count: () => undefined,
    async countWithoutYear() {
      if (!matchesEverything(filter)) return undefined;
      const without = await countOnServer(reading, { [yearKey]: 0 }, most + 1);
      return without > most ? undefined : without;
    },
    nextYear: (...range) => nextYear(reading, filter, ...range),
    countAuthors: (of, keys) =>
      countKeysOnServer(keys, reading, (key) => countBooks(reading, of, { [authorKey]: key })),
  };
}

/** Counts on the server, except the books that must be checked one by one. */
async function readCounts(reading: QueryContext, filter: BookFilter): Promise<Counts> {
  const { years, authors } = await tallyMatches(reading, filter);
  return { years: summarizeYears(years), authors };
}

async function tallyMatches(reading: QueryContext, filter: BookFilter): Promise<BookTally> {
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
  reading: QueryContext,
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
  { database: { books }, maxTimeMS, signal }: QueryContext,
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
  reading: QueryContext,
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

/** The year of the first matching book of a range, if it comes soon. */
async function nextYear(
  reading: QueryContext,
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
