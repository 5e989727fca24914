import {
  indexedIntegers,
  mapFields,
  searchedFields,
  type IndexedInteger,
  type SearchedField,
} from './fields.ts';
import { foldTokens, foldWords, withoutApostrophes } from './fold.ts';

/** The indexed length of each text, in UTF-16 code units. */
export const maxIndexedLength = 32_768;

/** The number of different words indexed of each text: the first ones. */
export const maxIndexedWords = 4_096;

/** The number of further forms of words indexed of each text: the first ones. */
export const maxIndexedForms = 1_024;

/** The indexed prefix of a word, in code points; also the length of a further form. */
export const maxWordLength = 64;

/**
 * The indexed prefix of a word that begins in a script without spaces, in code points. It bounds the size of an index entry:
 * each character of such a text begins a form.
 */
export const maxUnspacedLength = 16;

/** The words that an index holds for a book. */
interface IndexWords {
  /** For each searched field: folded, each once, cut by {@link indexKey}. */
  readonly words: Readonly<Record<SearchedField, readonly string[]>>;
  /** Whether every word of the book is indexed; `false` when a text exceeds a limit. */
  readonly isComplete: boolean;
}

/** The words by which search finds a text. */
interface SearchableWords {
  /** In the order of the text, uncut. A word of a short text may occur twice. */
  readonly words: readonly string[];
  /** Further forms of these words. */
  readonly forms: readonly string[];
  /** Whether these are all its words and forms. */
  readonly isComplete: boolean;
}

type SearchedTexts = Readonly<Record<SearchedField, string>>;

/**
 * The words for a book's index entry. Search finds a book by the words in the first 32,768 UTF-16 code units of each of its
 * searched texts. At most 4,096 different words of each are searchable, and 1,024 further forms.
 *
 * `matches` uses the same words, uncut: an index over these words gives exact answers for query words that are their own
 * {@link indexKey}. For a longer query word, look up its key and check with `matches`.
 */
export function indexWords(fields: SearchedTexts): IndexWords {
  const texts = mapFields(searchedFields, (name) => searchableWords(fields[name]));
  const keysOf = ({ words, forms }: SearchableWords) => [...new Set([...words, ...forms].map(indexKey))];
  return {
    words: mapFields(searchedFields, (name) => keysOf(texts[name])),
    isComplete: searchedFields.every((name) => texts[name].isComplete),
  };
}

/** A minus sign and digits, with nothing but spaces around them. A hyphen within a word is none. */
const signedNumber = /* @__PURE__ */ new RegExp('^[-\\u2212\\uff0d]\\p{Nd}+$', 'u');

/** The folded words of `q`. A negative whole number keeps its sign, as `-`: no other word has one. */
export function queryWords(q: string): string[] {
  return q.split(/\s+/).flatMap((part) => {
    const words = foldWords(part);
    return signedNumber.test(part) ? words.map((word) => (isNumber(word) ? `-${word}` : word)) : words;
  });
}

export function isNegative(word: string): boolean {
  return word.startsWith('-');
}

/** A query word as texts have it: without a sign. */
export function withoutSign(word: string): string {
  return isNegative(word) ? word.slice(1) : word;
}

/** Whether a query word is a whole number: it also finds the books with this value of an integer, such as the year. */
export function isNumber(word: string): boolean {
  return /^-?[1-9][0-9]{0,15}$/.test(word);
}

type Integers = Readonly<Record<IndexedInteger, number>>;

/** Whether a query word is a number that a book has. Year 0 is none. */
export function hasNumber(book: Integers, word: string): boolean {
  return isNumber(word) && indexedIntegers.some((name) => String(book[name]) === word);
}

/** The numbers of a book that an index holds as words: the positive ones. It finds the others by their values. */
export function numbersOf(book: Integers): string[] {
  const numbers = indexedIntegers.map((name) => String(book[name]));
  return [...new Set(numbers)].filter((number) => isNumber(number) && !isNegative(number));
}

/** The words by which search finds a text, and their further forms. */
export function searchTerms(text: string): string[] {
  const { words, forms } = searchableWords(text);
  return [...words, ...forms];
}

/** The key of a word in an index, and of a query word in a lookup. */
export function indexKey(word: string): string {
  if (word.length <= maxUnspacedLength) return word;
  return cut(word, isUnspaced(word) ? maxUnspacedLength : maxWordLength);
}

