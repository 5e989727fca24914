import {
  indexedIntegers,
  mapFields,
  searchedFields,
  type IndexedInteger,
  type SearchedField,
} from './fields.ts';
import { foldTokens, foldWords, tokensOf, toLetters, withoutApostrophes } from './fold.ts';

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
/** They mean the same as `&`, and titles have them or not: a query with other words does not ask for them. */
const conjunctions: ReadonlySet<string> = /* @__PURE__ */ new Set(['and', 'und', 'et', 'y', 'e']);

export function isConjunction(word: string): boolean {
  return conjunctions.has(word);
}

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
  const textHasForms = hasTextForms.test(text);
  if (!textHasForms && !first.some(mayHaveForms))
    return { words: first, forms: [], isComplete: isWhole && areAll };
  const words = first.map(withoutApostrophes);
  const forms: string[] = [];
  const add = (form: string) => forms.push(cut(form, maxWordLength)) === maxIndexedForms;
  const cutOff = { words, forms, isComplete: false };
  if (textHasForms) for (const form of textForms(text)) if (add(form)) return cutOff;
  for (const token of first)
    if (mayHaveForms(token)) for (const form of wordForms(token)) if (add(form)) return cutOff;
  return { words, forms, isComplete: isWhole && areAll };
}

/** Whether {@link textForms} may return something; a quick test for most texts. */
const hasTextForms = /* @__PURE__ */ withParticles('[-.&]|[^\\x00-\\x7f]|PARTICLE [A-Z]');

/**
 * Further forms by which search finds words of a text: `spiderman` for `Spider-Man`, `jk` for `J.K.`, `leguin` for `Le Guin`,
 * `mueller` for `Müller`, and its signs, such as emoji.
 */
function* textForms(text: string): Generator<string> {
  const letters = toLetters(text);
  yield* joinedWords(text, letters);
  if (letters.includes('&')) yield '&';
  const spelledOut = spellOut(text);
  if (spelledOut !== text) {
    const words = new Set(wordsOf(letters));
    const others = toLetters(spelledOut);
    for (const word of wordsOf(others)) if (!words.has(word)) yield word;
    yield* joinedWords(spelledOut, others);
  }
  if (beyondAscii.test(letters)) yield* symbolsOf(letters);
}

function wordsOf(letters: string): string[] {
  return tokensOf(letters).map(withoutApostrophes);
}

// eslint-disable-next-line no-control-regex -- all of ASCII.
const beyondAscii = /[^\x00-\x7f]/;

/** Words with their hyphens, in letters (`toLetters`). */
const hyphenated = /* @__PURE__ */ new RegExp("[\\p{L}\\p{M}\\p{Nd}'\\-\\u2010]+", 'gu');
/** Single letters with full stops, also with spaces between them, in letters. */
const initials = /* @__PURE__ */ new RegExp(
  "(?<![\\p{L}\\p{M}\\p{Nd}'])\\p{L}\\p{M}*(?:\\.\\s?\\p{L}\\p{M}*)+(?![\\p{L}\\p{M}\\p{Nd}'])",
  'gu',
);
/** One or more particles of a family name, and what they belong to, all with a capital letter. */
const joinedName = /* @__PURE__ */ withParticles(
  '(?<![\\p{L}\\p{M}\\p{Nd}])(?:PARTICLE ){1,3}\\p{Lu}[\\p{L}\\p{M}]+',
  'gu',
);

/** A pattern for particles such as _Le_, _De_, _Van_ and _Mac_, by their letters: SQL can look for them, too. */
function withParticles(pattern: string, flags = ''): RegExp {
  return new RegExp(pattern.replaceAll('PARTICLE', '(?:[ADEL][aeilou]|M[ac]c?|[DSTV][aeo][lnrs])'), flags);
}

/**
 * The words of a text in its order, without conjunctions: as it is written, and where that differs, with two letters for each that
 * is also typed as two, and with joined parts. `Spider-Man` is _spider man_ and _spiderman_.
 */
export function sequencesOf(text: string): string[][] {
  const letters = toLetters(text);
  if (!hasSequences.test(text)) return [withoutConjunctions(wordsOf(letters))];
  const spelled = [letters, toLetters(spellOut(text))];
  const joined = spelled.map((each) =>
    each
      .replaceAll(hyphenated, joinParts)
      .replaceAll(initials, (part) => part.replaceAll(otherThanLetters, '')),
  );
  return [...new Set([...spelled, ...joined])].map((each) => withoutConjunctions(wordsOf(each)));
}

/** Whether a text may have several sequences. */
const hasSequences = /[-.\u0080-\uffff]/;

/** A text that is nothing else keeps them. */
function withoutConjunctions(words: string[]): string[] {
  const others = words.filter((word) => !conjunctions.has(word));
  return others.length === 0 ? words : others;
}

