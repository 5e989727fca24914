// Statistics: counted on the server, but for books that must be checked.
import type { Document, Filter } from 'mongodb';
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import {
  authorField,
  maxAuthors,
  summarizeYears,
  yearField,
  type Statistics,
} from '../../catalogue/statistics.ts';
import { rankKeys } from '../../catalogue/suggestion.ts';
import type { BookDocument } from './schema.ts';
import { certain, hasEntry, uncertain } from './filter.ts';
import { readDocuments, type Reading } from './reading.ts';
import { spell } from './suggest.ts';

interface Counts {
  readonly years: Map<number, number>;
  /** By author. The most frequent ones, at least. */
  readonly authors: Map<string, number>;
}

/** The number of books that are checked without a pause. */
const maxCheckedAtOnce = 100;

const authorKey = `index.${authorField}`;

/** As `BookStore.statistics`: counted on the server, except the books that must be checked one by one. */
export async function readStatistics(reading: Reading, filter: BookFilter): Promise<Statistics> {
  const counts = await readCounts(reading, filter);
  const authors = rankKeys(counts.authors, maxAuthors);
  const spellings = await spell(reading, authorField, authors);
  return {
    ...summarizeYears(counts.years),
    authors: authors.map(({ count }, i) => ({ author: spellings[i] ?? '', count })),
  };
}

async function readCounts(reading: Reading, filter: BookFilter): Promise<Counts> {
  if (matchesEverything(filter)) return countOnServer(reading, hasEntry, [], { [authorKey]: { $gt: '' } });
  const [sure, unsure] = [certain(filter), uncertain(filter)];
  const checked = await countHere(reading, filter, unsure);
  if (sure === undefined) return checked;
  const counts = await countOnServer(reading, { $and: sure }, [...checked.authors.keys()]);
  add(counts.years, checked.years);
  add(counts.authors, checked.authors);
  return counts;
}

/**
 * Several aggregations at once. Without a filter, each uses only the index of its field.
 *
 * @param others Authors to count besides the most frequent ones.
 */
async function countOnServer(
  reading: Reading,
  filter: Filter<BookDocument>,
  others: readonly string[],
  authorFilter = filter,
): Promise<Counts> {
  const ofOthers = { $and: [filter, { [authorKey]: { $in: others } }] };
  const [years, authors, more] = await Promise.all([
    group(reading, filter, yearField),
    group(reading, authorFilter, authorField, [{ $sort: { count: -1, _id: 1 } }, { $limit: maxAuthors + 1 }]),
    others.length > 0 ? group(reading, ofOthers, authorField) : [],
  ]);
  return {
    years: new Map(years.map(({ _id, count }) => [Number(_id), Number(count)])),
    authors: new Map([...authors, ...more].map(({ _id, count }) => [String(_id), Number(count)])),
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

/** Checks candidates one by one. */
async function countHere(
  reading: Reading,
  filter: BookFilter,
  unchecked: Filter<BookDocument>[] | undefined,
): Promise<Counts> {
  const counts = { years: new Map<number, number>(), authors: new Map<string, number>() };
  if (unchecked === undefined) return counts;
  for await (const batch of readDocuments(reading, { $and: unchecked }, { batchSize: maxCheckedAtOnce })) {
    for (const { book } of batch) {
      if (book === undefined || !matches(filter, book)) continue;
      add(counts.years, [[book[yearField], 1]]);
      add(counts.authors, [[textKey(book[authorField]), 1]]);
    }
  }
  return counts;
}

function add<Key>(counts: Map<Key, number>, more: Iterable<readonly [Key, number]>): void {
  for (const [key, count] of more) counts.set(key, (counts.get(key) ?? 0) + count);
}
