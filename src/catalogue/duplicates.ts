import { indexedIntegers, indexedTexts, type BookFields } from './fields.ts';
import { foldText, toBaseLetters } from './fold.ts';
import { asLimit, asText, formatParameters, parseParameters } from './query-string.ts';

/**
 * How similar duplicates are:
 *
 * - `same`: all fields are equal, ignoring case, accents, spacing and punctuation.
 * - `year`: as `same`, but ignoring the year.
 * - `typo`: as `same`, but a year of 0, which is unknown, equals any; and one of the texts may have one typing error, while the
 *   others have the same words.
 */
export const duplicateLevels = ['same', 'year', 'typo'] as const;
/** How similar the books of a group are. */
export type DuplicateLevel = (typeof duplicateLevels)[number];

/** The compared values of a book: its indexed fields. */
export interface BookSpelling {
  /** The texts as {@link spell} returns them. */
  readonly texts: readonly string[];
  /** Their words, folded. */
  readonly words: readonly string[];
  readonly integers: readonly number[];
}

export function spellBook(book: BookFields): BookSpelling {
  return {
    texts: indexedTexts.map((name) => spell(book[name])),
    words: indexedTexts.map((name) => foldText(book[name])),
    integers: indexedIntegers.map((name) => book[name]),
  };
}

/** Equal for books that are duplicates at the level `same`; without the integers, for those at the level `year`. */
export function sameKey({ texts, integers }: Partial<BookSpelling>): string {
  return JSON.stringify([texts?.map(withoutSpaces), integers]);
}

export function areDuplicates(level: DuplicateLevel, a: BookSpelling, b: BookSpelling): boolean {
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
 * Whether two spellings differ by one typing error. Numbers are not typing errors: `Part I` and `Part II`, `Volume 1` and
 * `Volume 2`, `Plan A` and `Plan B` are different books. Nor is another first letter of a short word.
 */
export function isTypo(a: string, b: string): boolean {
  if (Math.max(a.length, b.length) < minTypoLength || !isWithinOneEdit(a, b)) return false;
  const [words, others] = differingWords(a.split(' '), b.split(' '));
  if (digitsOf(words) !== digitsOf(others)) return false;
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

/** Accents of Latin, Greek and Cyrillic. Unlike a search, this keeps vowel signs and voicing marks, which distinguish words. */
// eslint-disable-next-line no-misleading-character-class -- the marks themselves are meant.
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** No word has such a run. {@link spell} does not normalize text with one, because NFKD sorts it in quadratic time. */
const longRunOfMarks = /* @__PURE__ */ new RegExp('\\p{M}{64}', 'u'); // Bundles for browsers leave it out.

/** Spaces, control characters and punctuation, but not the signs of `C#`, `50%` or `@home`. */
const separators = /(?:[^\P{P}#%&*@]|[\s\p{Cc}\p{Cf}`ʹ-ʼ])+/gu;
const asciiSeparators = /[^A-Z0-9#%&*@$+<=>^|~]+/g;
// eslint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

/**
 * The words of a text, separated by single spaces: without case, accents and punctuation, in base letters (`ø` is `o`). Signs such
 * as `+` and `#` stay, and so does a text that is nothing but punctuation. Takes linear time.
 */
function spell(text: string): string {
  if (ascii.test(text)) return text.toUpperCase().replace(asciiSeparators, ' ').trim() || text.trim();
  const bare = text.replace(accents, '');
  const normal = longRunOfMarks.test(bare) ? bare : bare.normalize('NFKD').replace(accents, '');
  // In upper case, because lower case has special final forms.
  const upper = toBaseLetters(normal.toLowerCase()).toUpperCase();
  return upper.replace(separators, ' ').trim() || upper.trim();
}

/** Any space, except between numbers: 1.2 is not 12. */
const spaces = /(?<![0-9]) | (?![0-9])/g;

/** Removes the spaces that do not distinguish texts. */
export function withoutSpaces(spelling: string): string {
  return spelling.replace(spaces, '');
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

/** Selects a page of the groups of duplicates. */
export interface DuplicatesQuery {
  /** Default `same`. */
  level?: DuplicateLevel | undefined;
  /** Page size in groups, 1 to 1000. Default: all groups. */
  limit?: number | undefined;
  /** The cursor of the previous page. */
  after?: string | undefined;
}

/** The parameters of `GET /duplicates`, and how their values are read. */
const parameters = {
  level: (text: string) => duplicateLevels.find((level) => level === text),
  limit: asLimit,
  after: asText,
};
const types = { level: 'string', limit: 'number', after: 'string' } as const;

/**
 * Reads a query string (without `?`).
 *
 * @throws {ShelflistError} `invalid_query`: a parameter is unknown, repeated or malformed.
 */
export function parseDuplicatesQuery(text: string): DuplicatesQuery {
  return parseParameters(text, parameters);
}

/**
 * A query as a query string, without `?`. The empty query gives the empty string.
 *
 * @throws {TypeError} The query has an unknown member or one of the wrong type.
 */
export function formatDuplicatesQuery(query: DuplicatesQuery): string {
  return formatParameters(query, types);
}
