import type { Correction } from '../../catalogue/correction.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { formatPageQuery } from '../../catalogue/query-string.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import type { Suggestion } from '../../catalogue/suggestion.ts';
import { send } from './request.ts';

/** Counts the books that match a query by decade and author. */
export async function readStatistics(query: BookQuery, signal?: AbortSignal): Promise<Statistics> {
  const { data } = await send(`stats?${formatPageQuery(query)}`, { signal });
  return data as Statistics;
}

/** The values of a field that begin with some words, most frequent first. */
export async function readSuggestions(
  field: SuggestedField,
  words: string,
  signal?: AbortSignal,
): Promise<readonly Suggestion[]> {
  const { data } = await send(`suggest?${new URLSearchParams({ field, q: words }).toString()}`, { signal });
  return data as Suggestion[];
}

/** Other words for a query that finds nothing. */
export async function readCorrections(
  query: BookQuery,
  signal?: AbortSignal,
): Promise<readonly Correction[]> {
  const { data } = await send(`corrections?${formatPageQuery(query)}`, { signal });
  return data as Correction[];
}
