import { differenceOf, codePointsOf } from './edit-distance.ts';
import type { BookQuery, WordMember } from './query.ts';

/** New values for the words of a query that finds nothing. With them, it finds something. */
export type Correction = Pick<BookQuery, WordMember>;

/** The minimum length of a word that is corrected, in code points: of shorter words, most edits are other words. */
const minLength = 3;
/** The minimum length of a word in which two errors are corrected: of the typed one, or of the one that was meant. */
const minLengthOfTwo = 7;
const maxErrors = 2;
/** The maximum length of a word that is corrected, in code points. */
export const maxLength = 32;

/** A word, or its beginning, that may stand for a typed one. */
export interface Replacement {
  readonly word: string;
  readonly errors: number;
  /** Whether it is only the beginning of a word. */
  readonly isStart: boolean;
  /** Whether it begins with another letter: people rarely mistake the first one. */
  readonly hasOtherFirst: boolean;
}

/**
 * Compares words with a typed one: two errors in a word of seven letters or more, one in a shorter one.
 *
 * @param isLast Whether the word may be half typed.
 * @returns A function that returns what a word of the catalogue offers instead of the typed one.
 */
export function replacementsOf(typed: string, isLast: boolean): (word: string) => Replacement | undefined {
  const letters = codePointsOf(typed);
  if (letters.length < minLength || letters.length > maxLength) return () => undefined;
  const known = letters.reduce((bits, letter) => bits | bitOf(letter), 0);
  return (word) => {
    // A quick test for most words: a code point has one or two units.
    if (word.length < letters.length - maxErrors) return undefined;
    if (word.length > 2 * (letters.length + maxErrors) && !isLast) return undefined;
    if (hasStrange(word, isLast ? letters.length - maxErrors : word.length, known)) return undefined;
    const others = codePointsOf(word);
    const most = errorsIn(Math.max(letters.length, others.length));
    const difference = differenceOf(letters, others, most, isLast);
    if (difference === undefined || difference.errors === 0) return undefined;
    const { errors, length } = difference;
    if (errors > errorsIn(Math.max(letters.length, length))) return undefined;
    return {
      word: length === others.length ? word : String.fromCodePoint(...others.slice(0, length)),
      errors,
      isStart: length < others.length,
      hasOtherFirst: letters[0] !== others[0],
    };
  };
}

/** One of 32 bits for a code unit, which others share. */
function bitOf(unit: number): number {
  return 1 << (unit & 31);
}

/** Whether a word has more different characters that are not known than there may be errors: most words do. */
function hasStrange(word: string, length: number, known: number): boolean {
  let [bits, strange] = [known, 0];
  for (let i = 0; i < length; i++) {
    const unit = word.charCodeAt(i);
    if ((bits & bitOf(unit)) !== 0 || isFirstHalf(unit)) continue;
    bits |= bitOf(unit);
    if (++strange > maxErrors) return true;
  }
  return false;
}

/** Of a code point with two units, the second one counts. */
function isFirstHalf(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/** The number of errors that are corrected in a word. */
function errorsIn(length: number): number {
  return length < minLengthOfTwo ? 1 : maxErrors;
}
