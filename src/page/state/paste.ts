import type { Book, BookPatch } from '../../catalogue/book.ts';
import { type FieldName, fields, nameField } from '../../catalogue/fields.ts';
import { escapeCell, unescapeCell } from '../../formats/csv.ts';
import { parseLibraryYear } from '../../formats/year.ts';

/** Cells as the text that spreadsheet programs copy and paste: tabs between them, and quotes where one is needed. */
export function formatCells(rows: readonly (readonly string[])[]): string {
  const format = (cell: string) => {
    const text = escapeCell(cell);
    return /[\t\r\n]|^"/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(format).join('\t')).join('\n');
}

/**
 * Splits the text that a spreadsheet program has copied into rows of cells. A cell that begins with a quotation mark may contain
 * tabs and line ends; another one is its text. An empty line is a row with an empty cell.
 */
export function parseCells(text: string): string[][] {
  const rows: string[][] = [[]];
  const cell = /(?:"((?:[^"]|"")*)"(?=[\t\r\n]|$)|([^\t\r\n]*))(\t|\r\n|\r|\n|$)/y;
  while (cell.lastIndex < text.length || rows.at(-1)?.length === 0) {
    const [, quoted, bare = '', end] = cell.exec(text) ?? [];
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare);
    if (end === '\t') {
      if (cell.lastIndex === text.length) rows.at(-1)?.push('');
    } else if (cell.lastIndex < text.length) rows.push([]);
    else break; // Spreadsheets end the last row, too.
  }
  return rows;
}

/** The effects of a paste. */
export interface PastePlan {
  readonly changes: readonly (readonly [Book, BookPatch])[];
  /** The number of cells that change. */
  readonly cells: number;
  /** The number of cells beyond the last column or book. */
  readonly outside: number;
  /** The number of blank cells for a title, which stays. */
  readonly untitled: number;
  /** The texts that are not a year. */
  readonly wrong: readonly string[];
}

/**
 * Plans a paste. One cell, or a block that fits several times, fills the selected range; another block begins at its first cell.
 *
 * @param names The fields of the columns from the first cell on.
 * @param books The books of the rows from the first cell on, as far as the list has them.
 * @param size That of the selected range.
 */
export function planPaste(
  cells: readonly (readonly string[])[],
  names: readonly FieldName[],
  books: readonly Book[],
  size: { readonly rows: number; readonly columns: number },
): PastePlan {
  const width = Math.max(0, ...cells.map((row) => row.length));
  const { rows, columns } = pastedSize({ rows: cells.length, columns: width }, size);
  const changes: (readonly [Book, BookPatch])[] = [];
  const wrong: string[] = [];
  let [changed, outside, untitled] = [0, 0, 0];
  for (let r = 0; r < rows; r++) {
    const book = books[r];
    const patch: Record<string, string | number> = {};
    for (let c = 0; c < columns; c++) {
      const text = cells[r % cells.length]?.[c % width];
      const name = names[c];
      if (text === undefined) continue; // The rows can have different lengths.
      if (name === undefined || book === undefined) {
        outside++;
        continue;
      }
      const value = valueOf(name, text);
      if (value === undefined) wrong.push(text);
      else if (value === '' && name === nameField) untitled += book[name] === '' ? 0 : 1;
      else if (value !== book[name]) patch[name] = value;
    }
    const count = Object.keys(patch).length;
    changed += count;
    if (book !== undefined && count > 0) changes.push([book, patch]);
  }
  return { changes, cells: changed, outside, untitled, wrong };
}

interface Size {
  readonly rows: number;
  readonly columns: number;
}

/** The size of the pasted block: that of the selected range, if the block fits into it a whole number of times. */
export function pastedSize(block: Size, selected: Size): Size {
  const fits = selected.rows % block.rows === 0 && selected.columns % block.columns === 0;
  return fits ? selected : block;
}

/** The value of a cell; `undefined`: it is not a year. A line end within it is a space in a book. */
function valueOf(name: FieldName, text: string): string | number | undefined {
  if (fields[name].type === 'integer') return parseLibraryYear(unescapeCell(text));
  return unescapeCell(text.replace(/\s*[\r\n]+\s*/g, ' ').trim()).toWellFormed();
}
