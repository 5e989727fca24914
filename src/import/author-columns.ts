// Finds the columns of authors by their headers: one column, one for each author, or first and last names.
import { coauthorHeaders, importHeaders } from './headers.ts';

/** The columns of a person. */
export interface PersonColumns {
  /** The place of the whole name, or of the family name. Places count from 0. */
  readonly at: number;
  /** The places of the first names, if the family name has a column of its own. */
  readonly given?: readonly number[];
}

type Role = 'whole' | 'firstName' | 'lastName';

/** What a header says: `Author 2 First Name`. */
interface AuthorHeader {
  readonly role: Role;
  /** 0 if it has no number. */
  readonly number: number;
  /** Whether it names the author, too: a first name alone may be that of a borrower. */
  readonly namesAuthor: boolean;
}

const [wholeNames, firstNames, lastNames] = (['author', 'firstName', 'lastName'] as const).map(
  (part) => new Set(importHeaders[part].headers),
) as [Set<string>, Set<string>, Set<string>];

/** The words that name an author in a header such as `author last name`. */
const authorWords = new Set([
  ...[...wholeNames].filter((name) => !name.includes(' ')),
  ...'autors verfassers auteurs lauteur dellautore автора authors s'.split(' '),
]);
const smallWords = new Set('of the des der de du d l del dell della do da van för für'.split(' '));
/** What says a name beside such a word. */
const shortNames: Readonly<Record<string, Role>> = {
  first: 'firstName',
  given: 'firstName',
  middle: 'firstName',
  last: 'lastName',
  family: 'lastName',
};
/** Last names only beside first names: each is a name, too. */
const weakLastNames = new Set(['name', 'nom', 'nume']);

const ordinals = ['first', 'second', 'third', 'fourth', 'fifth'];
const numbered = new RegExp(
  `(\\d{1,2})(?:st|nd|rd|th)?|(?<!\\S)(${ordinals.join('|')})(?= (?:author|writer|creator))`,
);

function readHeader(folded: string): AuthorHeader | undefined {
  if (wholeNames.has(folded)) return { role: 'whole', number: 0, namesAuthor: true };
  const [match = '', digits, ordinal = ''] = numbered.exec(folded) ?? [];
  const number = match === '' ? 0 : digits === undefined ? ordinals.indexOf(ordinal) + 1 : Number(digits);
  const name = folded.replace(match, ' ').replace(/\s+/g, ' ').trim();
  if (wholeNames.has(name)) return { role: 'whole', number, namesAuthor: true };
  const words = name.split(' ');
  const namesAuthor = words.some((word) => authorWords.has(word));
  const rest = words.filter((word) => !authorWords.has(word) && !smallWords.has(word)).join(' ');
  const has = (names: Set<string>) => names.has(name) || (namesAuthor && names.has(rest));
  const role = has(lastNames)
    ? 'lastName'
    : has(firstNames)
      ? 'firstName'
      : namesAuthor
        ? shortNames[rest]
        : name === 'name'
          ? 'lastName'
          : undefined;
  return role && { role, number, namesAuthor };
}

/** @param title The place of the title, which has no author. */
export function authorsByHeader(folded: readonly string[], title: number | undefined): PersonColumns[] {
  const found = folded.map((name, at) => (at === title ? undefined : readHeader(name)));
  const places = (role: Role, number: number) =>
    [...found.keys()].filter((at) => found[at]?.role === role && found[at].number === number);
  const best = importHeaders.author.headers.find((name) => folded.includes(name));
  const personOf = (number: number): PersonColumns | undefined => {
    const whole = number === 0 && best !== undefined ? folded.indexOf(best) : places('whole', number)[0];
    const given = places('firstName', number);
    const family = places('lastName', number).find(
      (at) => given.length > 0 || !weakLastNames.has(folded[at] ?? ''),
    );
    const [first] = given;
    if (whole !== undefined) {
      // A column "Author" beside one of first names has the last names.
      const isFamily = family === undefined && given.some((at) => Math.abs(at - whole) === 1);
      return isFamily ? { at: whole, given } : { at: whole };
    }
    if (family !== undefined) return given.length > 0 ? { at: family, given } : { at: family };
    return first !== undefined && found[first]?.namesAuthor === true ? { at: first } : undefined;
  };
  const numbers = [...new Set(found.map((header) => header?.number ?? 0))].filter((number) => number > 0);
  const main = personOf(0);
  // "Authors" beside "Author 1" has all of them.
  const others = main !== undefined && numbers.includes(1) ? [] : numbers.sort((a, b) => a - b).map(personOf);
  const coauthors = [...folded.keys()].filter((at) => coauthorHeaders.includes(folded[at] ?? ''));
  return [main, ...others, ...coauthors.map((at) => ({ at }))].filter((person) => person !== undefined);
}