/** The first code points of a word. */
function cut(word: string, maxLength: number): string {
  if (word.length <= maxLength) return word;
  return Array.from(word.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join('');
}

export function searchableWords(text: string): SearchableWords {
  if (text.length <= maxIndexedLength) return firstWords(foldTokens(text), true);
  // The appended letter marks the cut: it joins the word that the limit cuts, or becomes a word of its own.
  const tokens = foldTokens(`${start(text)}x`);
  const cutToken = tokens.pop()?.slice(0, -1) ?? '';
  const cutWord = withoutApostrophes(cutToken);
  // A long word is kept, because indexes hold only its start. A short one is dropped: cut, it is a different word.
  if (cut(cutWord, maxWordLength) !== cutWord) tokens.push(cutToken);
  return firstWords(tokens, false);
}

/** Never ends with half a surrogate pair. */
function start(text: string): string {
  return text.slice(0, maxIndexedLength).replace(/[\ud800-\udbff]$/, '');
}

function firstWords(tokens: string[], isWhole: boolean): SearchableWords {
  const [first, areAll] = firstTokens(tokens);
  if (!first.some(mayHaveForms)) return { words: first, forms: [], isComplete: isWhole && areAll };
  const words = first.map(withoutApostrophes);
  const forms: string[] = [];
  for (const token of first) {
    if (!mayHaveForms(token)) continue;
    for (const form of wordForms(token)) {
      if (forms.length === maxIndexedForms) return { words, forms, isComplete: false };
      forms.push(cut(form, maxWordLength));
    }
  }
  return { words, forms, isComplete: isWhole && areAll };
}

function firstTokens(tokens: readonly string[]): [tokens: readonly string[], areAll: boolean] {
  if (tokens.length <= maxIndexedWords) return [tokens, true];
  const different = [...new Set(tokens)];
  return [different.slice(0, maxIndexedWords), different.length <= maxIndexedWords];
}

/**
 * Letters of scripts written without spaces between words: those of Chinese and Japanese, and those of class SA of Unicode's
 * line breaking (UAX #14), such as Thai.
 */
const unspaced =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}' +
  '\\p{sc=Tale}\\p{sc=Talu}\\p{sc=Lana}\\p{sc=Tavt}\\p{sc=Ahom}';
const unspacedStart = /* @__PURE__ */ new RegExp(`^[${unspaced}]`, 'u');
/** The long vowel of kana begins no word. */
const longVowel = 'ー';

/**
 * Where a word may begin within a token: after an apostrophe, at each unspaced letter, and where another script follows. Never at
 * a mark, which belongs to the letter before it.
 */
const wordStart = /* @__PURE__ */ new RegExp(
  `(?!\\p{M})(?:(?<=')|(?=[${unspaced}])|(?<=[${unspaced}${longVowel}]\\p{M}*)(?![${unspaced}${longVowel}']))`,
  'gu',
);
/** The tokens without further forms: no apostrophe, and only scripts before Hebrew. */
const plainToken = /^[a-z0-9\u0080-\u05cf]*$/;

/** Hebrew conjunctions, prepositions and the article, each one letter, are written together with the next word. */
const hebrewPrefixes = [/^[והבכלמש]/, /^[והבכלמש]{2}/];
/** The same for Arabic. */
const arabicPrefixes = /* @__PURE__ */ ['', 'و', 'ف'].flatMap((conjunction) =>
  ['', 'ب', 'ك', 'ل', 'ال', 'بال', 'كال', 'لل'].map((rest) => conjunction + rest),
);
const minStemLength = 2;
/** More than any form that an index holds. The rest is cut off, because a text may be one long word. */
const maxFormUnits = 256;

/** Whether a word begins with a letter of a script without spaces. */
function isUnspaced(word: string): boolean {
  return unspacedStart.test(word);
}

/** Whether {@link wordForms} may return something; a quick test for most words. */
function mayHaveForms(token: string): boolean {
  return !plainToken.test(token);
}

/**
 * Further forms by which search finds a word, at least their first 64 code points: the parts after an apostrophe (`Brien` of
 * `O'Brien`), the rest after each place where a word may begin in a text without spaces (`春樹` of `村上春樹`), and Hebrew and
 * Arabic words without their prefixes, and without hamza.
 *
 * @param token A word as `foldTokens` returns it.
 */
function* wordForms(token: string): Generator<string> {
  for (const { index } of token.matchAll(wordStart))
    if (index > 0 && index < token.length) yield withoutApostrophes(token.slice(index, index + maxFormUnits));
  const first = token.charCodeAt(0);
  if (first < firstHebrew || first > lastArabic) return;
  const word = withoutApostrophes(token);
  for (const form of new Set([word, word.replace(hamza, '')])) {
    if (form !== word) yield form;
    for (const prefix of prefixesOf(form))
      if (form.length - prefix.length >= minStemLength) yield form.slice(prefix.length);
  }
}

const [firstHebrew, lastArabic] = [0x5d0, 0x6ff];
/** Madda and hamza, which are often not typed. */
const hamza = /* @__PURE__ */ new RegExp('[\\u0653-\\u0655]', 'gu');

function prefixesOf(word: string): string[] {
  const hebrew = hebrewPrefixes.flatMap((pattern) => pattern.exec(word)?.[0] ?? []);
  return hebrew.length > 0
    ? hebrew
    : arabicPrefixes.filter((prefix) => prefix !== '' && word.startsWith(prefix));
}

/**
 * Identifies the rules by which texts become indexed words and sort keys. A store whose index was made with another version
 * indexes its books again. It is a constant because computing it would be a tenth of the time that a service takes to start; a
 * test compares it with what the rules make of sample texts.
 */
export const foldingVersion = 'b872c1705b32';
