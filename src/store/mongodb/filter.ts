import type { Filter } from 'mongodb';
import { isWholeKey, textKey } from '../../query/position.ts';
import type { Condition } from '../../query/query.ts';
import { cutWord, maxWordLength, tooManyWords } from './entry.ts';
import type { BookDocument } from './prepare.ts';

/** Which records the server gives. */
export type BookFilter = Filter<BookDocument>;

/** The books that a condition may fit, by their index entries: all that it fits, and now and then one more. */
export function candidates(condition: Condition): BookFilter[] {
  return [
    ...others(condition),
    ...condition.words.map((word) => ({ 'index.words': { $in: [startOf(word), tooManyWords] } })),
  ];
}

/** The candidates that need no second look; `undefined` if all need one. */
export function certain(condition: Condition): BookFilter[] | undefined {
  const { words, title = '', author = '' } = condition;
  const isLong = words.some((word) => word.length > maxWordLength) || isCut(title) || isCut(author);
  if (isLong) return undefined;
  return [...others(condition), ...words.map((word) => ({ 'index.words': startOf(word) }))];
}

/** The other candidates. */
export function uncertain(condition: Condition): BookFilter[] | undefined {
  if (certain(condition) === undefined) return candidates(condition);
  if (condition.words.length === 0) return undefined;
  return [...others(condition), { 'index.words': tooManyWords }];
}

/** Whether a key that is the same may stand for another text: it is as long as keys get, but for one character. */
function isCut(folded: string): boolean {
  return !isWholeKey(textKey(folded));
}

function others({ title, author, yearFrom, yearTo }: Condition): BookFilter[] {
  const isAnyYear = yearFrom === Number.MIN_SAFE_INTEGER && yearTo === Number.MAX_SAFE_INTEGER;
  return [
    ...(title === undefined ? [] : [{ 'index.title': textKey(title) }]),
    ...(author === undefined ? [] : [{ 'index.author': textKey(author) }]),
    ...(isAnyYear ? [] : [{ 'index.year': { $gte: yearFrom, $lte: yearTo } }]),
  ];
}

function startOf(word: string): RegExp {
  return new RegExp(`^${cutWord(word).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
}
