import type { MergedCell } from './merged-cells.ts';

/** Of Excel and LibreOffice. */
export const maxRows = 1_048_576;
/** No table of books has more. Cells in those after them would make each row long. */
export const maxColumns = 256;

/** The visible sheets of a workbook. */
export interface Sheets {
  /** The names of those with a value. @throws {FileError} The workbook is damaged. */
  filled(): Promise<string[]>;
  /** The rows of one with at least one value. @throws {FileError} The workbook is damaged. */
  rows(sheet: string): AsyncGenerator<SheetRow>;
}

/** A row with at least one value. */
export interface SheetRow {
  /** Counted from 1, as programs show it. */
  readonly number: number;
  /** The values as texts; `undefined` where there is no cell. */
  readonly cells: readonly (string | undefined)[];
  /** What the cells show, where that is known to differ from their values. */
  readonly shown: readonly (string | undefined)[];
  /** The places of the cells without a value: an error such as `#REF!`, a formula that no program has computed, or damage. */
  readonly failed: readonly number[];
  /** The cells without a value that are merged with one above. */
  readonly merged: readonly MergedCell[];
}
