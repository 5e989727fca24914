import { pipeline, Readable } from 'node:stream';
import type { BookFields } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { mapColumns, type Field, type Mapping } from './columns.ts';
import { findDelimiter } from './delimiter.ts';
import { decodeText } from './text.ts';

/** A row of a file: a book, or why it is none. `line` is where it begins, counted from 1. */
export type Row = { line: number } & ({ fields: BookFields } | { reason: string });

export interface RowsOptions {
  chosen: Partial<Record<Field, string>>;
  /** Told once, when the header has been read. */
  onMapping?: (header: readonly string[], mapping: Mapping) => void;
}

/** What is known of a row before its cells are read. */
interface Place {
  line: number;
  /** Rows before it whose quotes do not match. */
  damaged: number[];
}

/**
 * Reads a CSV file (RFC 4180, UTF-8) row by row; its first line names the columns. The
 * cells are separated by commas, semicolons or tabs.
 *
 * @throws {ShelflistError} `usage` when the columns cannot be found; `failed` when the file is not UTF-8 text.
 */
export async function* readRows(bytes: AsyncIterable<Uint8Array>, options: RowsOptions): AsyncGenerator<Row> {
  const { delimiter, text } = await findDelimiter(decodeText(bytes));
  const { CsvError, parse } = await import('csv-parse'); // Only an import needs it.
  const lines = createLineCounter();
  const places: Place[] = []; // Of the rows that the parser has read and the loop below has not.
  let damaged: number[] = [];
  const parser = parse({
    bom: true,
    delimiter,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (parsed, { lines: current, raw = '' }) => {
      places.push({ line: lines.first(current, raw), damaged });
      lines.pass(raw);
      damaged = [];
      return parsed;
    },
    on_skip: (error, raw = '') => {
      const line = lines.first(Number(error instanceof CsvError && error.lines), raw);
      if (damaged.at(-1) !== line) damaged.push(line); // One row may have several such places.
      return undefined;
    },
  });
  pipeline(Readable.from(text), parser, () => undefined); // What fails, fails in the loop below.

  let mapping: Mapping | undefined;
  for await (const { record } of parser as AsyncIterable<{ record: string[] }>) {
    const { line, damaged: before } = places.shift() ?? { line: 0, damaged: [] };
    if (mapping === undefined) {
      if (before.length > 0) throw badHeader();
      mapping = mapColumns(record, options.chosen);
      options.onMapping?.(record, mapping);
    } else {
      yield* describeDamage(before, line);
      yield { line, ...parseRecord(record, mapping) };
    }
  }
  if (mapping !== undefined) yield* describeDamage(damaged, lines.next(parser.info.lines));
  else if (damaged.length > 0) throw badHeader();
  else throw new ShelflistError('failed', { message: 'the file is empty' });
}

/** csv-parse knows the line it has come to, and counts a CRLF inside quotes twice; a row is named by its first. */
function createLineCounter() {
  let countedTwice = 0;
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    /** @param raw The row as far as it was read, with the empty lines before it. */
    first: (current: number, raw: string) =>
      current - count(raw.replace(/^[\r\n]+/, '').slice(0, -1), /[\r\n]/g) - countedTwice,
    pass: (raw: string) => {
      countedTwice += count(raw, /\r\n/g);
    },
    next: (current: number) => current - countedTwice,
  };
}

/** A quote that is not closed takes the lines after it with it: the row says how far. */
function* describeDamage(damaged: readonly number[], next: number): Generator<Row> {
  for (const [i, line] of damaged.entries()) {
    const last = (damaged[i + 1] ?? next) - 1;
    yield { line, reason: `its quotes do not match${last > line ? ` (up to line ${last})` : ''}` };
  }
}

function badHeader(): ShelflistError {
  return new ShelflistError('failed', { message: 'the quotes of the first line do not match' });
}

function parseRecord(
  record: readonly string[],
  mapping: Mapping,
): { fields: BookFields } | { reason: string } {
  const cell = (field: Field) => record[mapping[field] ?? -1] ?? '';
  const title = cell('title');
  if (title.trim() === '') return { reason: 'it has no title' };
  const year = parseYear(cell('year').trim());
  if (year === undefined)
    return { reason: `its year is not a whole number: ${JSON.stringify(cell('year'))}` };
  return { fields: { title, author: cell('author'), year } };
}

/** A year as spreadsheets write it: `2008`, `2008.0`, `-1750.0`; an empty cell is 0. */
function parseYear(text: string): number | undefined {
  if (text === '') return 0;
  const year = Number(text);
  return /^[+-]?[0-9]+(\.0*)?$/.test(text) && Number.isSafeInteger(year) ? year + 0 : undefined;
}
