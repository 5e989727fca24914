import type { SuggestedField } from '../../../catalogue/fields.ts';
import { commonSpelling, maxSpellings } from '../../../catalogue/suggestion.ts';
import { toText } from '../connection.ts';
import { sortColumn } from '../schema.ts';
import type { Statements } from '../statements.ts';

/** The usual spelling of the texts with a key. */
export function spellingOf(statements: Statements, name: SuggestedField, key: string): string {
  const rows = statements.rows(
    `SELECT ${name} FROM books INDEXED BY books_by_${name} WHERE ${sortColumn(name)} = ? ORDER BY id LIMIT ?`,
    key,
    maxSpellings,
  );
  return commonSpelling(rows.map(([value = null]) => toText(value)));
}
