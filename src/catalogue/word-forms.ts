// Further forms by which search finds the words of a text, and the spellings of a text that count as the same.
import { tokensOf, toLetters, withoutApostrophes } from './fold.ts';

/** They mean the same as `&`, and titles have them or not: a query with other words does not ask for them. */
const conjunctions: ReadonlySet<string> = /* @__PURE__ */ new Set(['and', 'und', 'et', 'y', 'e']);

export function isConjunction(word: string): boolean {
  return conjunctions.has(word);
}

/** Whether {@link formsOf} may return something; a quick test for most texts. */
export function mayHaveForms(text: string, tokens: readonly string[]): boolean {
  return hasTextForms.test(text) || tokens.some(hasWordForms);
}

/**
 * The further forms by which search finds a text.
 *
 * @param tokens Its words, as `foldTokens` returns them.
 */
export function* formsOf(text: string, tokens: readonly string[]): Generator<string> {
  if (hasTextForms.test(text)) yield* textForms(text);
  for (const token of tokens) if (hasWordForms(token)) yield* wordForms(token);
}

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
export function joinedParts(text: string, letters = toLetters(text)): string[][] {
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
export function spellOut(text: string): string {
  if (!hasUmlaut.test(text)) return text;
  return text.normalize('NFC').replaceAll(/[äöüøåÄÖÜØÅ]/g, (letter) => twoLetters[letter] ?? letter);
}

/** Also as a letter and a mark. */
const hasUmlaut = /[äöüøåÄÖÜØÅ]|\u0308|\u030a/;

/** The symbols of a text beyond ASCII that people search for, such as emoji, each as a word. */
export function symbolsOf(letters: string): string[] {
  return [...new Set(letters.match(symbols) ?? [])];
}

const symbols = /* @__PURE__ */ new RegExp('(?=[\\u{80}-\\u{10ffff}])[\\p{So}\\p{Sc}\\p{Sm}]', 'gu');

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
export function isUnspaced(word: string): boolean {
  return unspacedStart.test(word);
}

/** Whether {@link wordForms} may return something; a quick test for most words. */
function hasWordForms(token: string): boolean {
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
