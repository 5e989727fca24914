import type { Correction } from '../../catalogue/correction.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import type { Suggestion } from '../../catalogue/suggestion.ts';
import * as client from '../../client/questions.ts';
import { send } from './request.ts';

/** Counts the books that match a query by decade and author. */
export function readStatistics(query: BookQuery, signal?: AbortSignal): Promise<Statistics> {
  return client.readStatistics(send, query, { signal });
}

/** The values of a field that begin with some words, most frequent first. */
export function readSuggestions(
  field: SuggestedField,
  words: string,
  signal?: AbortSignal,
): Promise<readonly Suggestion[]> {
  return client.readSuggestions(send, field, words, { signal });
}

/** Other words for a query that finds nothing. */
export function readCorrections(query: BookQuery, signal?: AbortSignal): Promise<readonly Correction[]> {
  return client.readCorrections(send, query, { signal });
}
