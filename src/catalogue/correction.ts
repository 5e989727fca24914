import { searchedFields } from './fields.ts';
import { foldWords } from './fold.ts';
import type { BookQuery } from './query.ts';

export const wordMembers = ['q', ...searchedFields.map((name) => `${name}Words` as const)] as const;
/** A member of a query that contains words. */
export type WordMember = (typeof wordMembers)[number];

/** New values for the words of a query that finds nothing. With them, it finds something. */
export type Correction = Pick<BookQuery, WordMember>;

export const maxCorrections = 3;

/** The minimum length of a word that is corrected, in code points: of shorter words, most edits are other words. */
const minLength = 3;
/** The maximum length, in code points. An index has every edit whole. */
const maxLength = 32;
/** No letters are inserted or replaced in words of scripts with more letters. */
const maxLetters = 150;

/**
 * The folded words at one edit from a folded word: a character inserted, deleted or replaced, or two neighbours exchanged. New
 * characters are those of the scripts in the word. There are none for Chinese characters.
 */
export function singleEdits(word: string): string[] {
  const characters = Array.from(word);
  if (characters.length < minLength || characters.length > maxLength) return [];
  const letters = lettersFor(characters);
  const edits = new Set<string>();
  for (let i = 0; i <= characters.length; i++) {
    const start = characters.slice(0, i).join('');
    const rest = characters.slice(i).join('');
    const [here = '', next = ''] = characters.slice(i, i + 2);
    const afterHere = rest.slice(here.length);
    if (here !== '') edits.add(start + afterHere);
    if (next !== '') edits.add(start + next + here + afterHere.slice(next.length));
    for (const letter of letters) {
      edits.add(start + letter + rest);
      if (here !== '') edits.add(start + letter + afterHere);
    }
  }
  edits.delete(word);
  return [...edits];
}

/** The characters that may be missing from a word. */
function lettersFor(characters: readonly string[]): Iterable<string> {
  const letters = new Set(characters.flatMap(neighboursOf));
  return letters.size > maxLetters ? [] : letters;
}

const digits = '0123456789'.split('');
const blockSize = 128;
const blocks = new Map<number, readonly string[]>();

/** The letters of the script of a character: those near it in Unicode. */
function neighboursOf(character: string): readonly string[] {
  if (/\p{Nd}/u.test(character)) return digits;
  if (character.length > 1 || /\p{Script=Han}/u.test(character)) return [];
  const block = Math.floor(character.charCodeAt(0) / blockSize);
  let letters = blocks.get(block);
  if (letters === undefined) {
    const all = Array.from({ length: blockSize }, (_, i) => String.fromCharCode(block * blockSize + i));
    letters = all.filter((each) => /\p{L}/u.test(each) && foldWords(each)[0] === each);
    blocks.set(block, letters);
  }
  return letters;
}
