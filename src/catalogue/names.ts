// Splits the text of an author into the family name of the first person, the given names, and what follows them.
import { foldText } from './fold.ts';

/** The name of the first person in the text of an author. */
export interface PersonName {
  /** With the capitalised particles before it: `Le Guin`, `Van Dyke`. */
  readonly family: string;
  /** The given names, and the particles in small letters: `Ludwig van`. */
  readonly given: string;
  /** Suffixes, such as `Jr.`. */
  readonly suffix: string;
  /** What follows: the other authors, with their separator. */
  readonly others: string;
  /** Whether the text has the family name first. */
  readonly isInverted: boolean;
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(' '));

const suffixes = /* @__PURE__ */ setOf('jr sr junior senior ii iii iv ph.d phd m.d md d.d.s esq');
/** Words before a family name. Lists and citations differ in which of them belong to it. */
const particles = /* @__PURE__ */ setOf(
  'le la les lo los las el de du des del della delle di da dal dalla das do dos den der ter van von vom zu zum zur af av mac mc st saint ste sainte san santa ben ibn bin',
);
/** More of them, in small letters alone: `Corrie ten Boom`, but `Al Green`. */
const smallParticles = /* @__PURE__ */ setOf('al ten');
/** The particles that may begin an inverted name: `Van Dyke, Dick`, but `Mac Barnett, Jon Klassen`. */
const firstOfFamily = /* @__PURE__ */ setOf(
  'le la les lo los las el de du des del della delle dal dalla das dos den der ter van von vom zu zum zur af av mc st saint ste sainte san santa ibn',
);
/** Those that no person has as a given name: `Le Corbusier`, but `Van Morrison`. */
const neverGiven = /* @__PURE__ */ setOf('le la les los las el de du des del della das dos von ibn');

/** Words that the name of an organisation has, and that of a person does not, folded: in English, German, French and Spanish. */
const organisationWords = /* @__PURE__ */ setOf(
  'press inc ltd llc gmbh group team club union college school center centre centro zentrum staff editors kitchen company corporation council agency bureau collective magazine government nations nationen publishing publishers ministry ministerium ministere ministerio committee komitee comite kommission ausschuss verein verband gesellschaft stiftung museum musee museo library bibliothek bibliotheque biblioteca verlag editorial ediciones editions presse prensa consejo conseil agentur agence agencia academy akademie academie academia hochschule behorde',
);
const startOfOrganisation =
  /* @__PURE__ */ /(?:^| )(?:organi[sz]a[ct]i|societ|sociedad|associat|asociacion|foundation|fondation|fundacion|institut|universit|universid|commission|comision|depart(?:e?ment|amento)|federation|federacion|encyclop|laborator|church of )/u;

/** Scripts that are written without spaces, and Hangul, whose names have the family name first. */
const unspacedScript =
  /* @__PURE__ */ /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Tibetan}]/u;

/** A quick test that most names fail. */
const beyondLatin = /* @__PURE__ */ /[\u0e00-\uffff]/;

