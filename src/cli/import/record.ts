import type { BookFields } from '../../book.ts';

/** The book of a row, or why it is none. */
export type Parsed = { fields: BookFields } | { reason: string };

/** What a file holds of a book, before it is checked. */
export interface RawFields {
  title: unknown;
  author: unknown;
  year: unknown;
}

/**
 * Reads what a file holds. Text stays as it is. A year may stand as spreadsheets and catalogues write it: `2008`,
 * `2008.0`, `-1750.0`, `1813-01-28T00:00:00+00:00`; an empty one is 0.
 *
 * @param mayLackTitle Where an empty title is a title.
 */
export function parseRecord({ title, author, year }: RawFields, mayLackTitle: boolean): Parsed {
  if (title === undefined || title === null) return { reason: 'it has no title' };
  if (typeof title !== 'string') return { reason: `its title is no text: ${shown(title)}` };
  if (title.trim() === '' && !mayLackTitle) return { reason: 'it has no title' };
  const names = parseAuthor(author);
  if (names === undefined) return { reason: `its author is no text: ${shown(author)}` };
  const number = parseYear(year);
  if (number === undefined) return { reason: `its year is not a whole number: ${shown(year)}` };
  return { fields: { title, author: names, year: number } };
}

/** A value for a message, however long or deep it is. */
function shown(value: unknown): string {
  if (typeof value === 'object') return Array.isArray(value) ? 'a list' : 'an object';
  const text = JSON.stringify(typeof value === 'string' ? value.slice(0, 80) : value);
  return typeof value === 'string' && value.length > 80 ? `${text}…` : text;
}

function parseAuthor(author: unknown): string | undefined {
  if (author === undefined || author === null) return '';
  if (Array.isArray(author) && author.every((name) => typeof name === 'string')) return author.join(', ');
  return typeof author === 'string' ? author : undefined;
}

/** How the day begins that calibre writes where it knows none. */
const calibreUnknownDate = '0101-01-01T';

function parseYear(value: unknown): number | undefined {
  if (value === undefined || value === null) return 0;
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text !== 'string') return undefined;
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.startsWith(calibreUnknownDate)) return 0;
  const [, year] =
    /^([+-]?[0-9]+)(?:\.0*)?$/.exec(trimmed) ??
    /^([0-9]{4})-(?:0[1-9]|1[0-2])(?:-[0-3][0-9](?:[T ].*)?)?$/.exec(trimmed) ??
    [];
  const number = Number(year);
  return Number.isSafeInteger(number) ? number + 0 : undefined;
}
