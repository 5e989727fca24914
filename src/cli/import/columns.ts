import { ShelflistError } from '../../errors.ts';
import type { BookFields } from '../../book.ts';

export type Field = keyof BookFields;

/** The columns that a user named, by field. */
export type Chosen = Partial<Record<Field, string>>;

/** Which column of a file holds which field: its name, and its place among the others. */
export type Mapping = Partial<Record<Field, { name: string; at: number }>>;

/**
 * The headers that a field is known by, the best first, folded as `fold` folds them: those of spreadsheets, and
 * of the exports of Goodreads (Title, Author, Original Publication Year), LibraryThing (Title, Primary Author,
 * Date), calibre (title, authors, pubdate) and goodbooks (title, authors, original_publication_year).
 */
const knownHeaders: Record<Field, readonly string[]> = {
  title: ['title', 'book title', 'original title', 'name'],
  author: ['author', 'authors', 'book author', 'primary author', 'author s', 'writer', 'creator'],
  year: [
    'year',
    'original publication year',
    'publication year',
    'year published',
    'published',
    'year of publication',
    'original year',
    'pubdate',
    'publication date',
    'date',
  ],
};

export const fields = Object.keys(knownHeaders) as Field[];

/** Finds the columns by their headers, as far as they are there; those that were chosen come first. */
export function findColumns(header: readonly string[], chosen: Chosen): Mapping {
  const folded = header.map(fold);
  const mapping: Mapping = {};
  for (const field of fields) {
    const wanted = chosen[field];
    const candidates = wanted === undefined ? knownHeaders[field] : [fold(wanted)];
    const found = candidates.find((candidate) => folded.includes(candidate));
    const at = found === undefined ? -1 : folded.indexOf(found);
    if (at >= 0) mapping[field] = { name: header[at] ?? '', at };
  }
  return mapping;
}

/** The same. @throws {ShelflistError} `usage`: a chosen column is not there, or none is known as the title. */
export function mapColumns(header: readonly string[], chosen: Chosen): Mapping {
  const mapping = findColumns(header, chosen);
  const lacking = fields.find((field) => chosen[field] !== undefined && mapping[field] === undefined);
  if (lacking) throw noColumn(`there is no column "${chosen[lacking] ?? ''}"`, header);
  if (mapping.title !== undefined) return mapping;
  throw noColumn('no column looks like the title; name it with --map title=COLUMN', header);
}

function noColumn(problem: string, header: readonly string[]): ShelflistError {
  const columns = header.map((name) => JSON.stringify(name)).join(', ');
  return new ShelflistError('usage', { message: `${problem}. The columns are: ${columns}` });
}

function fold(header: string): string {
  return header
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
