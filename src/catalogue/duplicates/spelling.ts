import { toBaseLetters } from '../words/base-letters.ts';

/** Accents of Latin, Greek and Cyrillic. Unlike a search, this keeps vowel signs and voicing marks, which distinguish words. */
// eslint-disable-next-line no-misleading-character-class -- the marks themselves are meant.
const accents = /[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]/g;

/** NFKD sorts a run of marks in quadratic time. Text with such a run, which no word has, is not normalized. */
const longRunOfMarks = /* @__PURE__ */ new RegExp('\\p{M}{64}', 'u'); // Bundles for browsers leave it out.

/** Spaces, control characters and punctuation, but not the signs of `C#`, `50%` or `@home`. */
const separators = /(?:[^\P{P}#%&*@]|[\s\p{Cc}\p{Cf}`ʹ-ʼ])+/gu;
const asciiSeparators = /[^A-Z0-9#%&*@$+<=>^|~]+/g;
// eslint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

/**
 * A text without case, accents and punctuation, in base letters (`ø` is `o`): its words, separated by single spaces. Signs such as `+` and `#` stay, and so
 * does a text that is nothing but punctuation. Takes linear time.
 */
export function spell(text: string): string {
  if (ascii.test(text)) return text.toUpperCase().replace(asciiSeparators, ' ').trim() || text.trim();
  const bare = text.replace(accents, '');
  const normal = longRunOfMarks.test(bare) ? bare : bare.normalize('NFKD').replace(accents, '');
  // In upper case, because lower case has special final forms.
  const upper = toBaseLetters(normal.toLowerCase()).toUpperCase();
  return upper.replace(separators, ' ').trim() || upper.trim();
}

/** Any space, except between numbers: 1.2 is not 12. */
const spaces = /(?<![0-9]) | (?![0-9])/g;

/** A spelling without spaces: texts whose spellings are equal up to spacing are the same. */
export function withoutSpaces(spelling: string): string {
  return spelling.replace(spaces, '');
}
