import type { Filter } from 'mongodb';
import { isWholeKey, textKey } from '../../query/position.ts';
import type { Condition } from '../../query/query.ts';
import type { BookDocument } from './documents.ts';
import { cutWord, maxWordLength, tooManyWords } from './entry.ts';

/** The words of a search that the server looks for; the others are looked for in what it finds. */
const maxServerWords = 8;

/** Candidates: the documents whose index entries let a condition match, and now and then another. */
export function candidates(condition: Condition): Filter<BookDocument>[] {
  return [
    ...otherTerms(condition),
    ...serverWords(condition).map((word) => ({ 'index.words': { $in: [startOf(word), tooManyWords] } })),
  ];
}

/** The candidates that match for certain; `undefined`: each one has to be checked. */
export function certain(condition: Condition): Filter<BookDocument>[] | undefined {
  const { words, title = '', author = '' } = condition;
  const isLong = words.some((word) => word.length > maxWordLength) || isCut(title) || isCut(author);
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

/** The longest words are found in the fewest books. */
function serverWords({ words }: Condition): readonly string[] {
  if (words.length <= maxServerWords) return words;
  return [...words].sort((a, b) => b.length - a.length).slice(0, maxServerWords);
}

/** Whether an equal key may stand for another text: it is about as long as keys get. */
function isCut(folded: string): boolean {
  return !isWholeKey(textKey(folded));
}

function startOf(word: string): RegExp {
  return new RegExp(`^${cutWord(word).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}`);
}
