import { ShelflistError } from './errors.ts';
import { suggestedFields, type SuggestedField } from './fields.ts';
import { compareFolded } from './fold.ts';

/** A text that some books have in a field, and the number of these books. */
export interface Suggestion {
  /** In the spelling of most of its books. */
  value: string;
  /** The number of these books. */
  count: number;
}

/**
 * Checks the name of a field whose values are suggested, for callers without types.
 *
 * @throws {ShelflistError} `invalid_query`
 */
export function checkSuggestedField(name: unknown): SuggestedField {
  const found = suggestedFields.find((each) => each === name);
  if (found !== undefined) return found;
  throw new ShelflistError('invalid_query', {
    message: `"field": expected one of ${suggestedFields.join(', ')}`,
  });
}

/** The spelling of a text is that of most of its first books by id. */
export const maxSpellings = 20;

/** The number of books whose texts have the same key. */
export interface KeyCount {
  readonly key: string;
  readonly count: number;
}

/** Orders keys by descending count, then by key. */
export function compareCounts(a: KeyCount, b: KeyCount): number {
  return b.count - a.count || compareFolded(a.key, b.key);
}

/** The number of each key, most frequent first; without the empty key. */
export function countKeys(keys: readonly string[]): KeyCount[] {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return rankKeys(counts, Infinity);
}

/** The most frequent keys, without the empty one. */
export function rankKeys(counts: Iterable<readonly [key: string, count: number]>, limit: number): KeyCount[] {
  return [...counts]
    .map(([key, count]) => ({ key, count }))
    .filter(({ key, count }) => key !== '' && count > 0)
    .sort(compareCounts)
    .slice(0, limit);
}

/** The most frequent of some spellings; of equally frequent ones, the first. */
export function commonSpelling(texts: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const [first] = [...counts].sort(([, a], [, b]) => b - a);
  return first?.[0] ?? '';
}
