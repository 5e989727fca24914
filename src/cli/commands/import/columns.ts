import { ShelflistError } from '../../../catalogue/errors.ts';
import { fieldNames, nameField } from '../../../catalogue/fields.ts';
import { foldText } from '../../../catalogue/fold.ts';
import { keyColumns, type Chosen } from '../../../import/columns.ts';
import type { Start } from '../../../import/row.ts';

/**
 * Checks that a file has the chosen and the required columns.
 *
 * @param isMatched Whether rows stand for books of the catalogue: then the id is required, and no other column.
 * @throws {ShelflistError} `usage`: it lacks one.
 */
export function requireColumns(start: Start, chosen: Chosen, isMatched: boolean): void {
  const { mapping, header, members } = start;
  const names = header ?? members;
  if (names === undefined) return; // The format has no columns.
  const missing = fieldNames.find((name) => chosen[name] !== undefined && mapping[name] === undefined);
  if (missing) throw noColumn(`column "${chosen[missing] ?? ''}" not found`, start);
  if (isMatched && !names.map(foldText).includes(keyColumns[0]))
    throw noColumn(`no column is named "${keyColumns[0]}"; \`export --with-ids\` writes it`, start);
  if (!isMatched && mapping[nameField] === undefined)
    throw noColumn(`no column looks like the ${nameField}; name it with --map ${nameField}=COLUMN`, start);
}

function noColumn(problem: string, { header, members = [] }: Start): ShelflistError {
  const names = header ?? members;
  const must = header === undefined ? 'The first object' : 'The first line must name the columns; it';
  // Another encoding that was taken for Windows-1252 turns letters into these.
  const isDoubtful = names.some((name) => /[\u0080-\u00ff]/.test(name));
  const hint = isDoubtful ? '. If they look garbled, name the encoding of the file with --encoding' : '';
  return new ShelflistError('usage', { message: `${problem}. ${must} has: ${listColumns(names)}${hint}` });
}

const maxListedColumns = 30;

export function listColumns(names: readonly string[]): string {
  const more = names.length - maxListedColumns;
  const listed = names.slice(0, maxListedColumns).map((name) => JSON.stringify(name.slice(0, 80)));
  return listed.join(', ') + (more > 0 ? `, and ${more} more` : '');
}
