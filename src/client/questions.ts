import { wordMembers, type Correction } from '../catalogue/correction.ts';
import { suggestedFields, type SuggestedField } from '../catalogue/fields.ts';
import type { BookQuery } from '../catalogue/query.ts';
import type { Statistics } from '../catalogue/statistics.ts';
import type { Suggestion } from '../catalogue/suggestion.ts';
import { isCount, membersOf, open, readList, unexpected } from './answers.ts';
import { queryPath } from './books.ts';
import { readCallOptions, type CallOptions } from './options.ts';
import type { Send } from './wire.ts';

export async function readStatistics(
  send: Send,
  query?: BookQuery,
  options?: CallOptions,
): Promise<Statistics> {
  const data = open(await send({ path: queryPath('/stats', query), ...readCallOptions(options) }));
  const { count, years, decades, authors } = membersOf(data);
  const { first, last, without } = membersOf(years);
  if (!isCount(count) || !isYear(first) || !isYear(last) || !isCount(without)) throw unexpected('statistics');
  return {
    count,
    years: { first, last, without },
    decades: readList('statistics', decades, readCount('from', isInteger)),
    authors: readList('statistics', authors, readCount('author', isText)),
  };
}

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
  const data = open(await send({ path, ...readCallOptions(options) }));
  return readList('suggestions', data, readCount('value', isText));
}

export async function readCorrections(
  send: Send,
  query: BookQuery,
  options?: CallOptions,
): Promise<Correction[]> {
  const data = open(await send({ path: queryPath('/corrections', query), ...readCallOptions(options) }));
  return readList('corrections', data, (each) => {
    const members = membersOf(each);
    const entries = wordMembers.map((name) => [name, members[name]] as const);
    const given = entries.filter(([, value]) => value !== undefined);
    if (given.every(([, value]) => typeof value === 'string')) return Object.fromEntries(given);
    throw unexpected('corrections');
  });
}

/** Returns a reader of an object with a count and one other member. */
function readCount<Name extends string, Value>(name: Name, isValue: (value: unknown) => value is Value) {
  return (data: unknown) => {
    const { [name]: value, count } = membersOf(data);
    if (isValue(value) && isCount(count)) return { [name]: value, count } as Counted<Name, Value>;
    throw unexpected(`a count by ${name}`);
  };
}

type Counted<Name extends string, Value> = Record<Name, Value> & { count: number };

function isYear(value: unknown): value is number | null {
  return value === null || isInteger(value);
}

function isInteger(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
