import { ShelflistError } from '../../errors.ts';
import type { BookFields } from '../../book.ts';

export type Field = keyof BookFields;

/** The columns that a user named, by field. */
export type Chosen = Partial<Record<Field, string>>;

/** A column: its name, and its place among the others. */
export interface Place {
  name: string;
  at: number;
  /** Where to look if nothing stands there. */
  instead?: number;
}

/** Which column of a file holds which field. */
export type Mapping = Partial<Record<Field, Place>>;

/**
 * The headers that a field is known by, the best first, folded as `fold` folds them: those of spreadsheets, and
 * of the exports of Goodreads (Title, Author, Original Publication Year), LibraryThing (Title, Primary Author,
 * Date), calibre (title, authors, pubdate) and goodbooks (title, authors, original_publication_year).
 */
const knownHeaders: Record<Field, readonly string[]> = {
  title: ['title', 'book title', 'original title', 'name', 'titel', 'titre', 'titulo', 'titolo'],
  author: [
    'author',
    'authors',
    'book author',
    'primary author',
    'author name',
    'author s',
    'writer',
    'creator',
    'autor',
    'verfasser',
    'auteur',
    'autore',
  ],
  year: [
    'year',
    'original publication year',
    'publication year',
    'year published',
    'published',
    'year of publication',
    'original year',
    'pubdate',
    'pub date',
    'publication date',
    'date',
    'jahr',
    'erscheinungsjahr',
    'annee',
    'ano',
    'anno',
  ],
};

/** Goodreads leaves the first of these empty where it does not know it, and the second says when this edition came. */
const editionYears = ['original publication year', 'year published'] as const;

/** The names of the fields. */
export const fields = Object.keys(knownHeaders) as Field[];

/** Finds the columns by their headers, as far as they are there; those that were chosen come first. */
export function findColumns(header: readonly string[], chosen: Chosen): Mapping {
  const folded = header.map(fold);
  const mapping: Mapping = {};
  for (const field of fields) {
    const wanted = chosen[field];
    const at = wanted === undefined ? findKnown(folded, field) : findChosen(header, folded, wanted);
    if (at >= 0) mapping[field] = { name: header[at] ?? '', at };
  }
  const instead = folded.indexOf(editionYears[1]);
  if (mapping.year && folded[mapping.year.at] === editionYears[0] && instead >= 0)
    mapping.year = { ...mapping.year, instead };
  return mapping;
}

function findKnown(folded: readonly string[], field: Field): number {
  const found = knownHeaders[field].find((name) => folded.includes(name));
  return found === undefined ? -1 : folded.indexOf(found);
}

/** To the letter, else but for case and punctuation. */
function findChosen(header: readonly string[], folded: readonly string[], wanted: string): number {
  if (header.includes(wanted)) return header.indexOf(wanted);
  return fold(wanted) === '' ? -1 : folded.indexOf(fold(wanted));
}

/**
 * The same, where nothing else is to come.
 *
 * @param first What names them: the first line of CSV, or the first object.
 * @throws {ShelflistError} `usage`: a chosen column is not there, or none is known as the title.
 */
export function mapColumns(
  header: readonly string[],
  chosen: Chosen,
  first: 'line' | 'object' = 'line',
): Mapping {
  const mapping = findColumns(header, chosen);
  const lacking = fields.find((field) => chosen[field] !== undefined && mapping[field] === undefined);
  if (lacking) throw noColumn(`there is no column "${chosen[lacking] ?? ''}"`, header, first);
  if (mapping.title !== undefined) return mapping;
  throw noColumn('no column looks like the title; name it with --map title=COLUMN', header, first);
}

function noColumn(problem: string, header: readonly string[], first: 'line' | 'object'): ShelflistError {
  const must = first === 'line' ? 'The first line must name the columns; it' : 'The first object';
  const message = `${problem}. ${must} has: ${listColumns(header)}`;
  return new ShelflistError('usage', { message });
}

/** Columns that are listed by name. */
const listedColumns = 30;

/** The names of columns, for a message. */
export function listColumns(names: readonly string[]): string {
  const more = names.length - listedColumns;
  const listed = names.slice(0, listedColumns).map((name) => JSON.stringify(name.slice(0, 80)));
  return listed.join(', ') + (more > 0 ? `, and ${more} more` : '');
}

function fold(header: string): string {
  return header
    .replace(/\p{M}/gu, '') // Before NFKD, which sorts a run of marks in quadratic time.
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
