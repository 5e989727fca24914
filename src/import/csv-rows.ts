// Text to rows: CSV and TSV.
import { CsvSplitter, DelimiterSearch, formatExportRow, type CsvRow } from '../formats/csv.ts';
import { FileError } from '../formats/problems.ts';
import { maxRecordLength } from '../formats/record.ts';
import { badByteOf, countBadBytes } from './bad-bytes.ts';
import type { BookRow, ReadOptions } from './row.ts';
import { createTableReader } from './table-rows.ts';

/** Reads CSV (RFC 4180) row by row. The first line names the columns, or is a row, too. */
export async function* readCsvRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const search = new DelimiterSearch();
  let splitter: CsvSplitter | undefined;
  let read: ((row: CsvRow) => BookRow) | undefined;
  const take = function* (rows: Iterable<CsvRow>): Generator<BookRow> {
    for (const row of rows)
      if (read !== undefined) yield row.isDamaged ? leaveOutDamaged(row) : read(row);
      else if (row.isDamaged) throw new FileError({ code: 'header' });
      else if (!row.isEnded) throw new FileError({ code: 'cutOff', at: 'header' });
      else {
        read = createRowReader(row, delimiter, options);
        if (options.isHeadless === true) yield read(row);
      }
  };
  let delimiter = '';
  const begin = () => {
    const found = search.end();
    delimiter = options.delimiter ?? found.delimiter;
    splitter = new CsvSplitter(delimiter);
    return take(splitter.push(found.start));
  };
  for await (const piece of text) {
    if (splitter !== undefined) yield* take(splitter.push(piece));
    else if (search.push(piece)) yield* begin();
    if ((splitter?.pendingLength ?? 0) > maxRecordLength)
      throw new FileError({ code: 'rowTooLong', unit: 'row', number: splitter?.line ?? 1 });
  }
  if (splitter === undefined) yield* begin();
  if (splitter !== undefined) yield* take(splitter.end());
  if (read === undefined) throw new FileError({ code: 'empty' });
}

/** Returns the reader of the rows after the header. */
function createRowReader(header: CsvRow, delimiter: string, options: ReadOptions) {
  const read = createTableReader(header.cells, 'line', options);
  const isPlain = header.raw === header.cells.join(delimiter);
  return ({ cells, raw, line, isEnded }: CsvRow): BookRow => {
    if (cells.length < header.cells.length && !isEnded)
      throw new FileError({ code: 'cutOff', at: 'line', number: line });
    return read({
      line,
      cells,
      problemOf(field, at) {
        if (countBadBytes(cells[at] ?? '') === 0) return undefined;
        const before = cells.slice(0, at).reduce((sum, cell) => sum + countBadBytes(cell), 0);
        return badByteOf(field, raw, before, line);
      },
      isTitleMeant: (at) => isPlain && raw === formatExportRow(cells, at, delimiter),
    });
  };
}

/** An unclosed quote swallows the lines after it: the row says how far. */
function leaveOutDamaged({ raw, line, lastLine }: CsvRow): BookRow {
  const original = raw.trimEnd().replace(/\r\n?/g, '\n');
  return { line, unit: 'line', original, problem: { code: 'quotes', line, lastLine } };
}
