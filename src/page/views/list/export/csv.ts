import type { Book } from '../../../../catalogue/book.ts';
import { fieldNames } from '../../../../catalogue/fields.ts';

/** The columns of a CSV file: those of `shelflist export`, so that an import recognises them. */
const columns = ['id', ...fieldNames] as const;

/** Rows as CSV (RFC 4180). */
export function formatCsv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(formatCell).join(',')}\r\n`).join('');
}

function formatCell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]|^\s*$|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export const csvHead = formatCsv([columns]);

/** Books as rows of a CSV file. */
export function booksAsCsv(books: readonly Book[]): string {
  return formatCsv(books.map((book) => columns.map((name) => book[name])));
}

/** Saves parts of a text as a file, as the browser saves downloads. */
export function saveFile(name: string, parts: string[], type: string): void {
  const address = URL.createObjectURL(new Blob(parts, { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(address);
  }, 60_000);
}
