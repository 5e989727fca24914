import { indexedIntegers, indexedTexts, type BookFields } from '../fields.ts';
import { isWithinOneEdit } from './one-edit.ts';
import { spell, withoutSpaces } from './spelling.ts';

/**
 * How similar duplicates are:
 *
 * - `same`: all fields are equal without case, accents, spacing and punctuation.
 * - `year`: the same, whatever the years.
 * - `typo`: as `same`, but for one typing error in one of the texts, or a year that is unknown (0).
 */
export const duplicateLevels = ['same', 'year', 'typo'] as const;
/** How alike the books of a group are. */
export type DuplicateLevel = (typeof duplicateLevels)[number];

/** What is compared of a book: the values of its indexed fields, texts as {@link spell} returns them. */
export interface BookSpelling {
  readonly texts: readonly string[];
  readonly integers: readonly number[];
}

export function spellBook(book: BookFields): BookSpelling {
  return {
    texts: indexedTexts.map((name) => spell(book[name])),
    integers: indexedIntegers.map((name) => book[name]),
  };
}

/** Equal for books that are duplicates at the level `same`; without the integers, for those at the level `year`. */
export function sameKey({ texts, integers }: Partial<BookSpelling>): string {
  return JSON.stringify([texts?.map(withoutSpaces), integers]);
}

/** Whether two books are duplicates. */
export function areDuplicates(level: DuplicateLevel, a: BookSpelling, b: BookSpelling): boolean {
  const different = a.texts.flatMap((text, i) => (isSameSpelling(text, b.texts[i] ?? '') ? [] : i));
  const [first = -1] = different;
  if (level === 'year') return different.length === 0;
  const areEqual = (year: number, i: number) => year === b.integers[i];
  if (level === 'same') return different.length === 0 && a.integers.every(areEqual);
  const areAlike = (year: number, i: number) => areEqual(year, i) || year === 0 || b.integers[i] === 0;
  if (different.length > 1 || !a.integers.every(areAlike)) return false;
  return first === -1 || isTypo(a.texts[first] ?? '', b.texts[first] ?? '');
}

/** Whether two spellings differ at most in their spaces. */
export function isSameSpelling(a: string, b: string): boolean {
  return a === b || withoutSpaces(a) === withoutSpaces(b);
}

/** A shorter text is too little evidence. */
const minTypoLength = 4;
/** Another first letter of a shorter word, in a shorter text, makes another word: `Deer` and `Beer`. People rarely mistype it. */
const minFirstReplaced = { word: 6, text: 12 };

/**
 * Whether two spellings differ by one typing error. Numbers are not typing errors: `Part I` and `Part II`, `Volume 1` and
 * `Volume 2`, `Plan A` and `Plan B` are different books. Nor are the first letters by which short words differ.
 */
export function isTypo(a: string, b: string): boolean {
  if (Math.max(a.length, b.length) < minTypoLength || !isWithinOneEdit(a, b)) return false;
  const [words, others] = differingWords(a.split(' '), b.split(' '));
  if (digitsOf(words) !== digitsOf(others)) return false;
  if (words.every(isNumbering) && others.every(isNumbering)) return false;
  return a.length >= minFirstReplaced.text || !isFirstReplaced(words, others);
}

/** Whether the words are one short word each, with another first letter. */
function isFirstReplaced([word = '', ...words]: string[], [other = '', ...others]: string[]): boolean {
  const isOneWord = words.length + others.length === 0 && word.length === other.length;
  return isOneWord && word.length < minFirstReplaced.word && word.slice(1) === other.slice(1);
}

/** The words between the first and the last that differ. */
function differingWords(a: readonly string[], b: readonly string[]): [string[], string[]] {
  const maxLength = Math.min(a.length, b.length);
  let start = 0;
  while (start < maxLength && a[start] === b[start]) start++;
  let end = 0;
  while (end < maxLength - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

function digitsOf(words: readonly string[]): string {
  return words
    .map((word) => word.replace(/\P{Nd}/gu, ''))
    .filter(Boolean)
    .join(' ');
}

const romanNumeral = /^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$/;

/** Whether a word can number the books of a series: a single character, or a roman numeral. */
function isNumbering(word: string): boolean {
  return /^.$/u.test(word) || romanNumeral.test(word);
}
