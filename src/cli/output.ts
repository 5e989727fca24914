import type { Book } from '../book.ts';
import type { Io } from './io.ts';

export interface OutputOptions {
  /** Results as JSON, whatever standard output is. */
  json?: boolean;
}

/** Writes books: a table for a person, tab-separated lines for a program, or a JSON array when asked for. */
export async function writeBooks(io: Io, books: readonly Book[], options: OutputOptions): Promise<void> {
  if (options.json) writeJson(io, books);
  else if (io.stdout.isTTY) io.stdout.write(await formatTable(books, widthOf(io)));
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

/** Id, title, author, year; what would end the field or the line, or steer the terminal, becomes a space. */
function formatLine(book: Book): string {
  return `${[book.id, plain(book.title), plain(book.author), book.year].join('\t')}\n`;
}

function plain(text: string): string {
  // eslint-disable-next-line no-control-regex -- control characters are what it is for.
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');
}

/** A terminal that does not know its width says 0. */
function widthOf({ stdout: { columns = 0 } }: Io): number {
  return columns > 0 ? columns : 80;
}

/** A table no wider than the terminal: id and year as wide as they are, title and author share the rest. */
async function formatTable(books: readonly Book[], columns: number): Promise<string> {
  const { default: Table } = await import('cli-table3');
  const idWidth = widest(
    books.map((book) => book.id),
    'ID',
  );
  const yearWidth = widest(
    books.map((book) => book.year),
    'YEAR',
  );
  const rest = Math.max(columns - idWidth - yearWidth - 1, 20);
  const authorWidth = Math.floor(rest * 0.4);
  const table = new Table({
    head: ['ID', 'TITLE', 'AUTHOR', 'YEAR'],
    colWidths: [idWidth, rest - authorWidth, authorWidth, yearWidth],
    colAligns: ['right', 'left', 'left', 'right'],
    style: { head: [], border: [], compact: true, 'padding-left': 0, 'padding-right': 2 },
    chars: noBorders,
  });
  for (const book of books) table.push([book.id, plain(book.title), plain(book.author), book.year]);
  return `${table.toString()}\n`;
}

function widest(values: readonly number[], head: string): number {
  const gap = 2;
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
