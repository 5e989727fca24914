// Suggestions: a sample of the books decides which values are counted.
import type { Filter } from 'mongodb';
import type { SuggestedField } from '../../catalogue/fields.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { hasWords, matches, toFilter } from '../../catalogue/query.ts';
import { commonSpelling, maxSpellings, type Suggestion } from '../../catalogue/suggestion.ts';
import { runAsync } from '../../lib/gensync.ts';
import { fewMatches, firstMatches, takeSample } from '../questions/sample.ts';
import { suggestOf } from '../questions/statistics.ts';
import type { BookDocument } from './schema.ts';
import { countOnServer } from './count.ts';
import { candidates, certain, uncertain } from './filter.ts';
import { readDocuments, type QueryContext } from './reading.ts';
import { sampleOf } from './sample.ts';

/** The number of counts in progress. Each takes a connection, which other requests need. */
const maxCountsAtOnce = 8;

/** As `BookStore.suggest`: finds the values that probably are the most frequent ones, then counts the books of each. */
export async function readSuggestions(
  reading: QueryContext,
  name: SuggestedField,
  text: string,
  limit: number,
  sampleSize?: number,
): Promise<Suggestion[]> {
  const found = await findKeys(reading, name, text, sampleSize);
  const count = (keys: readonly string[]) =>
    countKeysOnServer(keys, reading, (key) => countOnServer(reading, { [`index.${name}`]: key }));
  return runAsync(suggestOf(found, limit, count, spell(reading, name)));
}

/** Counts the books of some keys, a few at once. */
export async function countKeysOnServer(
  keys: readonly string[],
  { signal }: QueryContext,
  count: (key: string) => Promise<number>,
): Promise<(readonly [key: string, count: number])[]> {
  const left = keys.values();
  const counted: (readonly [key: string, count: number])[] = [];
  const countRest = async () => {
    for (const key of left) {
      signal.throwIfAborted();
      counted.push([key, await count(key)]);
    }
  };
  await Promise.all(Array.from({ length: maxCountsAtOnce }, countRest));
  return counted;
}

/** The keys of matching books: those of a sample, and if these are few, the first ones of the index of words. */
async function findKeys(
  reading: QueryContext,
  name: SuggestedField,
  text: string,
  sampleSize?: number,
): Promise<readonly string[]> {
  const filter = toFilter({ [`${name}Words`]: text });
  const field = `index.${name}`;
  const sure = hasWords(filter) ? certain(filter) : [{ [field]: { $gt: '' } }];
  const sampled = (ids: Filter<BookDocument>) =>
    sure === undefined ? Promise.resolve([]) : readKeys(reading, name, { $and: [ids, ...sure] });
  const { found, factor } = await runAsync(takeSample(sampleOf(reading, sampled), 0, sampleSize));
  if (!hasWords(filter)) return found;
  const keys = [...found];
  const limit = factor === 1 ? undefined : { limit: firstMatches };
  if (sure !== undefined && limit !== undefined && keys.length < fewMatches)
    keys.push(...(await readKeys(reading, name, { $and: sure }, limit)));
  const unsure: Filter<BookDocument> = { $and: uncertain(filter) ?? candidates(filter) };
  for await (const batch of readDocuments(reading, unsure, { ...limit }))
    for (const { book } of batch)
      if (book !== undefined && matches(filter, book)) keys.push(textKey(book[name]));
  return keys;
}

async function readKeys(
  { database: { books }, maxTimeMS, signal }: QueryContext,
  name: SuggestedField,
  filter: Filter<BookDocument>,
  options: { readonly limit?: number } = {},
): Promise<string[]> {
  const projection = { _id: 0, [`index.${name}`]: 1 } as const;
  const found = await books.find(filter, { projection, ...options, batchSize: 10_000, maxTimeMS }).toArray();
  signal.throwIfAborted();
  return found.map(({ index }) => index?.[name] ?? '');
}

/** The usual spellings of the texts with some keys. */
export function spell(reading: QueryContext, name: SuggestedField) {
  return (keys: readonly string[]): Promise<string[]> =>
    Promise.all(keys.map((key) => spellingOf(reading, name, key)));
}

async function spellingOf(
  { database: { books }, maxTimeMS, signal }: QueryContext,
  name: SuggestedField,
  key: string,
): Promise<string> {
  signal.throwIfAborted();
  const projection = { _id: 0, [name]: 1 } as const;
  const options = { projection, sort: { _id: 1 }, limit: maxSpellings, batchSize: maxSpellings } as const;
  const found = await books.find({ [`index.${name}`]: key }, { ...options, maxTimeMS }).toArray();
  return commonSpelling(found.map((document) => document[name]).filter((text) => typeof text === 'string'));
}
