import { indexedIntegers, indexedTexts, type BookFields } from './fields.ts';
import type { DuplicateLevel } from './duplicate-levels.ts';
import { foldText } from './fold.ts';
import { spell, withoutSpaces } from './spelling.ts';

/** The compared values of a book: its indexed fields. */
export interface NormalizedBook {
  /** The texts as {@link spell} returns them. */
  readonly texts: readonly string[];
  /** Their words, folded. */
  readonly words: readonly string[];
  readonly integers: readonly number[];
}

export function normalizeForComparison(book: BookFields): NormalizedBook {
  return {
    texts: indexedTexts.map((name) => spell(book[name])),
    words: indexedTexts.map((name) => foldText(book[name])),
    integers: indexedIntegers.map((name) => book[name]),
  };
}

/** Equal for books that are duplicates at the level `same`; without the integers, for those at the level `year`. */
export function duplicateKey({ texts, integers }: Partial<NormalizedBook>): string {
  return JSON.stringify([texts?.map(withoutSpaces), integers]);
}

export function areDuplicates(level: DuplicateLevel, a: NormalizedBook, b: NormalizedBook): boolean {
  const different = a.texts.flatMap((text, i) => (isSameSpelling(text, b.texts[i] ?? '') ? [] : i));
  const [first = -1] = different;
  if (level === 'year') return different.length === 0;
  const areEqual = (year: number, i: number) => year === b.integers[i];
  if (level === 'same') return different.length === 0 && a.integers.every(areEqual);
  const areAlike = (year: number, i: number) => areEqual(year, i) || year === 0 || b.integers[i] === 0;
  if (different.length > 1 || !a.integers.every(areAlike)) return false;
  if (first === -1) return true;
  return (
    a.words.every((words, i) => i === first || words === b.words[i]) &&
    isTypo(a.texts[first] ?? '', b.texts[first] ?? '')
  );
}

/** Whether two spellings are equal but for their spaces. */
function isSameSpelling(a: string, b: string): boolean {
  return a === b || withoutSpaces(a) === withoutSpaces(b);
}

/** A shorter text is too little evidence. */
const minTypoLength = 4;
/** Another first letter of a shorter word, in a shorter text, makes another word: `Deer` and `Beer`. People rarely mistype it. */
const minFirstReplaced = { word: 6, text: 12 };

/**
 * Whether two spellings differ by one typing error. Numbers and signs are not typing errors: `Part I` and `Part II`, `Volume 1` and
 * `Volume 2`, `Plan A` and `Plan B`, `In C` and `In C#` are different books. Nor is another first letter of a short word.
 */
export function isTypo(a: string, b: string): boolean {
  if (Math.max(a.length, b.length) < minTypoLength || !isWithinOneEdit(a, b)) return false;
  const [words, others] = differingWords(a.split(' '), b.split(' '));
  if (signsOf(words) !== signsOf(others)) return false;
  if (words.every(isNumbering) && others.every(isNumbering)) return false;
  return a.length >= minFirstReplaced.text || !isFirstReplaced(words, others);
}

/** Whether each side is one short word, and only the first letters differ. */
function isFirstReplaced([word = '', ...words]: string[], [other = '', ...others]: string[]): boolean {
  const isOneWord = words.length + others.length === 0 && word.length === other.length;
  return isOneWord && word.length < minFirstReplaced.word && word.slice(1) === other.slice(1);
}

/** The words between the first and the last that differ. */
export function differingWords(a: readonly string[], b: readonly string[]): [string[], string[]] {
  const maxLength = Math.min(a.length, b.length);
  let start = 0;
  while (start < maxLength && a[start] === b[start]) start++;
  let end = 0;
  while (end < maxLength - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  return [a.slice(start, a.length - end), b.slice(start, b.length - end)];
}

/** The digits and signs of some words. */
function signsOf(words: readonly string[]): string {
  return words
    .map((word) => word.replace(/[^\p{Nd}\p{S}#%&*@]/gu, ''))
    .filter(Boolean)
    .join(' ');
}

const romanNumeral = /^M{0,3}(CM|CD|D?C{0,3})(XC|XL|L?X{0,3})(IX|IV|V?I{0,3})$/;

/** Whether a word can number the books of a series: a single character, or a roman numeral. */
function isNumbering(word: string): boolean {
  return /^.$/u.test(word) || romanNumeral.test(word);
}

/** Whether texts are equal, or one insertion, deletion, replacement or swap of neighbours makes them equal. */
export function isWithinOneEdit(a: string, b: string): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const longer = long.length - short.length;
  if (longer > 1) return false;
  let start = 0;
  while (start < short.length && short.charCodeAt(start) === long.charCodeAt(start)) start++;
  let end = 0;
  const maxEnd = short.length - start;
  while (end < maxEnd && short.charCodeAt(short.length - 1 - end) === long.charCodeAt(long.length - 1 - end))
    end++;
  const differing = maxEnd - end;
  if (longer === 1 || differing <= 1) return differing <= 1 - longer;
  const [one, other] = [start, start + 1];
  return differing === 2 && short[one] === long[other] && short[other] === long[one];
}
