import { plain, type Io } from '../io.ts';
import { createCsvFormat } from './csv.ts';
import { createPaint } from './style.ts';
import { layOutTable, type TableColumn } from './table.ts';

/** The options of every command that writes records. */
export interface OutputOptions {
  json?: boolean;
  format?: 'table' | 'json' | 'ndjson' | 'csv';
}

/** One member of a record, and how it stands in a table. */
export interface Column<T> extends Omit<TableColumn, 'head'> {
  name: string & keyof T;
}

type Cell = string | number | null | undefined;

/**
 * Writes records: a table for a person, lines with tabs between for a program, or the form that was asked for.
 * Only JSON, NDJSON and CSV give every character back; elsewhere what could steer a terminal becomes a space.
 */
export async function writeRecords<T extends object>(
  io: Io,
  columns: readonly Column<T>[],
  records: readonly T[],
  options: OutputOptions,
): Promise<void> {
  const format = options.json ? 'json' : (options.format ?? (io.stdout.isTTY ? 'table' : 'lines'));
  const cells = (record: T) => columns.map(({ name }) => String((record[name] as Cell) ?? ''));
  switch (format) {
    case 'json':
      await write(io, `${JSON.stringify(records)}\n`);
      return;
    case 'ndjson':
      await write(io, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
      return;
    case 'csv':
      await write(io, (await createCsvFormat())([columns.map(({ name }) => name), ...records.map(cells)]));
      return;
    case 'table':
      await writeTable(io, columns, records.map(cells));
      return;
    case 'lines':
      await write(io, records.map((record) => `${cells(record).map(plain).join('\t')}\n`).join(''));
  }
}

/** Writes one record: as `writeRecords` does, but the JSON is an object and not an array. */
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
    options.json || options.format === 'json' ? { format: 'ndjson' } : options,
  );
}

/** Writes a value as a line of JSON. */
export async function writeJson(io: Io, value: unknown): Promise<void> {
  await write(io, `${JSON.stringify(value)}\n`);
}

/** Writes to standard output and waits until it is out; `false` when nobody reads any more. */
export async function write({ stdout }: Io, text: string): Promise<boolean> {
  const error = await new Promise<Error | null | undefined>((resolve) => stdout.write(text, resolve));
  return !error;
}

/** Lines of a table that are written at once. */
const linesAtOnce = 500;

async function writeTable<T>(
  io: Io,
  columns: readonly Column<T>[],
  rows: readonly (readonly string[])[],
): Promise<void> {
  const plainRows = rows.map((row) => row.map(plain));
  const heads = columns.map(({ name, ...column }) => ({
    ...column,
    head: name.toUpperCase(),
  }));
  const options = { width: widthOf(io), paint: createPaint(io) };
  let lines: string[] = [];
  for await (const line of layOutTable(heads, plainRows, options)) {
    if (lines.push(line) < linesAtOnce) continue;
    if (!(await write(io, lines.join('')))) return;
    lines = [];
  }
  await write(io, lines.join(''));
}

/** A terminal that does not know its width says 0. What is no terminal has none. */
function widthOf({ stdout: { isTTY, columns = 0 } }: Io): number | undefined {
  if (!isTTY) return undefined;
  return columns > 0 ? columns : 80;
}
