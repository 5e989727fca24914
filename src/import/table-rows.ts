// The cells of a table to rows: what CSV and the sheets of Excel share.
import { fieldNames, type FieldName } from '../catalogue/fields.ts';
import { foldText } from '../catalogue/fold.ts';
import { exportColumns, isEscaped, unescapeCell } from '../formats/csv.ts';
import type { RowProblem, Unit } from '../formats/problems.ts';
import { cellOf, findColumns, keyColumns } from './columns.ts';
import { hasId, mustHaveYear } from './match.ts';
import { readFields } from './read-fields.ts';
import type { BookRow, ReadOptions, Start } from './row.ts';

/** A row of a table after its header. */
interface TableRow {
  readonly line: number;
  readonly cells: readonly string[];
  /** Why the cell at a place has no value of a field, if so. Cells that no field comes from do no harm. */
  readonly problemOf: (field: FieldName, at: number) => RowProblem | undefined;
  /** Whether a blank title at a place is meant, as in an export. */
  readonly isTitleMeant: (at: number) => boolean;
}

/** Finds the columns in the header, and returns the reader of the other rows. */
export function createTableReader(
  header: readonly string[],
  unit: Unit,
  { chosen = {}, isMatched = false, needsYear, onStart }: ReadOptions,
  more: Pick<Start, 'sheet' | 'sheets'> = {},
) {
  const mapping = findColumns(header, chosen);
  const [id = -1, revision = -1] = keyColumns.map((name) => header.map(foldText).indexOf(name));
  const isExport = header.join('\n') === exportColumns(id === 0, revision !== -1).join('\n');
  const given = fieldNames.filter((name) => mapping[name] !== undefined);
  onStart({ mapping, header, ...more });
  return ({ line, cells, problemOf, isTitleMeant }: TableRow): BookRow => {
    const row = { line, unit, original: cells };
    if (cells.slice(header.length).some((cell) => cell !== ''))
      return { ...row, problem: { code: 'cells', cells: cells.length, columns: header.length } };
    const placeOf = (name: FieldName) => {
      const { at = -1, instead = -1 } = mapping[name] ?? {};
      return cells[at] ? at : instead;
    };
    for (const name of given) {
      const problem = problemOf(name, placeOf(name));
      if (problem !== undefined) return { ...row, problem };
    }
    const read = isEscaped(cells[revision]) ? unescapeCell : (text: string) => text;
    const cell = (name: FieldName) => cellOf(read(cells[placeOf(name)] ?? ''), mapping[name]);
    const key = isMatched ? { id: cells[id], revision: cells[revision], given } : undefined;
    const mayLackTitle = hasId(key) || (isExport && isTitleMeant(id === 0 ? 1 : 0));
    return { ...row, ...(key && { key }), ...readFields(cell, mayLackTitle, mustHaveYear(needsYear, key)) };
  };
}
