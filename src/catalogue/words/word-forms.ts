import { withoutApostrophes } from './fold.ts';

/**
 * Letters of scripts written without spaces between words: those of Chinese and Japanese, and those of class SA of Unicode's
 * line breaking (UAX #14), such as Thai.
 */
const unspaced =
  '\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}\\p{sc=Bopo}\\p{sc=Thai}\\p{sc=Laoo}\\p{sc=Khmr}\\p{sc=Mymr}' +
  '\\p{sc=Tale}\\p{sc=Talu}\\p{sc=Lana}\\p{sc=Tavt}\\p{sc=Ahom}';
const unspacedStart = new RegExp(`^[${unspaced}]`, 'u');
/** The long vowel of kana begins no word. */
const longVowel = 'ー';

/** Where a word may begin within a token: after an apostrophe, at each unspaced letter, and where another script follows. */
const start = new RegExp(
  `(?<=')|(?=[${unspaced}])|(?<=[${unspaced}${longVowel}])(?![${unspaced}${longVowel}'])`,
  'gu',
);
/** The tokens without further forms: no apostrophe, and only scripts before Hebrew. */
const plainToken = /^[a-z0-9\u0080-\u05cf]*$/;

/** Hebrew conjunctions, prepositions and the article, each one letter, are written together with the next word. */
const hebrewPrefixes = [/^[והבכלמש]/, /^[והבכלמש]{2}/];
/** So are the Arabic ones. */
const arabicPrefixes = ['', 'و', 'ف'].flatMap((conjunction) =>
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
export function mayHaveForms(token: string): boolean {
  return !plainToken.test(token);
}

/**
 * Further forms by which search finds a word, at least their first 64 code points: the parts after an apostrophe (`Brien` of
 * `O'Brien`), the rest after each place where a word may begin in a text without spaces (`春樹` of `村上春樹`), and Hebrew and
 * Arabic words without their prefixes.
 *
 * @param token A word as `foldTokens` returns it.
 */
export function* wordForms(token: string): Generator<string> {
  for (const { index } of token.matchAll(start))
    if (index > 0 && index < token.length) yield withoutApostrophes(token.slice(index, index + maxFormUnits));
  const first = token.charCodeAt(0);
  if (first < firstHebrew || first > lastArabic) return;
  const word = withoutApostrophes(token);
  for (const prefix of prefixesOf(word))
    if (word.length - prefix.length >= minStemLength) yield word.slice(prefix.length);
}

const [firstHebrew, lastArabic] = [0x5d0, 0x6ff];

function prefixesOf(word: string): string[] {
  const hebrew = hebrewPrefixes.flatMap((pattern) => pattern.exec(word)?.[0] ?? []);
  return hebrew.length > 0
    ? hebrew
    : arabicPrefixes.filter((prefix) => prefix !== '' && word.startsWith(prefix));
}
