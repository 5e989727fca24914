// A year that is far ahead is often a typing error. The user can be asked about it, once for a file.
import { yearField } from '../catalogue/fields.ts';
import { shown } from './read-fields.ts';
import type { BookRow } from './row.ts';

/**
 * Asks about the first year that is far ahead. If it is wrong, leaves out all such years: the books get no year, and a note. If they
 * need a year, the rows are rejected. A row that stands for a book of the catalogue keeps its year.
 *
 * @param ask Asks whether such years are right. An error that it throws ends the reading.
 */
export async function* withoutFarYears(
  rows: AsyncIterable<BookRow>,
  {
    ask,
    needsYear = false,
  }: { ask: (row: BookRow, year: number) => Promise<boolean>; needsYear?: boolean | undefined },
): AsyncGenerator<BookRow> {
  let areRight: boolean | undefined;
  for await (const row of rows) {
    const far = 'fields' in row && row.key === undefined && row.notes?.find(({ code }) => code === 'farYear');
    if (!far || (areRight ??= await ask(row, row.fields[yearField]))) {
      yield row;
      continue;
    }
    const { line, unit, original, fields, notes } = row;
    const year = shown(fields[yearField]);
    if (needsYear)
      yield { line, unit, original, problem: { code: 'notUnderstood', field: yearField, shown: year } };
    else
      yield {
        ...row,
        fields: { ...fields, [yearField]: 0 },
        notes: (notes ?? []).map((note) => (note === far ? { code: 'yearLeftOut', shown: year } : note)),
      };
  }
}
