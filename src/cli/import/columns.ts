import { ShelflistError } from '../../errors.ts';
import type { BookFields } from '../../book.ts';

export type Field = keyof BookFields;

/** Which column of a file holds which field, by position. */
export type Mapping = Partial<Record<Field, number>>;

/** The headers that a field is known by, the best first, folded as `fold` folds them. */
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
    'date',
  ],
};

export const fields = Object.keys(knownHeaders) as Field[];

/**
 * Finds the columns by their headers; `chosen` (field -> header) comes first.
 *
 * @throws {ShelflistError} `usage`: a chosen column is not there, or none is known as the title.
 */
export function mapColumns(header: readonly string[], chosen: Partial<Record<Field, string>>): Mapping {
  const folded = header.map(fold);
  const mapping: Mapping = {};
  for (const field of fields) {
    const wanted = chosen[field];
    const candidates = wanted === undefined ? knownHeaders[field] : [fold(wanted)];
    const found = candidates.find((candidate) => folded.includes(candidate));
    if (found !== undefined) mapping[field] = folded.indexOf(found);
    else if (wanted !== undefined) throw noColumn(`there is no column "${wanted}"`, header);
  }
  if (mapping.title !== undefined) return mapping;
  throw noColumn('no column looks like the title; name it with --map title=COLUMN', header);
}

function noColumn(problem: string, header: readonly string[]): ShelflistError {
  const columns = header.map((name) => JSON.stringify(name)).join(', ');
  return new ShelflistError('usage', { message: `${problem}. The first line has: ${columns}` });
}

function fold(header: string): string {
  return header
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
