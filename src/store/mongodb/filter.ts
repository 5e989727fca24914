import type { Filter } from 'mongodb';
import { indexKey } from '../../query/index-terms.ts';
import { isWholeKey, textKey } from '../../query/position.ts';
import type { Condition } from '../../query/query.ts';
import type { BookDocument } from './documents.ts';
import { tooManyWords } from './entry.ts';

/** The number of words that the server searches for; the others are checked in its results. */
const maxServerWords = 8;

/** Candidates: all documents that may match a condition, by their index entries. A few do not match. */
export function candidates(condition: Condition): Filter<BookDocument>[] {
  return [
    ...otherTerms(condition),
    ...serverWords(condition).map((word) => ({ 'index.words': { $in: [startOf(word), tooManyWords] } })),
  ];
}

/** The candidates that certainly match; `undefined`: each one must be checked. */
export function certain(condition: Condition): Filter<BookDocument>[] | undefined {
  const { words, title = '', author = '' } = condition;
  const isLong = words.some((word) => indexKey(word) !== word) || isCut(title) || isCut(author);
  if (isLong || words.length > maxServerWords) return undefined;
  return [...otherTerms(condition), ...words.map((word) => ({ 'index.words': startOf(word) }))];
}

/** The candidates that are not {@link certain}; `undefined`: there are none. */
export function uncertain(condition: Condition): Filter<BookDocument>[] | undefined {
  if (certain(condition) === undefined) return candidates(condition);
  if (condition.words.length === 0) return undefined;
  return [...otherTerms(condition), { 'index.words': tooManyWords }];
}

/** Every document that has an index entry. */
export const hasEntry: Filter<BookDocument> = {
  'index.year': { $gte: Number.MIN_SAFE_INTEGER, $lte: Number.MAX_SAFE_INTEGER },
};

function otherTerms(condition: Condition): Filter<BookDocument>[] {
  const { title, author, yearFrom, yearTo } = condition;
  const isAnyYear = yearFrom === Number.MIN_SAFE_INTEGER && yearTo === Number.MAX_SAFE_INTEGER;
  return [
    ...(title === undefined ? [] : [{ 'index.title': textKey(title) }]),
    ...(author === undefined ? [] : [{ 'index.author': textKey(author) }]),
    ...(isAnyYear ? [] : [{ 'index.year': { $gte: yearFrom, $lte: yearTo } }]),
  ];
}

/** Chooses the longest words, because they occur in the fewest books. */
function serverWords({ words }: Condition): readonly string[] {
  if (words.length <= maxServerWords) return words;
  return [...words].sort((a, b) => b.length - a.length).slice(0, maxServerWords);
}

/** Whether the key of a text was cut, so that another text may have the same key. */
function isCut(folded: string): boolean {
  return !isWholeKey(textKey(folded));
}

function startOf(word: string): RegExp {
  return new RegExp(`^${indexKey(word).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
}
