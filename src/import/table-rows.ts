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

/** Where the fields are in a table without a header, unless they are chosen. */
const firstColumns = Object.fromEntries(fieldNames.map((name, at) => [name, at]));

/**
 * Finds the columns in the header, and returns the reader of the other rows.
 *
 * @param first The cells of the first row.
 */
export function createTableReader(
  first: readonly string[],
  unit: Unit,
  { chosen: given = {}, isMatched = false, isHeadless = false, needsYear, onStart }: ReadOptions,
  more: Pick<Start, 'sheet' | 'sheets'> = {},
) {
  const header = isHeadless ? first.map((_, i) => String(i + 1)) : first;
  const mapping = findColumns(header, isHeadless ? { ...firstColumns, ...given } : given);
  const [id = -1, revision = -1] = keyColumns.map((name) => header.map(foldText).indexOf(name));
  const isExport = header.join('\n') === exportColumns(id === 0, revision !== -1).join('\n');
  const present = fieldNames.filter((name) => mapping[name] !== undefined);
  onStart({ mapping, header, looksHeadless: looksHeadless(first), ...more });
  return ({ line, cells, problemOf, isTitleMeant }: TableRow): BookRow => {
    const row = { line, unit, original: cells };
    if (cells.slice(header.length).some((cell) => cell !== ''))
      return { ...row, problem: { code: 'cells', cells: cells.length, columns: header.length } };
    const placeOf = (name: FieldName) => {
      const { at = -1, instead = -1 } = mapping[name] ?? {};
      return cells[at] ? at : instead;
    };
    for (const name of present) {
      const problem = problemOf(name, placeOf(name));
      if (problem !== undefined) return { ...row, problem };
    }
    const read = isEscaped(cells[revision]) ? unescapeCell : (text: string) => text;
    const cell = (name: FieldName) => cellOf(read(cells[placeOf(name)] ?? ''), mapping[name]);
    const key = isMatched ? { id: cells[id], revision: cells[revision], given: present } : undefined;
    const mayLackTitle = hasId(key) || (isExport && isTitleMeant(id === 0 ? 1 : 0));
    return { ...row, ...(key && { key }), ...readFields(cell, mayLackTitle, mustHaveYear(needsYear, key)) };
  };
}

function looksHeadless(cells: readonly string[]): boolean {
  const isKnown = cells.some((cell) => keyColumns.some((name) => name === foldText(cell)));
  if (isKnown || Object.keys(findColumns(cells, {})).length > 0) return false;
  return cells.some((cell) => /^\s*-?\d{1,4}(\.0)?\s*$/.test(cell));
}
