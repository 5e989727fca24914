import type { Book } from '../book.ts';
import { plain, type Io } from './io.ts';

export interface OutputOptions {
  /** Results as JSON, whatever standard output is. */
  json?: boolean;
}

/** Writes books: a table for a person, tab-separated lines for a program, or a JSON array when asked for. */
export async function writeBooks(io: Io, books: readonly Book[], options: OutputOptions): Promise<void> {
  if (options.json) writeJson(io, books);
  else if (io.stdout.isTTY) await writeTable(io, books);
  else io.stdout.write(books.map(formatLine).join(''));
}

/** Writes one book: as `writeBooks` does, but the JSON is the book and not an array. */
export async function writeBook(io: Io, book: Book, options: OutputOptions): Promise<void> {
  if (options.json) writeJson(io, book);
  else await writeBooks(io, [book], options);
}

function writeJson(io: Io, value: unknown): void {
  io.stdout.write(`${JSON.stringify(value)}\n`);
}

/** Id, title, author, year (tabs inside them become spaces). */
function formatLine(book: Book): string {
  return `${[book.id, plain(book.title), plain(book.author), book.year].join('\t')}\n`;
}

/** A terminal that does not know its width says 0. */
function widthOf({ stdout: { columns = 0 } }: Io): number {
  return columns > 0 ? columns : 80;
}

/** Rows that are laid out at once: cli-table3 takes a time that grows with their square. */
const rowsAPiece = 50;
const gap = 2;

/** A table no wider than the terminal: id and year as wide as they are, title and author share the rest. */
async function writeTable(io: Io, books: readonly Book[]): Promise<void> {
  const idWidth = widest(
    books.map((book) => book.id),
    'ID',
  );
  const yearWidth = widest(
    books.map((book) => book.year),
    'YEAR',
  );
  const rest = Math.max(widthOf(io) - idWidth - yearWidth - 1, 20);
  const authorWidth = Math.floor(rest * 0.4);
  const format = await createFormat([idWidth, rest - authorWidth, authorWidth, yearWidth]);
  let rows = [['ID', 'TITLE', 'AUTHOR', 'YEAR']];
  for (const { id, title, author, year } of books) {
    rows.push([String(id), plain(title), plain(author), String(year)]);
    if (rows.length < rowsAPiece) continue;
    if (!(await write(io, format(rows)))) return;
    rows = [];
  }
  if (rows.length > 0) await write(io, format(rows));
}

/** Lays out rows, whatever the width of their characters. */
async function createFormat(colWidths: number[]): Promise<(rows: string[][]) => string> {
  const { default: Table } = await import('cli-table3');
  const style = { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': gap };
  return (rows) => {
    const table = new Table({ colWidths, colAligns: alignments, style, chars: noBorders });
    table.push(...rows);
    return `${table.toString()}\n`;
  };
}

const alignments: ('left' | 'right')[] = ['right', 'left', 'left', 'right'];

/** Writes a piece and waits until it is out; `false` when nobody reads any more. */
async function write({ stdout }: Io, text: string): Promise<boolean> {
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(text, resolve));
  return !error;
}

function widest(values: readonly number[], head: string): number {
  return values.reduce((width, value) => Math.max(width, String(value).length), head.length) + gap;
}

const noBorders = Object.fromEntries(
  ['top', 'bottom', 'left', 'right', 'mid', 'middle']
    .flatMap((name) => [
      name,
      `${name}-mid`,
      `${name}-left`,
      `${name}-right`,
      `left-${name}`,
      `right-${name}`,
    ])
    .map((name) => [name, '']),
);
