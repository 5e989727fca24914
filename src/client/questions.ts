import { wordMembers, type Correction } from '../catalogue/correction.ts';
import { suggestedFields, type SuggestedField } from '../catalogue/fields.ts';
import type { BookQuery } from '../catalogue/query.ts';
import type { Statistics } from '../catalogue/statistics.ts';
import type { Suggestion } from '../catalogue/suggestion.ts';
import { isCount, isInteger, isText, open, readAs } from './answers.ts';
import { queryPath } from './books.ts';
import type { CallOptions } from './options.ts';
import type { Send } from './wire.ts';

export async function readStatistics(
  send: Send,
  query?: BookQuery,
  options?: CallOptions,
): Promise<Statistics> {
  const data = open(await send({ path: queryPath('/stats', query), ...options }));
  return readAs('statistics', statisticsShape, data);
}

const isYear = (value: unknown): value is number | null => value === null || isInteger(value);
const statisticsShape = {
  count: isCount,
  years: { first: isYear, last: isYear, without: isCount },
  decades: [{ from: isInteger, count: isCount }],
  authors: [{ author: isText, count: isCount }],
} as const;

export async function readSuggestions(
  send: Send,
  field: SuggestedField,
  q = '',
  options?: CallOptions,
): Promise<Suggestion[]> {
  if (!suggestedFields.includes(field))
    throw new TypeError(`field: expected one of ${suggestedFields.join(', ')}`);
  if (typeof q !== 'string' || !q.isWellFormed()) throw new TypeError('q: expected Unicode text');
  const path = `/suggest?${new URLSearchParams({ field, q }).toString()}`;
  const data = open(await send({ path, ...options }));
  return readAs('suggestions', [{ value: isText, count: isCount }], data);
}

export async function readCorrections(
  send: Send,
  query: BookQuery,
  options?: CallOptions,
): Promise<Correction[]> {
  const data = open(await send({ path: queryPath('/corrections', query), ...options }));
  const isWords = (value: unknown): value is string | undefined => value === undefined || isText(value);
  const shape = Object.fromEntries(wordMembers.map((name) => [name, isWords]));
  return readAs('corrections', [shape], data);
}
