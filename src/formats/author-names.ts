// The authors of a book as the names of persons, and back: the one splitter and the one joiner of all formats.
import { citedFamilyAt, isAsWritten, isFamilyFirst } from '../catalogue/names.ts';
import { oneLine } from './text.ts';

/** The name of a person in its parts, or a name that has none: `Homer`, `Free Software Foundation`. */
export type Name = { family: string; given?: string; suffix?: string } | { literal: string };

/** Joins authors in natural order: with commas, or with semicolons where commas would make other names of them. */
export function joinAuthors(names: readonly string[]): string {
  return joinNames(names.map(oneLine).filter((name) => name !== ''));
}

/** As {@link joinAuthors}, of names as they are. */
export function joinNames(names: readonly string[]): string {
  const text = names.join(', ');
  if (names.length < 2 || names.length > maxChecked) return text;
  return splitAuthors(text).length === names.length ? text : names.join('; ');
}

/** More names are joined without a check. */
const maxChecked = 100;

/** Turns `Hunt, Andrew` and `King, Martin Luther, Jr.` into natural order. Other names stay as they are. */
export function toNatural(inverted: string): string {
  const [family = '', given = '', ...suffixes] = inverted.split(',');
  return oneLine([given, family, ...suffixes].join(' '));
}

/** A name as catalogues file it: `King, Martin Luther, Jr.` */
export function toInverted(name: Name): string {
  if ('literal' in name) return name.literal;
  return [name.family, name.given, name.suffix]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

/**
 * Splits the author of a book into names: at semicolons, at words such as `and` between two names, and at the commas that are
 * not those of inverted names. Life dates and roles are left out: `Austen, Jane, 1775-1817`, `Ann Lee (Illustrator)`.
 */
export function splitAuthors(author: string): Name[] {
  return author.split(/[;\r\n]|\s\/\s/).flatMap((part) => {
    const text = oneLine(part).replace(andOthers, '');
    return isAsWritten(text) ? splitOrganisations(text) : splitAtAnd(text).flatMap(splitAtCommas);
  });
}

const andOthers = /,?\s(?:et al\.?|et alii|and others|u\.\s?a\.|и др\.)$/iu;
/** Words between two names. Some are parts of names, too: `Ortega y Gasset`. */
const conjunction = /,?\s(&|and|und|et|och|og|en|ja|y|e|i|и|і)\s/iu;

/** The names of organisations have `and`, and commas before the names of places. */
function splitOrganisations(text: string): Name[] {
  const parts = commaParts(text);
  const areNames = parts.every((part) => part.includes(' '));
  return (areNames ? parts : [text]).filter((part) => part !== '').map(splitName);
}

function splitAtAnd(text: string): string[] {
  // The words that separate are at odd places.
  const pieces = text.split(conjunction);
  const names: string[] = [];
  for (let at = 0; at < pieces.length; at += 2) {
    const [before = '', word = '', piece = ''] = pieces.slice(Math.max(0, at - 2), at + 1);
    if (at === 0) names.push(before);
    else if (areTwo(before, piece)) names.push(piece);
    else names.push(`${names.pop() ?? ''} ${word} ${piece}`);
  }
  return names;
}

/** Whether the texts at both sides of a word are names with first names. `Ek & Lee` may be a company. */
function areTwo(before: string, after: string): boolean {
  const names = [commaParts(before).at(-1), commaParts(after)[0]];
  return (before.includes(', ') && after.includes(', ')) || names.every((name) => name?.includes(' '));
}

/** A name that is none of a person: `Smith and Sons`. */
const isJoint = /\s(?:&|and|und|et)\s/iu;

/** `1775-1817`, `ca. 1775-`, `b. 1950`, `*1950`; and what somebody did: `ed.`, `(Illustrator)`. */
const lifeDates =
  /^(?:ca?\.\s?|b\.\s?|d\.\s?|born\s|fl\.\s?|geb\.\s?|\*\s?)?\d{3,4}\??(?:\s?[-–]\s?(?:ca?\.\s?)?(?:\d{3,4}\??)?)?(?:\sB\.?C\.?)?\.?$/iu;
const role =
  /^(?:eds?\.?|editors?|hrsg\.?|herausgeber(?:in)?|illustrators?|illus?\.?|ill\.|illustrateur|translators?|trans\.?|transl\.|tr\.|übers(?:\.|etzer(?:in)?)|author|autor(?:in)?|auteur|photographer|narrator|foreword|contributor|compiler|comp\.|red\.|dir\.|coord\.)$/iu;
const inBrackets = /\s?[([]([^()[\]]{1,60})[)\]]$/u;

const isNoName = (text: string) => text === '' || lifeDates.test(text) || role.test(text);

function commaParts(text: string): string[] {
  return text
    .split(/,\s|،\s?/)
    .map((part) => {
      const name = part.trim().replace(/,$/, '');
      const [all = '', note = ''] = inBrackets.exec(name) ?? [];
      return note !== '' && isNoName(note) ? name.slice(0, -all.length) : name;
    })
    .filter((part) => part !== '');
}

function splitAtCommas(text: string): Name[] {
  const parts: string[] = [];
  const suffixes = new Map<number, string>();
  for (const part of commaParts(text))
    if (suffix.test(part) && parts.length > 0) suffixes.set(parts.length - 1, part);
    else if (!isNoName(part)) parts.push(part);
  const [family = '', given = ''] = parts;
  if (parts.length === 2 && !suffixes.has(0) && isInverted(family, given))
    return [withSuffix({ family, given }, suffixes.get(1))];
  if (
    parts.length > 2 &&
    parts.length % 2 === 0 &&
    parts.every((part, i) => i % 2 === 0 || initials.test(part))
  )
    return parts.flatMap((each, i) => (i % 2 === 0 ? [{ family: each, given: parts[i + 1] ?? '' }] : []));
  return parts.map((part, i) => withSuffix(splitName(part), suffixes.get(i)));
}

const suffix = /^(?:Jr\.?|Sr\.?|II|III|IV)$/;
const initials = /^(?:\p{Lu}\.[ -]?)+$/u;

/** Whether the first of two texts is a family name. Two texts of several words are two names, but for `Le Guin, Ursula K.`. */
function isInverted(family: string, given: string): boolean {
  return !(family.includes(' ') && given.includes(' ')) || isFamilyFirst(family, given);
}

function withSuffix(name: Name, text: string | undefined): Name {
  if (text === undefined) return name;
  return 'literal' in name ? { literal: `${name.literal} ${text}` } : { ...name, suffix: text };
}

/** Splits a name in natural order. */
function splitName(name: string): Name {
  if (isAsWritten(name) || isJoint.test(name)) return { literal: name };
  const words = name.split(' ');
  const last = words.length > 2 && suffix.test(words.at(-1) ?? '') ? words.pop() : undefined;
  const at = citedFamilyAt(words);
  if (at === 0) return { literal: name };
  const [given, family] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
  return { family, given, ...(last !== undefined && { suffix: last }) };
}
