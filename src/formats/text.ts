import { parseLibraryYear } from './year.ts';

/** The name of a person in its parts, or a name that has none: `Homer`, `Free Software Foundation`. */
export type Name = { family: string; given?: string; suffix?: string } | { literal: string };

/** Joins authors in natural order, as an import joins a list of authors. */
export function joinAuthors(names: readonly string[]): string {
  return names
    .map(oneLine)
    .filter((name) => name !== '')
    .join(', ');
}

/** Turns `Hunt, Andrew` and `King, Martin Luther, Jr.` into natural order. Other names stay as they are. */
export function toNatural(inverted: string): string {
  const [family = '', given = '', ...suffixes] = inverted.split(',');
  return oneLine([given, family, ...suffixes].join(' '));
}

/** Words before a family name that belong to it. */
const particles = new Set(
  'af al av da das de del della den der des di do dos du el ibn la le lo ten ter van von zu zum zur'.split(
    ' ',
  ),
);
const suffixPattern = /^(?:Jr\.?|Sr\.?|II|III|IV)$/;

/**
 * Splits the author of a book into names. One comma with a single word before or after it is that of an inverted name
 * (`Austen, Jane`); other commas separate authors.
 */
export function splitAuthors(author: string): Name[] {
  const parts = author
    .split(', ')
    .map(oneLine)
    .filter((part) => part !== '');
  const [family = '', given = ''] = parts;
  if (parts.length === 2 && !(family.includes(' ') && given.includes(' '))) return [{ family, given }];
  return parts.map(splitName);
}

function splitName(name: string): Name {
  const words = name.split(' ');
  const last = words.at(-1) ?? '';
  const suffix = words.length > 2 && suffixPattern.test(last) ? words.pop() : undefined;
  if (words.length < 2) return { literal: name };
  const particle = words.findIndex((word, i) => i > 0 && i < words.length - 1 && particles.has(word));
  const at = particle > 0 ? particle : words.length - 1;
  const [given, family] = [words.slice(0, at).join(' '), words.slice(at).join(' ')];
  return { family, given, ...(suffix !== undefined && { suffix }) };
}

/** A name as catalogues file it: `King, Martin Luther, Jr.` */
export function toInverted(name: Name): string {
  if ('literal' in name) return name.literal;
  return [name.family, name.given, name.suffix]
    .filter((part) => part !== undefined && part !== '')
    .join(', ');
}

/** Joins a title and its subtitle: `Emma: a novel`; a title that ends with a mark of its own needs no colon. */
export function joinTitle(title: string, subtitle: string): string {
  if (title === '' || subtitle === '') return title + subtitle;
  return /[?!.:;,…]$/.test(title) ? `${title} ${subtitle}` : `${title}: ${subtitle}`;
}

/** Joins a title and its subtitles. Its time is linear, unlike that of joining one after the other. */
export function joinTitles(parts: readonly string[]): string {
  const joined: string[] = [];
  for (const part of parts) {
    if (part === '') continue;
    const last = joined.at(-1);
    if (last !== undefined) joined.push(joinTitle(last.slice(-1), part).slice(1));
    else joined.push(part);
  }
  return joined.join('');
}

/** Replaces each run of white space by a space, and trims. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** The year of a date in a record; 0 if it has none, since a date of such a record is free text. */
export function yearOf(date: string): number {
  const whole = /^\s*([+-]?[0-9]{1,16})\s*$/.exec(date)?.[1];
  const year = whole === undefined ? parseLibraryYear(date) : Number(whole);
  return year !== undefined && Number.isSafeInteger(year) ? year + 0 : 0;
}
