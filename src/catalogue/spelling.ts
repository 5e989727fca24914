// When two whole texts are the same, whatever their case, accents, spaces and punctuation.
import { foldsTo, foldText, toLetters } from './fold.ts';

/** Spaces, control characters and punctuation, but not the signs of `C#`, `50%` or `@home`. */
const separators = /* @__PURE__ */ new RegExp('(?:[^\\P{P}#%&*@]|[\\s\\p{Cc}`])+', 'gu');
const asciiSeparators = /[^A-Z0-9#%&*@$+<=>^|~]+/g;
// eslint-disable-next-line no-control-regex -- all of ASCII.
const ascii = /^[\x00-\x7f]*$/;

/**
 * The words of a text in its letters (`toLetters`) and upper case, separated by single spaces, without punctuation. Signs such as
 * `+` and `#` stay, and so does a text that is nothing but punctuation. Takes linear time.
 */
export function spell(text: string): string {
  if (ascii.test(text)) return text.toUpperCase().replace(asciiSeparators, ' ').trim() || text.trim();
  // In upper case, because lower case has special final forms.
  const upper = toLetters(text).toUpperCase();
  return upper.replace(separators, ' ').trim() || upper.trim();
}

/** Any space, except between numbers: 1.2 is not 12. */
const spaces = /(?<![0-9]) | (?![0-9])/g;

/** Removes the spaces that do not distinguish texts. */
export function withoutSpaces(spelling: string): string {
  return spelling.replace(spaces, '');
}

/** A whole text that a query asks for, in the forms by which texts are compared. */
export interface WholeText {
  /** As it was given. */
  readonly text: string;
  /** Its words, by which an index finds candidates: the same for `C` and `C++`. */
  readonly folded: string;
  /** Its letters and signs, which the candidates must have; `undefined`: the words decide. */
  readonly spelling: string | undefined;
}

/** @param ignoresSigns Whether `C` is `C++`. */
export function wholeText(text: string, ignoresSigns = false): WholeText {
  return { text, folded: foldText(text), spelling: ignoresSigns ? undefined : withoutSpaces(spell(text)) };
}

/** Whether a text is the one that is asked for. */
export function isWholeText(text: string, wanted: WholeText): boolean {
  return text === wanted.text || hasSpelling(text, wanted);
}

/** Whether a text has the same words, letters and signs as the one that is asked for. */
export function hasSpelling(text: string, { folded, spelling }: Omit<WholeText, 'text'>): boolean {
  return foldsTo(text, folded) && (spelling === undefined || withoutSpaces(spell(text)) === spelling);
}
