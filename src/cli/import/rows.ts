import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import type { BookFields } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { mapColumns, type Field, type Mapping } from './columns.ts';

/** A row of a file: a book, or why it is none. `line` is where it begins, counted from 1. */
export type Row = { line: number } & ({ fields: BookFields } | { reason: string });

export interface RowsOptions {
  chosen: Partial<Record<Field, string>>;
  /** Told once, when the header has been read. */
  onMapping?: (header: readonly string[], mapping: Mapping) => void;
}

interface Parsed {
  info: { lines: number };
  record: string[];
}

/**
 * Reads a CSV file (RFC 4180, UTF-8) row by row; its first line names the columns.
 *
 * @throws {ShelflistError} `usage` when the columns cannot be found; `failed` when the file is not UTF-8 text.
 */
export async function* readRows(bytes: AsyncIterable<Uint8Array>, options: RowsOptions): AsyncGenerator<Row> {
  const skipped: Row[] = [];
  const parser = Readable.from(decode(bytes)).pipe(
    parse({
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_error: true,
      on_skip: (error) => {
        skipped.push({ line: lineOf(error), reason: 'its quotes do not match' });
      },
    }),
  );
  let mapping: Mapping | undefined;
  let line = 1;
  for await (const { info, record } of parser as AsyncIterable<Parsed>) {
    yield* skipped.splice(0);
    if (mapping === undefined) {
      mapping = mapColumns(record, options.chosen);
      options.onMapping?.(record, mapping);
    } else {
      yield { line, ...parseRecord(record, mapping) };
    }
    line = info.lines + 1;
  }
  yield* skipped;
  if (mapping === undefined) throw new ShelflistError('failed', { message: 'the file is empty' });
}

function lineOf(error: unknown): number {
  return error instanceof CsvError && typeof error.lines === 'number' ? error.lines : 0;
}

function parseRecord(
  record: readonly string[],
  mapping: Mapping,
): { fields: BookFields } | { reason: string } {
  const cell = (field: Field) => record[mapping[field] ?? -1]?.trim() ?? '';
  const title = cell('title');
  if (title === '') return { reason: 'it has no title' };
  const year = parseYear(cell('year'));
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

async function* decode(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    for await (const chunk of bytes) yield decoder.decode(chunk, { stream: true });
    yield decoder.decode();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_ENCODING_INVALID_ENCODED_DATA') throw error;
    throw new ShelflistError('failed', { message: 'the file is not UTF-8 text; save it as "CSV UTF-8"' });
  }
}
