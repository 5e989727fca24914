// Suggestions: a part of the matches decides which values are counted.
import type { Document, Filter } from 'mongodb';
import type { SuggestedField } from '../../catalogue/fields.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { hasWords, matches, toFilter } from '../../catalogue/query.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import {
  rankKeys,
  type Suggestion,
  commonSpelling,
  maxSpellings,
  type KeyCount,
} from '../../catalogue/suggestion.ts';
import type { BookDocument } from './schema.ts';
import { countOnServer } from './count.ts';
import { candidates, certain, uncertain } from './filter.ts';
import { readDocuments, type Reading } from './reading.ts';

/** The number of matches whose values are candidates. */
const maxMatches = 100_000;
/** The number of matches that are checked one by one. */
const maxChecked = 2000;
/** The number of values whose books are counted. */
const maxCandidates = 40;

/** The number of counts in progress. Each takes a connection, which other requests need. */
const maxCountsAtOnce = 8;

/** As `BookStore.suggest`. The first matches decide which values are candidates; the books of each one are then counted. */
export async function readSuggestions(
  reading: Reading,
  name: SuggestedField,
  text: string,
  limit: number,
): Promise<Suggestion[]> {
  const keys = await candidateKeys(reading, name, text);
  const counts = new Semaphore(maxCountsAtOnce);
  const countKey = (key: string) => countOnServer(reading, { [`index.${name}`]: key });
  const counted = await Promise.all(
    keys.map(async (key) => [key, await counts.run(() => countKey(key), reading.signal)] as const),
  );
  const best = rankKeys(counted, limit);
  const spellings = await spell(reading, name, best);
  return best.map(({ count }, i) => ({ value: spellings[i] ?? '', count }));
}

async function candidateKeys(reading: Reading, name: SuggestedField, text: string): Promise<string[]> {
  const field = `index.${name}`;
  const filter = toFilter({ [`${name}Words`]: text });
  if (!hasWords(filter)) return mostFrequent(reading, [{ $match: { [field]: { $gt: '' } } }], field);
  const sure = certain(filter);
  const stages: Document[] = [{ $match: { $and: sure ?? [] } }, { $limit: maxMatches }];
  const keys = new Set(sure === undefined ? [] : await mostFrequent(reading, stages, field));
  const unsure: Filter<BookDocument> = { $and: uncertain(filter) ?? candidates(filter) };
  for await (const batch of readDocuments(reading, unsure, { limit: maxChecked }))
    for (const { book } of batch)
      if (book !== undefined && matches(filter, book)) keys.add(textKey(book[name]));
  return [...keys];
}

async function mostFrequent(
  { database: { books }, maxTimeMS, signal }: Reading,
  stages: readonly Document[],
  field: string,
): Promise<string[]> {
  const found = await books
    .aggregate(
      [
        ...stages,
        { $group: { _id: `$${field}`, count: { $sum: 1 } } },
        { $sort: { count: -1, _id: 1 } },
        { $limit: maxCandidates },
      ],
      { maxTimeMS },
    )
    .toArray();
  signal.throwIfAborted();
  return found.map(({ _id }) => String(_id));
}

/** The usual spelling of the texts with each key, in the order of the keys. */
export function spell(reading: Reading, name: SuggestedField, keys: readonly KeyCount[]): Promise<string[]> {
  return Promise.all(keys.map(({ key }) => spellingOf(reading, name, key)));
}

async function spellingOf(
  { database: { books }, maxTimeMS, signal }: Reading,
  name: SuggestedField,
  key: string,
): Promise<string> {
  signal.throwIfAborted();
  const projection = { _id: 0, [name]: 1 } as const;
  const options = { projection, sort: { _id: 1 }, limit: maxSpellings, batchSize: maxSpellings } as const;
  const found = await books.find({ [`index.${name}`]: key }, { ...options, maxTimeMS }).toArray();
  return commonSpelling(found.map((document) => document[name]).filter((text) => typeof text === 'string'));
}
