import { wordMembers, type Correction } from '../catalogue/correction.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import type { Statistics } from '../catalogue/statistics.ts';
import type { Suggestion } from '../catalogue/suggestion.ts';

type Members = Readonly<Record<string, unknown>>;

export function readStatistics(data: unknown): Statistics {
  const { count, years, decades, authors } = membersOf(data);
  const { first, last, without } = membersOf(years);
  if (
    isCount(count) &&
    isYear(first) &&
    isYear(last) &&
    isCount(without) &&
    isListOf(decades, isDecade) &&
    isListOf(authors, isAuthor)
  )
    return {
      count,
      years: { first, last, without },
      decades: decades.map(({ from, count }) => ({ from, count })),
      authors: authors.map(({ author, count }) => ({ author, count })),
    };
  throw unexpected('statistics');
}

export function readSuggestions(data: unknown): Suggestion[] {
  if (isListOf(data, isSuggestion)) return data.map(({ value, count }) => ({ value, count }));
  throw unexpected('suggestions');
}

export function readCorrections(data: unknown): Correction[] {
  if (!isListOf(data, isCorrection)) throw unexpected('corrections');
  return data.map((each) => {
    const entries = wordMembers.map((name) => [name, each[name]] as const);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  });
}

function isDecade(value: Members): value is Members & Statistics['decades'][number] {
  return Number.isInteger(value.from) && isCount(value.count);
}

function isAuthor(value: Members): value is Members & Statistics['authors'][number] {
  return typeof value.author === 'string' && isCount(value.count);
}

function isSuggestion(value: Members): value is Members & Suggestion {
  return typeof value.value === 'string' && isCount(value.count);
}

function isCorrection(value: Members): value is Members & Correction {
  return wordMembers.every((name) => ['string', 'undefined'].includes(typeof value[name]));
}

function isYear(value: unknown): value is number | null {
  return value === null || Number.isSafeInteger(value);
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isListOf<Item>(value: unknown, isItem: (item: Members) => item is Members & Item): value is Item[] {
  return Array.isArray(value) && value.every((each) => isItem(membersOf(each)));
}

/** The members of an object; none of any other value. */
function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {};
}

function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', {
    message: `the server's response does not contain ${expected}`,
  });
}