/** Where the first author ends, unless a comma ends it. */
const separator = /* @__PURE__ */ /;|\/|\s(?:&|[[(]|(?:and|und|et)(?=\s))/;
/** A small particle that is joined to its name: `d'Alembert`, `al-Khwarizmi`. */
const joinedParticle = /* @__PURE__ */ /^(\p{Ll}{1,4}['’-])(?=\p{Lu})/u;
const initials = /* @__PURE__ */ /^(?:\p{Lu}\.[ -]?)+$/u;
/** The part of a text that is searched for the end of its first author. */
const maxSearched = 500;

/**
 * The name of the first person in a text of authors. `undefined` if the text is in its order as it is: one of a single word, of
 * an organisation, or in a script without spaces.
 */
export function firstPerson(author: string): PersonName | undefined {
  const text = author.slice(0, maxSearched);
  const end = text.search(separator);
  const parts = partsOf(end === -1 ? text : text.slice(0, end));
  const [before = [], ...after] = parts;
  if (end === -1 && after.length === 0 && author.length > text.length) return undefined;
  if (isAsWritten(before.join(' '))) return undefined;
  const rest = author.slice(end === -1 ? text.length : end);
  if (isInverted(before, after)) {
    const start = before.findIndex((word) => !isParticle(word) || isCapitalised(word));
    const [particle, family] = splitJoined(before.slice(start).join(' '));
    const given = [...after.flat(), ...before.slice(0, start), particle].join(' ').trim();
    return { family, given, suffix: '', others: rest, isInverted: true };
  }
  const words = before.filter((word) => !isSuffix(word));
  if (words.length < 2) return undefined;
  const start = sortedFamilyAt(words);
  const [particle, family] = splitJoined(words.slice(start).join(' '));
  return {
    family,
    given: [...words.slice(0, start), particle].join(' ').trim(),
    suffix: before.filter(isSuffix).join(' '),
    others: after.map((part) => `, ${part.join(' ')}`).join('') + rest,
    isInverted: false,
  };
}

/** Whether a name has no parts: that of an organisation, or one in a script without spaces. */
export function isAsWritten(name: string): boolean {
  if (beyondLatin.test(name) && unspacedScript.test(name)) return true;
  const folded = foldText(name);
  return startOfOrganisation.test(folded) || folded.split(' ').some((word) => organisationWords.has(word));
}

/** Whether the family name comes first: before a comma there is one word that is not a particle, or initials follow. */
function isInverted(before: readonly string[], after: readonly (readonly string[])[]): boolean {
  const names = before.filter(
    (word, i) => !(i === 0 && isCapitalised(word) ? firstOfFamily : particles).has(plain(word)),
  );
  if (after.length === 0 || names.length === 0) return false;
  return (
    names.length === 1 || (after.length === 1 && after[0]?.every((word) => initials.test(word)) === true)
  );
}

/** Whether two texts, which a comma separates, are the family name and the given names of a person. */
export function isFamilyFirst(before: string, after: string): boolean {
  return isInverted(before.split(' '), [after.split(' ')]);
}

/** A text of authors with the family name of the first person in front. */
export function familyFirst(author: string): string {
  const name = firstPerson(author);
  if (name === undefined) return author;
  const { family, given, suffix, others } = name;
  return `${family} ${given} ${suffix}${others}`;
}

/** The words between commas. A comma before a suffix does not count. */
function partsOf(text: string): string[][] {
  const parts: string[][] = [];
  for (const part of text.split(/[,،]/)) {
    const words = part.split(/\s+/).filter(Boolean);
    const last = parts.at(-1);
    if (last !== undefined && words.every(isSuffix)) last.push(...words);
    else parts.push(words);
  }
  return parts;
}

/**
 * Where the family name begins by which lists are sorted: particles in small letters stay with the given names, because libraries
 * file Simone de Beauvoir under B, but Ursula K. Le Guin under L.
 *
 * @param words At least one: a name in natural order.
 */
function sortedFamilyAt(words: readonly string[]): number {
  let at = words.length - 1;
  while (at > 0 && isPartOfFamily(words, at - 1)) at--;
  return at;
}

/**
 * Where the family name begins in citations: at its first particle, also one in small letters. BibTeX, RIS and MARC write
 * `de Beauvoir, Simone`, and the programs that read them file the name by rules of their own.
 *
 * @param words As for {@link sortedFamilyAt}.
 */
export function citedFamilyAt(words: readonly string[]): number {
  const small = words.findIndex((word, i) => i > 0 && (particles.has(word) || smallParticles.has(word)));
  return small > 0 && small < words.length - 1 ? small : sortedFamilyAt(words);
}

/** Whether a word before a family name belongs to it in lists: `Le Guin`. */
function isPartOfFamily(words: readonly string[], i: number): boolean {
  const word = words[i] ?? '';
  return isCapitalised(word) && (i > 0 ? particles : neverGiven).has(plain(word));
}

function isParticle(word: string): boolean {
  return particles.has(plain(word));
}

function isSuffix(word: string): boolean {
  return suffixes.has(plain(word));
}

function isCapitalised(word: string): boolean {
  const [first = ''] = word;
  return first !== first.toLowerCase();
}

function plain(word: string): string {
  return (word.endsWith('.') ? word.slice(0, -1) : word).toLowerCase();
}

function splitJoined(name: string): [particle: string, name: string] {
  const [particle = ''] = joinedParticle.exec(name) ?? [];
  return [particle, name.slice(particle.length)];
}
