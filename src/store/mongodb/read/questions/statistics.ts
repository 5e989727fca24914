import type { Document, Filter } from 'mongodb';
import { textKey } from '../../../../catalogue/keyset-position.ts';
import { matches, matchesEverything, type BookFilter } from '../../../../catalogue/query.ts';
import {
  authorField,
  maxAuthors,
  summarizeYears,
  yearField,
  type Statistics,
} from '../../../../catalogue/statistics.ts';
import { compareCounts, type KeyCount } from '../../../../catalogue/suggestion.ts';
import type { BookDocument } from '../../documents.ts';
import { candidates, certain, hasEntry, uncertain } from '../filter.ts';
import { readBatches, type Reading } from '../reading.ts';
import { spell } from './spellings.ts';

interface Counts {
  readonly years: Iterable<readonly [year: number, count: number]>;
  /** The most frequent ones, at least. */
  readonly authors: readonly KeyCount[];
}

/** As `BookStore.statistics`: counted on the server, unless some books must be checked one by one. */
export async function readStatistics(reading: Reading, filter: BookFilter): Promise<Statistics> {
  const counts = await readCounts(reading, filter);
  const authors = counts.authors
    .filter(({ key }) => key !== '')
    .sort(compareCounts)
    .slice(0, maxAuthors);
  const spellings = await spell(reading, authorField, authors);
  return {
    ...summarizeYears(counts.years),
    authors: authors.map(({ count }, i) => ({ author: spellings[i] ?? '', count })),
  };
}

async function readCounts(reading: Reading, filter: BookFilter): Promise<Counts> {
  if (matchesEverything(filter)) {
    const anyKey = { [`index.${authorField}`]: { $gt: '' } };
    return countOnServer(reading, hasEntry, anyKey);
  }
  const sure = certain(filter);
  const unsure = uncertain(filter);
  if (sure === undefined || (unsure !== undefined && (await findsAny(reading, { $and: unsure }))))
    return countHere(reading, filter);
  return countOnServer(reading, { $and: sure });
}

/** Two aggregations at once. Without a filter, each uses only the index of its field. */
async function countOnServer(
  reading: Reading,
  filter: Filter<BookDocument>,
  authorFilter = filter,
): Promise<Counts> {
  const [years, authors] = await Promise.all([
    group(reading, filter, yearField),
    group(reading, authorFilter, authorField, [{ $sort: { count: -1, _id: 1 } }, { $limit: maxAuthors + 1 }]),
  ]);
  return {
    years: years.map(({ _id, count }) => [Number(_id), Number(count)] as const),
    authors: authors.map(({ _id, count }) => ({ key: String(_id), count: Number(count) })),
  };
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

async function findsAny(reading: Reading, filter: Filter<BookDocument>): Promise<boolean> {
  for await (const batch of readBatches(reading, filter, { limit: 1 })) if (batch.length > 0) return true;
  return false;
}

async function countHere(reading: Reading, filter: BookFilter): Promise<Counts> {
  const years = new Map<number, number>();
  const authors = new Map<string, number>();
  for await (const batch of readBatches(reading, { $and: candidates(filter) }, {})) {
    for (const { book } of batch) {
      if (book === undefined || !matches(filter, book)) continue;
      const [year, key] = [book[yearField], textKey(book[authorField])];
      years.set(year, (years.get(year) ?? 0) + 1);
      authors.set(key, (authors.get(key) ?? 0) + 1);
    }
  }
  return { years, authors: [...authors].map(([key, count]) => ({ key, count })) };
}
