import type { SuggestedField } from '../../../../catalogue/fields.ts';
import { commonSpelling, maxSpellings, type KeyCount } from '../../../../catalogue/suggestion.ts';
import type { Reading } from '../reading.ts';

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
