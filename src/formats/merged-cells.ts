// Merged cells of a sheet: Excel keeps the value in the first row, and people see it beside all of them.
import { maxColumns, maxRows } from './sheets.ts';

/** Merged cells after as many do not repeat their values. */
const maxRanges = maxRows;
const maxRow = 2 ** 21;

/** A cell without a value of its own, below the one that it is merged with. */
export interface MergedCell {
  readonly at: number;
  /** The row of the one that has the value, and what that has. */
  readonly from: number;
  readonly text: string;
  readonly shown: string | undefined;
  readonly hasFailed: boolean;
}

interface Row {
  readonly number: number;
  readonly cells: readonly (string | undefined)[];
  readonly shown: readonly (string | undefined)[];
  readonly failed: readonly number[];
}

/** The merged cells of a sheet that span rows, while it is read from its first row to its last. Each is added before its first row is taken. */
export class MergedCells {
  /** Each range in one number, because there may be many: its first row, its column, and its last row. */
  readonly #ranges: number[] = [];
  #isSorted = true;
  #next = 0;
  /** The ranges that the current row is in, by their columns. */
  readonly #open = new Map<number, MergedCell & { last: number }>();

  /** Adds a range. Its other columns stay empty. */
  add(column: number, first: number, last: number): void {
    const isUsed = first < last && last < maxRow && column >= 0 && column < maxColumns;
    if (!isUsed || this.#ranges.length >= maxRanges) return;
    const range = (first * maxColumns + column) * maxRow + last;
    this.#isSorted &&= range >= (this.#ranges.at(-1) ?? 0);
    this.#ranges.push(range);
  }

  /** Takes the next row; returns its cells that repeat a value. */
  take({ number, cells, shown, failed }: Row): MergedCell[] {
    if (!this.#isSorted) this.#ranges.sort((a, b) => a - b);
    this.#isSorted = true;
    for (; this.#next < this.#ranges.length; this.#next++) {
      const range = this.#ranges[this.#next] ?? 0;
      const start = Math.floor(range / maxRow);
      const from = Math.floor(start / maxColumns);
      if (from > number) break;
      const at = start % maxColumns;
      const text = cells[at];
      if (from < number || text === undefined) continue;
      const hasFailed = failed.includes(at);
      this.#open.set(at, { at, from, last: range % maxRow, text, shown: shown[at], hasFailed });
    }
    const repeated: MergedCell[] = [];
    for (const cell of this.#open.values())
      if (cell.last < number) this.#open.delete(cell.at);
      else if (cell.from < number && (cells[cell.at] ?? '').trim() === '') repeated.push(cell);
    return repeated;
  }
}
