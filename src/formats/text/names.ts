import { oneLine } from './title.ts';

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