function joinParts(word: string): string {
  return hasParts(word) ? word.replaceAll(otherThanLetters, '') : word;
}

/** The words that a text has in parts, joined. @param letters Those of the text. */
function joinedWords(text: string, letters = toLetters(text)): string[] {
  const parts = joinedParts(text, letters);
  return parts.length === 0 ? [] : [...new Set(parts.map((each) => each.join('')))];
}

/** The parts of the words that belong together. */
function joinedParts(text: string, letters = toLetters(text)): string[][] {
  const joined = [
    ...(hasHyphen.test(letters) ? (letters.match(hyphenated) ?? []).filter(hasParts) : []),
    ...(stopBetween.test(letters) ? (letters.match(initials) ?? []) : []),
    ...(hasParticle.test(text) ? (text.match(joinedName) ?? []).map(toLetters) : []),
  ];
  return joined.map((each) =>
    each
      .replaceAll("'", '')
      .split(otherThanLetters)
      .filter((part) => part !== ''),
  );
}

const hasHyphen = /[^ ][-\u2010][^ ]/;
const stopBetween = /\. ?[^ ]\.?/;
const hasParticle = /* @__PURE__ */ withParticles('PARTICLE (?:[A-Z]|[^\\x00-\\x7f])');

/** Whether a word has single hyphens between its parts. Several are a dash. */
function hasParts(word: string): boolean {
  return /[^-\u2010][-\u2010][^-\u2010]/.test(word) && !/[-\u2010]{2}/.test(word);
}

const otherThanLetters = /* @__PURE__ */ new RegExp('[^\\p{L}\\p{M}\\p{Nd}]+', 'gu');

/** The letters that are also typed as two, where a keyboard has no others. */
const twoLetters: Readonly<Record<string, string>> = {
  ä: 'ae',
  ö: 'oe',
  ü: 'ue',
  ø: 'oe',
  å: 'aa',
  Ä: 'Ae',
  Ö: 'Oe',
  Ü: 'Ue',
  Ø: 'Oe',
  Å: 'Aa',
};

/** A text with two letters for each that is also typed as two, such as ä. Folding does so for ß and æ. */
function spellOut(text: string): string {
  if (!hasUmlaut.test(text)) return text;
  return text.normalize('NFC').replaceAll(/[äöüøåÄÖÜØÅ]/g, (letter) => twoLetters[letter] ?? letter);
}

/** Also as a letter and a mark. */
const hasUmlaut = /[äöüøåÄÖÜØÅ]|\u0308|\u030a/;

/** The symbols of a text beyond ASCII that people search for, such as emoji, each as a word. */
function symbolsOf(letters: string): string[] {
  return [...new Set(letters.match(symbols) ?? [])];
}

const symbols = /* @__PURE__ */ new RegExp('(?=[\\u{80}-\\u{10ffff}])[\\p{So}\\p{Sc}\\p{Sm}]', 'gu');

function firstTokens(tokens: readonly string[]): [tokens: readonly string[], areAll: boolean] {
  if (tokens.length <= maxIndexedWords) return [tokens, true];
  const different = [...new Set(tokens)];
  return [different.slice(0, maxIndexedWords), different.length <= maxIndexedWords];
}

/**
 * A pattern for letters of scripts written without spaces between words: those of Chinese and Japanese, and those of class SA of
 * Unicode's line breaking (UAX #14), such as Thai.
 */
function unspacedPattern(pattern: string, flags: string): RegExp {
  const letters =
    '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}' +
    '\\p{sc=Tale}\\p{sc=Talu}\\p{sc=Lana}\\p{sc=Tavt}\\p{sc=Ahom}';
  return new RegExp(pattern.replaceAll('UNSPACED', letters), flags);
}

const unspacedStart = /* @__PURE__ */ unspacedPattern('^[UNSPACED]', 'u');

/**
 * Where a word may begin within a token: after an apostrophe, at each unspaced letter, and where another script follows. Never at
 * a mark, which belongs to the letter before it.
 */
const wordStart = /* @__PURE__ */ unspacedPattern(
  // The long vowel of kana begins no word.
  "(?!\\p{M})(?:(?<=')|(?=[UNSPACED])|(?<=[UNSPACEDー]\\p{M}*)(?![UNSPACEDー'+#]))",
  'gu',
);
/** The tokens without further forms: no apostrophe, and only scripts before Hebrew. */
const plainToken = /^[a-z0-9+#\u0080-\u05cf]*$/;

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
  for (const index of wordStarts(token))
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

/** Where words may begin in a token. */
function* wordStarts(token: string): Generator<number> {
  if (beyondAscii.test(token)) for (const { index } of token.matchAll(wordStart)) yield index;
  else for (let at = token.indexOf("'") + 1; at > 0; at = token.indexOf("'", at) + 1) yield at;
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
export const foldingVersion = '1ca13be2c3f0';
