import type { FieldName } from '../../catalogue/fields.ts';
import { createSignal } from './signal.ts';

/** A cell of the table, counted from 0. Row -1 is the header. */
export interface Cell {
  readonly row: number;
  readonly column: number;
}

/** The cells between two corners, both included. */
export interface Range {
  readonly from: Cell;
  readonly to: Cell;
}

/** The cells between two corners, as far as they are in columns of fields. @param first The column of the first field. */
export function rangeOf(a: Cell, b: Cell, first: number, last: number): Range {
  const inFields = (column: number) => Math.max(first, Math.min(column, last));
  const [left, right] = [Math.min(a.column, b.column), Math.max(a.column, b.column)].map(inFields);
  return {
    from: { row: Math.min(a.row, b.row), column: left ?? first },
    to: { row: Math.max(a.row, b.row), column: right ?? last },
  };
}

export function sizeOf({ from, to }: Range): { rows: number; columns: number } {
  return { rows: to.row - from.row + 1, columns: to.column - from.column + 1 };
}

/**
 * The cell to which a key leads that ends the editing of a row; `undefined`: the key does not end it.
 *
 * @param isBack Whether Shift is held.
 * @param first The column of the first field.
 */
export function cellAfter(
  key: string,
  isBack: boolean,
  { row, column }: Cell,
  first: number,
  last: number,
): Cell | undefined {
  const next = row + (isBack ? -1 : 1);
  if (key === 'Enter') return { row: next, column };
  const isEnd = column === (isBack ? first : last);
  return key === 'Tab' && isEnd ? { row: next, column: isBack ? last : first } : undefined;
}

/** The selected cells of the table. */
export interface Selected {
  readonly range: Range;
  /** The fields of the columns from the first selected one on. */
  readonly names: readonly FieldName[];
}

/** The selected cells; `undefined`: there is no table that this user can change. */
export const selectedCells = createSignal<Selected | undefined>(undefined);

/** A change of the selected cells. */
export interface Pasting extends Selected {
  /** The cells as a spreadsheet program writes them; `undefined`: the row above, or the first one of several. */
  readonly text: string | undefined;
}

/** The current paste. */
export const pasting = createSignal<Pasting | undefined>(undefined);

/** Begins to paste into the selected cells, unless another paste has not ended. */
export function paste(text: string | undefined): void {
  const selected = selectedCells.value;
  if (selected !== undefined && pasting.value === undefined) pasting.set({ ...selected, text });
}
