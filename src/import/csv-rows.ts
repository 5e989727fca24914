// Text to rows: CSV and TSV.
import { fieldNames, type FieldName } from '../catalogue/fields.ts';
import { foldText } from '../catalogue/fold.ts';
import {
  CsvSplitter,
  DelimiterSearch,
  exportColumns,
  formatExportRow,
  isEscaped,
  unescapeCell,
  type CsvRow,
} from '../formats/csv.ts';
import { FileError, type RowProblem } from '../formats/problems.ts';
import { maxRecordLength } from '../formats/record.ts';
import { badByteOf, countBadBytes } from './bad-bytes.ts';
import { cellOf, findColumns, keyColumns, type Mapping } from './columns.ts';
import { hasId, mustHaveYear } from './match.ts';
import { readFields } from './read-fields.ts';
import type { BookRow, ReadOptions } from './row.ts';

/** Reads CSV (RFC 4180) row by row. The first line names the columns. */
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
      else read = createRowReader(row, delimiter, options);
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

/** Finds the columns in the header, and returns the reader of the other rows. */
function createRowReader(
  { cells: header, raw: headerText }: CsvRow,
  delimiter: string,
  options: ReadOptions,
) {
  const { chosen = {}, isMatched = false, needsYear, onStart } = options;
  const mapping = findColumns(header, chosen);
  const [id, revision] = keyColumns.map((name) => header.map(foldText).indexOf(name));
  const isExport = headerText === exportColumns(id === 0, revision !== -1).join(delimiter);
  const given = fieldNames.filter((name) => mapping[name] !== undefined);
  onStart({ mapping, header });
  return ({ cells: record, raw, line, isEnded }: CsvRow): BookRow => {
    if (record.length < header.length && !isEnded)
      throw new FileError({ code: 'cutOff', at: 'line', number: line });
    const row = { line, unit: 'line', original: record } as const;
    if (record.slice(header.length).some((cell) => cell !== ''))
      return { ...row, problem: { code: 'cells', cells: record.length, columns: header.length } };
    const problem = raw.isWellFormed() ? undefined : findBadCell(record, mapping, raw, line);
    if (problem !== undefined) return { ...row, problem };
    const read = isEscaped(record[revision ?? -1]) ? unescapeCell : (text: string) => text;
    const cell = (name: FieldName) => {
      const column = mapping[name];
      const { at = -1, instead = -1 } = column ?? {};
      return cellOf(read(record[at] || record[instead] || ''), column);
    };
    const key = isMatched ? { id: record[id ?? -1], revision: record[revision ?? -1], given } : undefined;
    const isMeant = isExport && raw === formatExportRow(record, id === 0 ? 1 : 0, delimiter);
    const mayLackTitle = isMeant || hasId(key);
    return { ...row, ...(key && { key }), ...readFields(cell, mayLackTitle, mustHaveYear(needsYear, key)) };
  };
}

/** Says which used cell has a byte that is not text, and where. Bytes in other columns do no harm. */
function findBadCell(
  record: readonly string[],
  mapping: Mapping,
  raw: string,
  line: number,
): RowProblem | undefined {
  for (const name of fieldNames) {
    const { at = -1, instead = -1 } = mapping[name] ?? {};
    const used = record[at] ? at : instead;
    if (countBadBytes(record[used] ?? '') === 0) continue;
    const before = record.slice(0, used).reduce((sum, cell) => sum + countBadBytes(cell), 0);
    return badByteOf(name, raw, before, line);
  }
  return undefined;
}

/** An unclosed quote swallows the lines after it: the row says how far. */
function leaveOutDamaged({ raw, line, lastLine }: CsvRow): BookRow {
  const original = raw.trimEnd().replace(/\r\n?/g, '\n');
  return { line, unit: 'line', original, problem: { code: 'quotes', line, lastLine } };
}
