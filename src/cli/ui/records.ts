import { type Io, forTerminal, formatTime, notice, plain, createPaint, widthOf } from '../io.ts';
import { inParts } from '../../lib/in-parts.ts';
import { type PagedOutput, createPagedOutput } from './pager.ts';
import type { TableColumn } from './table.ts';
import type { Book, BookFields } from '../../catalogue/book.ts';
import { fieldNames, fields } from '../../catalogue/fields.ts';
import { fieldOptions, type recordFormats } from '../arguments.ts';

/** The options of every command that writes records. */
export interface OutputOptions {
  json?: boolean;
  /** The fields of JSON, in their order. Default: all. */
  fields?: readonly string[];
  format?: (typeof recordFormats)[number];
}

/** A member of a record, and its layout in a table. */
export interface Column<T> extends Omit<TableColumn, 'head'> {
  name: string & keyof T;
  /** The value is a time in RFC 3339. A table, which is for people, has it in their time zone. */
  isTime?: true;
}

type Cell = string | number | null | undefined;

/**
 * Writes records in the format of the options; by default a table on a terminal, else tab-separated lines. On a terminal, text
 * longer than the screen goes to a pager. A table measures its first records only. JSON, NDJSON and CSV preserve every character,
 * and escape control characters on a terminal; the others replace them by spaces.
 *
 * @returns The number of records written: fewer if the reader has gone.
 */
export async function writeRecords<T extends object>(
  io: Io,
  columns: readonly Column<T>[],
  records: Iterable<T> | AsyncIterable<T>,
  options: OutputOptions,
): Promise<number> {
  const format = options.json ? 'json' : (options.format ?? (io.stdout.isTTY ? 'table' : 'lines'));
  const output = createPagedOutput(io);
  try {
    if (format === 'table') return await writeTable(io, output, columns, records);
    const { head = '', part, between = '', foot = '' } = await createText(format, columns, options.fields);
    let count = 0;
    for await (const some of inParts(records)) {
      const text = forTerminal(io, (count === 0 ? head : between) + part(some));
      count += some.length;
      if (!(await output.write(text))) return count;
    }
    await output.write((count === 0 ? head : '') + foot);
    return count;
  } finally {
    await output.end();
  }
}

/** A format that writes records as they arrive. */
interface Text<T> {
  head?: string;
  part: (records: readonly T[]) => string;
  between?: string;
  foot?: string;
}

async function createText<T extends object>(
  format: 'json' | 'ndjson' | 'csv' | 'tsv' | 'lines',
  columns: readonly Column<T>[],
  fields: readonly string[] | undefined,
): Promise<Text<T>> {
  const cells = (record: T) => cellsOf(columns, record);
  const json = (record: T) => JSON.stringify(record, fields && [...fields]);
  switch (format) {
    case 'json':
      return { head: '[', part: (records) => records.map(json).join(','), between: ',', foot: ']\n' };
    case 'ndjson':
      return { part: (records) => records.map((record) => `${json(record)}\n`).join('') };
    case 'csv':
    case 'tsv': {
      const { formatCsv } = await import('../../formats/csv.ts');
      const text = (rows: readonly (readonly string[])[]) =>
        formatCsv(rows, format === 'tsv' ? { delimiter: '\t' } : {});
      return { head: text([columns.map(({ name }) => name)]), part: (records) => text(records.map(cells)) };
    }
    case 'lines':
      return {
        part: (records) => records.map((record) => `${cells(record).map(plain).join('\t')}\n`).join(''),
      };
  }
}

function cellsOf<T>(columns: readonly Column<T>[], record: T): string[] {
  return columns.map(({ name }) => String((record[name] as Cell) ?? ''));
}

/** Writes one record like `writeRecords`, but as JSON it is an object, not an array. */
export async function writeRecord<T extends object>(
  io: Io,
  columns: readonly Column<T>[],
  record: T,
  options: OutputOptions,
): Promise<void> {
  await writeRecords(
    io,
    columns,
    [record],
    options.json || options.format === 'json' ? { ...options, json: false, format: 'ndjson' } : options,
  );
}

/** Reports an empty result on standard error. JSON needs no message. */
export function noteEmpty(io: Io, count: number, { json }: OutputOptions, text: string): void {
  if (count === 0 && json !== true) notice(io, text);
}

/** Says why words found no value of a field. */
export function noMatch(field: string): string {
  return `no ${field} matches: each word must begin one of its words`;
}

async function writeTable<T>(
  io: Io,
  output: PagedOutput,
  columns: readonly Column<T>[],
  records: Iterable<T> | AsyncIterable<T>,
): Promise<number> {
  let count = 0;
  async function* readRows(): AsyncGenerator<string[]> {
    for await (const record of records) {
      count++;
      yield cellsOf(columns, record).map((cell, i) => (columns[i]?.isTime ? formatTime(cell) : plain(cell)));
    }
  }
  const heads = columns.map(({ name, ...column }) => ({ ...column, head: headOf(name) }));
  const options = { width: widthOf(io), paint: createPaint(io) };
  const { layOutTable } = await import('./table.ts');
  for await (const lines of inParts(layOutTable(heads, readRows(), options)))
    if (!(await output.write(lines.join('')))) break;
  return count;
}

/** The head of a column: that of `deletedAt` is `DELETED AT`. */
function headOf(name: string): string {
  return name.replace(/[A-Z]/g, ' $&').toUpperCase();
}

export const fieldColumns = fieldNames.map((name): Column<BookFields> => {
  const { width } = fieldOptions[name];
  return {
    name,
    ...(fields[name].type === 'integer' && { align: 'right' }),
    ...(width !== undefined && { weight: width }),
  };
});

export const bookColumns: readonly Column<Book>[] = [
  { name: 'id', align: 'right', style: 'cyan' },
  ...fieldColumns,
];

/** A book in a message, on one line. A record that is not a book has an id only. */
export function describeBook(book: Pick<Book, 'id'> & Partial<Book>): string {
  return [book.id, ...fieldNames.map((name) => plain(String(book[name] ?? '')))].join('  ');
}

/** The fields that differ between two states of a book, with both values; empty if none does. */
export function describeChanges(before: BookFields, after: BookFields): string {
  return fieldNames
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name} from ${JSON.stringify(before[name])} to ${JSON.stringify(after[name])}`)
    .join(', ');
}

/** Writes books in the format of the options; returns their number. */
export function writeBooks(
  io: Io,
  books: Iterable<Book> | AsyncIterable<Book>,
  options: OutputOptions,
  columns = bookColumns,
): Promise<number> {
  return writeRecords(io, columns, books, options);
}

/** Writes groups of records: as JSON, each is an array; otherwise each record has the number of its group. */
export async function writeGroups<T extends object>(
  io: Io,
  columns: readonly Column<T>[],
  groups: AsyncIterable<readonly T[]>,
  options: OutputOptions,
): Promise<void> {
  const format = options.json ? 'json' : options.format;
  if (format === 'json' || format === 'ndjson') await writeRecords(io, [], groups, options);
  else
    await writeRecords<T & { group: number }>(
      io,
      [{ name: 'group', align: 'right' }, ...columns],
      numbered(groups),
      options,
    );
}

async function* numbered<T extends object>(
  groups: AsyncIterable<readonly T[]>,
): AsyncGenerator<T & { group: number }> {
  let group = 0;
  for await (const records of groups) {
    group++;
    for (const record of records) yield { group, ...record };
  }
}
