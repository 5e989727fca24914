import { ShelflistError } from '../../../catalogue/errors.ts';
import { fieldNames } from '../../../catalogue/fields.ts';
import { revisionColumn } from '../../../catalogue/import/spreadsheet-text.ts';
import { foldText } from '../../../catalogue/fold.ts';
import { findColumns, requiredField, type Chosen, type Mapping } from '../../../catalogue/import/columns.ts';

/** The columns that say which book a row stands for. */
export const keyColumns = ['id', revisionColumn] as const;

export interface ColumnOptions {
  first?: 'line' | 'object';
  /** Whether rows stand for books of the catalogue: then the id is required, and no other column. */
  isMatched?: boolean | undefined;
}

/**
 * Finds the columns of a file by its first line, or first object.
 *
 * @throws {ShelflistError} `usage`: a chosen or required column is missing.
 */
export function mapColumns(
  header: readonly string[],
  chosen: Chosen,
  { first = 'line', isMatched = false }: ColumnOptions = {},
): Mapping {
  const mapping = findColumns(header, chosen);
  const missing = fieldNames.find((name) => chosen[name] !== undefined && mapping[name] === undefined);
  if (missing) throw noColumn(`column "${chosen[missing] ?? ''}" not found`, header, first);
  if (isMatched && !header.map(foldText).includes(keyColumns[0])) {
    const problem = `no column is named "${keyColumns[0]}"; \`export --with-ids\` writes it`;
    throw noColumn(problem, header, first);
  }
  if (isMatched || mapping[requiredField] !== undefined) return mapping;
  const problem = `no column looks like the ${requiredField}; name it with --map ${requiredField}=COLUMN`;
  throw noColumn(problem, header, first);
}

function noColumn(problem: string, header: readonly string[], first: 'line' | 'object'): ShelflistError {
  const must = first === 'line' ? 'The first line must name the columns; it' : 'The first object';
  // Another encoding that was taken for Windows-1252 turns letters into these.
  const isDoubtful = header.some((name) => /[\u0080-\u00ff]/.test(name));
  const hint = isDoubtful ? '. If they look garbled, name the encoding of the file with --encoding' : '';
  const message = `${problem}. ${must} has: ${listColumns(header)}${hint}`;
  return new ShelflistError('usage', { message });
}

const maxListedColumns = 30;

/** The names of columns, for a message. */
export function listColumns(names: readonly string[]): string {
  const more = names.length - maxListedColumns;
  const listed = names.slice(0, maxListedColumns).map((name) => JSON.stringify(name.slice(0, 80)));
  return listed.join(', ') + (more > 0 ? `, and ${more} more` : '');
}
