// Finds the spellings of one name among all authors.
import type { AuthorCount } from './authors.ts';
import { differingWords, isTypo, isWithinOneEdit } from './duplicates.ts';
import { foldText, foldWords } from './fold.ts';
import { firstPerson } from './names.ts';

/** An edit in a shorter word makes another name: `Dan` and `Don`. A swap of two letters is a typing error in shorter words, too. */
const minTypoWord = { other: 5, swap: 4 };
/** A shorter name is too little evidence. */
const minTypoName = 8;

/** The forms by which spellings are compared. */
export interface NameForm {
  /** The words in the order in which the name is spoken, initials joined: `jrr tolkien` for `Tolkien, J. R. R.`. */
  readonly spoken: string;
  /** The words in alphabetical order: equal for spellings that have the same words. */
  readonly words: string;
}

/** The forms of a spelling. */
export function formOf(author: string): NameForm {
  const words = joinInitials(spokenWords(author));
  return { spoken: words.join(' '), words: words.toSorted().join(' ') };
}

/** The words of a name, without an inversion: the family name comes last. Those of several people stay as they are. */
function spokenWords(author: string): string[] {
  const name = firstPerson(author);
  if (name?.isInverted !== true || name.others !== '') return foldWords(author);
  return foldWords(`${name.given} ${name.family}`);
}

/** Joins single letters that follow one another: `J. R. R.` is `JRR`. */
function joinInitials(words: readonly string[]): string[] {
  const joined: string[] = [];
  let wasInitial = false;
  for (const word of words) {
    const isInitial = isSingle(word);
    if (isInitial && wasInitial) joined.push((joined.pop() ?? '') + word);
    else joined.push(word);
    wasInitial = isInitial;
  }
  return joined;
}

function isSingle(word: string): boolean {
  return word.length === 1 && !/[0-9]/.test(word);
}

/** Whether two spoken names differ by one typing error. */
export function isNameTypo(a: string, b: string): boolean {
  if (Math.max(a.length, b.length) < minTypoName || !isWithinOneEdit(a, b)) return false;
  if (!isTypo(a.toUpperCase(), b.toUpperCase())) return false;
  const [words, others] = differingWords(a.split(' '), b.split(' '));
  const [word, other] = [words.join(' '), others.join(' ')];
  const length = Math.max(word.length, other.length);
  const isSwap = word.length === other.length && lettersOf(word) === lettersOf(other);
  return length >= (isSwap ? minTypoWord.swap : minTypoWord.other);
}

/** A name with a given name, for comparing it with its initials. */
export interface GivenName {
  /** The last name, and the first letter of the given name. */
  readonly key: string;
  readonly given: readonly string[];
  /** Whether the given name is abbreviated. */
  readonly isInitial: boolean;
}

/** The given name of a spelling; `undefined` if it seems to have none, or to be the names of several people. */
export function givenNameOf(author: string): GivenName | undefined {
  const name = firstPerson(author);
  if (name?.others !== '') return undefined;
  const words = foldWords(`${name.given} ${name.family}`);
  const [first = ''] = words;
  if (words.length < 2) return undefined;
  const given = words.slice(0, -1);
  return { key: `${words.at(-1) ?? ''} ${Array.from(first)[0] ?? ''}`, given, isInitial: isSingle(first) };
}

/** Whether initials can stand for a full given name: `J. R. R.` for `John Ronald Reuel`, and `J.` for `Jane Mary`. */
export function abbreviates(initials: readonly string[], full: readonly string[]): boolean {
  const fits = (word: string, i: number) => word === full[i] || (isSingle(word) && full[i]?.startsWith(word));
  return initials.every(fits);
}

/** Orders spellings by descending number of books, then by their characters. */
export function compareSpellings(a: AuthorCount, b: AuthorCount): number {
  return b.count - a.count || (a.author < b.author ? -1 : 1);
}

/** The key of the first spelling of a group. It orders the groups as authors, and is in their cursors. */
export function groupKey(group: readonly AuthorCount[]): string {
  return foldText(group[0]?.author ?? '');
}

function lettersOf(word: string): string {
  return Array.from(word).sort().join('');
}
