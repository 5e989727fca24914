import {
  indexedIntegers,
  mapFields,
  searchedFields,
  type IndexedInteger,
  type SearchedField,
} from './fields.ts';
import { foldTokens, foldWords, toLetters, withoutApostrophes } from './fold.ts';
import {
  formsOf,
  isConjunction,
  isUnspaced,
  joinedParts,
  mayHaveForms,
  spellOut,
  symbolsOf,
} from './word-forms.ts';

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

/**
 * A word that a query asks for: the words of which a book must have one that begins with it. The first one is the word as it was
 * typed; without any, no book matches.
 */
export type Term = readonly string[];

/** A minus sign and digits, with nothing but spaces around them. A hyphen within a word is none. */
const signedNumber = /* @__PURE__ */ new RegExp('^[-\\u2212\\uff0d]\\p{Nd}+$', 'u');
/**
 * The words that a text asks for, in its order. `Müller` is also `mueller`, and `Spider-Man` also `spiderman`. A negative whole
 * number keeps its sign, as `-`: no other word has one. A text with other words does not ask for conjunctions and signs. One with
 * nothing to search for, such as `!`, asks for what no book has; a blank one asks for nothing.
 */
export function queryTerms(text: string): Term[] {
  if (text.trim() === '') return [];
  const wholes = wholesOf(text);
  const terms = text.split(/\s+/).flatMap((part) => termsOf(part, wholes));
  const needed = terms.filter(([word = '']) => !isConjunction(word));
  if (needed.length > 0) return needed;
  if (terms.length > 0) return terms;
  const letters = toLetters(text);
  const signs = [...symbolsOf(letters), ...(letters.includes('&') ? ['&'] : [])].map((sign) => [sign]);
  return signs.length > 0 ? signs : [[]];
}

/** The words of a text without spaces. @param wholes The joined words of the whole text, by their parts. */
function termsOf(text: string, wholes: ReadonlyMap<string, readonly string[]>): Term[] {
  const words = foldWords(text);
  if (signedNumber.test(text)) return words.map((word) => [isNumber(word) ? `-${word}` : word]);
  const spelledOut = foldWords(spellOut(text));
  return words.map((word, i) => [...new Set([word, spelledOut[i] ?? word, ...(wholes.get(word) ?? [])])]);
}

/** The joined words of a text, by their parts but the first, which begins them and so finds them. */
function wholesOf(text: string): Map<string, string[]> {
  const wholes = new Map<string, string[]>();
  for (const parts of joinedParts(text).slice(0, maxWholes)) {
    for (const part of new Set(parts.slice(1)))
      wholes.set(part, [...(wholes.get(part) ?? []), parts.join('')]);
  }
  return wholes;
}

/** The maximum number of joined words of a query. */
const maxWholes = 100;

/** The words that a text asks for, as they were typed. */
export function queryWords(text: string): string[] {
  return queryTerms(text).flatMap(([word]) => word ?? []);
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

/**
 * The key of a word in an index, and of a query word in a lookup: its first letters, and wide forms of its signs, which need no
 * quoting and which no folded word has.
 */
export function indexKey(word: string): string {
  const key = fits(word) ? word : cut(word, maxLengthOf(word));
  return asciiSign.test(key)
    ? key.replaceAll(asciiSigns, (sign) => String.fromCharCode(sign.charCodeAt(0) + wide))
    : key;
}

/** A word of an index, as folding makes it. */
export function keyWord(key: string): string {
  return key.replaceAll(wideSigns, (sign) => String.fromCharCode(sign.charCodeAt(0) - wide));
}

/** Whether an index holds a word whole. */
export function fits(word: string): boolean {
  return word.length <= maxUnspacedLength || cut(word, maxLengthOf(word)) === word;
}

function maxLengthOf(word: string): number {
  return isUnspaced(word) ? maxUnspacedLength : maxWordLength;
}

const asciiSign = /[+#&]/;
const asciiSigns = /[+#&]/g;
const wideSigns = /[＋＃＆]/g;
/** The distance of a wide form from its sign. */
const wide = 0xfee0;

/** The first code points of a word. */
function cut(word: string, maxLength: number): string {
  if (word.length <= maxLength) return word;
  return Array.from(word.slice(0, 2 * maxLength))
    .slice(0, maxLength)
    .join('');
}

export function searchableWords(text: string): SearchableWords {
  if (text.length <= maxIndexedLength) return firstWords(foldTokens(text), text, true);
  // The appended letter marks the cut: it joins the word that the limit cuts, or becomes a word of its own.
  const first = start(text);
  const tokens = foldTokens(`${first}x`);
  const cutToken = tokens.pop()?.slice(0, -1) ?? '';
  const cutWord = withoutApostrophes(cutToken);
  // A long word is kept, because indexes hold only its start. A short one is dropped: cut, it is a different word.
  if (cut(cutWord, maxWordLength) !== cutWord) tokens.push(cutToken);
  return firstWords(tokens, first, false);
}

/** Never ends with half a surrogate pair. */
function start(text: string): string {
  return text.slice(0, maxIndexedLength).replace(/[\ud800-\udbff]$/, '');
}

/** @param text The text of the tokens, for the forms that its spaces and signs give. */
function firstWords(tokens: string[], text: string, isWhole: boolean): SearchableWords {
  const [first, areAll] = firstTokens(tokens);
  if (!mayHaveForms(text, first)) return { words: first, forms: [], isComplete: isWhole && areAll };
  const words = first.map(withoutApostrophes);
  const forms: string[] = [];
  for (const form of formsOf(text, first))
    if (forms.push(cut(form, maxWordLength)) === maxIndexedForms) return { words, forms, isComplete: false };
  return { words, forms, isComplete: isWhole && areAll };
}

function firstTokens(tokens: readonly string[]): [tokens: readonly string[], areAll: boolean] {
  if (tokens.length <= maxIndexedWords) return [tokens, true];
  const different = [...new Set(tokens)];
  return [different.slice(0, maxIndexedWords), different.length <= maxIndexedWords];
}

/**
 * Identifies the rules by which texts become indexed words and sort keys. A store whose index was made with another version
 * indexes its books again. It is a constant because computing it would be a tenth of the time that a service takes to start; a
 * test compares it with what the rules make of sample texts.
 */
export const foldingVersion = '1ca13be2c3f0';
