// Text to rows: CSV and TSV.
import {
  CsvSplitter,
  DelimiterSearch,
  formatExportRow,
  textOfOnlyCell,
  type CsvRow,
} from '../formats/csv.ts';
import { FileError } from '../formats/problems.ts';
import { maxRecordLength } from '../formats/record.ts';
import { badByteOf, countBadBytes } from './bad-bytes.ts';
import { peek, withoutStart } from './peek.ts';
import type { BookRow, ReadOptions } from './row.ts';
import {
  createTableReader,
  type FoundHeader,
  HeaderSearch,
  leastColumns,
  namesColumns,
} from './table-rows.ts';

/** Reads CSV (RFC 4180) row by row. The first line names the columns, or is a row, too. */
export async function* readCsvRows(
  text: AsyncIterable<string>,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const search = new DelimiterSearch(
    (cells) => options.isHeadless !== true && namesColumns(cells, options),
    leastColumns(options),
  );
  const { found: start, whole } = await peek(
    text,
    (some) => search.push(some.at(-1) ?? ''),
    () => search.end(),
  );
  const content = withoutStart(whole, start.skipped);
  if (start.isNested) yield* readCsvRows(unnested(content, start.delimiter), options);
  else yield* readRows(content, options.delimiter ?? start.delimiter, options);
}

async function* readRows(
  text: AsyncIterable<string>,
  delimiter: string,
  options: ReadOptions,
): AsyncGenerator<BookRow> {
  const header = new HeaderSearch<CsvRow>(options);
  const splitter = new CsvSplitter(delimiter);
  let read: ((row: CsvRow) => BookRow) | undefined;
  let isBelowHeader = false;
  const take = function* (rows: Iterable<CsvRow>): Generator<BookRow> {
    for (const each of rows) {
      // The spaces around the cells are no text.
      const row = splitter.isDrawn ? { ...each, cells: each.cells.map((cell) => cell.trim()) } : each;
      if (isBlankLine(row, delimiter)) continue;
      if (read !== undefined && delimiter === '|' && rule.test(row.raw)) {
        splitter.isDrawn ||= isBelowHeader;
        continue;
      }
      isBelowHeader = read === undefined;
      const found = read === undefined ? header.push(row) : undefined;
      if (found !== undefined) yield* begun(found);
      else if (read !== undefined) yield row.isDamaged ? leaveOutDamaged(row) : read(row);
    }
  };
  const begun = function* ({ first, rows, isBelow }: FoundHeader<CsvRow>): Generator<BookRow> {
    if (first.isDamaged) throw new FileError({ code: 'header' });
    if (!first.isEnded) throw new FileError({ code: 'cutOff', at: 'header' });
    splitter.columns = first.cells.length;
    const readRow = createRowReader(first, delimiter, options, isBelow ? first.line : undefined);
    read = readRow;
    for (const row of rows) yield row.isDamaged ? leaveOutDamaged(row) : readRow(row);
  };
  for await (const rows of split(text, splitter)) yield* take(rows);
  const found = read === undefined ? header.end() : undefined;
  if (found !== undefined) yield* begun(found);
  if (read === undefined) throw new FileError({ code: 'empty' });
}

/** Yields the rows of each piece. They are split when they are read: by then, the columns of the header may be known. */
async function* split(text: AsyncIterable<string>, splitter: CsvSplitter): AsyncGenerator<Iterable<CsvRow>> {
  for await (const piece of text) {
    yield splitter.push(piece);
    if (splitter.pendingLength > maxRecordLength)
      throw new FileError({ code: 'rowTooLong', unit: 'row', number: splitter.line });
  }
  yield splitter.end();
}

/** The text of a sheet that was saved twice, in as many pieces. Its lines stay where they are. */
async function* unnested(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<string> {
  let line = 1;
  for await (const rows of split(text, new CsvSplitter(delimiter))) {
    let piece = '';
    for (const row of rows) {
      piece += '\n'.repeat(row.line - line) + (textOfOnlyCell(row) ?? row.raw) + (row.isEnded ? '\n' : '');
      line = row.lastLine + 1;
    }
    yield piece;
  }
}

/** Returns the reader of the rows after the header. */
function createRowReader(
  header: CsvRow,
  delimiter: string,
  options: ReadOptions,
  headerLine: number | undefined,
) {
  const read = createTableReader(header.cells, 'line', options, { headerLine });
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

/** The line below the header of a table in Markdown, or of a database. An export has digits in each line. */
const rule = /^[\s|:+-]+$/;

/** A line of delimiters alone, as spreadsheets write empty rows. An export quotes its blank cells. */
function isBlankLine({ cells, raw }: CsvRow, delimiter: string): boolean {
  return cells.length > 1 && raw.replaceAll(delimiter, '').trim() === '';
}

/** An unclosed quote swallows the lines after it: the row says how far. */
function leaveOutDamaged({ raw, line, lastLine }: CsvRow): BookRow {
  const original = raw.trimEnd().replace(/\r\n?/g, '\n');
  return { line, unit: 'line', original, problem: { code: 'quotes', line, lastLine } };
}
