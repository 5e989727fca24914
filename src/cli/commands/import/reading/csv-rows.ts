import { ShelflistError } from '../../../../catalogue/errors.ts';
import { counted } from '../../../io.ts';
import { fieldNames, type FieldName } from '../../../../catalogue/fields.ts';
import { cellOf, type Mapping } from '../../../../catalogue/import/columns.ts';
import { countBadBytes, describeBadByte } from './encoding/bad-bytes.ts';
import { isEscaped, unescapeCell } from '../../../../catalogue/import/spreadsheet-text.ts';
import { foldText } from '../../../../catalogue/fold.ts';
import { CsvSplitter, exportColumns, type CsvRow } from '../../../../formats/csv.ts';
import { keyColumns, mapColumns } from '../columns.ts';
import { hasId } from '../../../../import/match.ts';
import { findDelimiter } from './delimiter.ts';
import { readRecord } from './read-record.ts';
import { cutOff, maxRowLength, rowTooLong, type Row, type RowsOptions } from './row.ts';

/** Reads CSV (RFC 4180) row by row. The first line names the columns. */
export async function* readCsvRows(whole: AsyncGenerator<string>, options: RowsOptions): AsyncGenerator<Row> {
  const { delimiter, text } = await findDelimiter(whole, options.delimiter);
  const splitter = new CsvSplitter(delimiter);
  let read: ((row: CsvRow) => Row) | undefined;
  const take = function* (rows: Iterable<CsvRow>): Generator<Row> {
    for (const row of rows)
      if (read !== undefined) yield row.isDamaged ? describeDamage(row) : read(row);
      else if (row.isDamaged) throw badHeader();
      else if (!row.isEnded) throw cutOff('its first line ends in the middle, and no row follows');
      else read = createRecordReader(row.cells, options);
  };
  for await (const piece of text) {
    yield* take(splitter.push(piece));
    if (splitter.pendingLength > maxRowLength) throw rowTooLong(`the row in line ${splitter.line}`);
  }
  yield* take(splitter.end());
  if (read === undefined) throw new ShelflistError('failed', { message: 'the file is empty' });
}

/** Finds the columns in the header, and returns the reader of the other rows. */
function createRecordReader(header: readonly string[], options: RowsOptions) {
  const { chosen, isMatched, onStart } = options;
  const mapping = mapColumns(header, chosen, { isMatched });
  const [id, revision] = keyColumns.map((name) => header.map(foldText).indexOf(name));
  const others = header.filter((_, at) => at !== id && at !== revision);
  const isExport = others.join() === exportColumns(false).join();
  const given = fieldNames.filter((name) => mapping[name] !== undefined);
  onStart({ mapping, header });
  return ({ cells: record, raw, line, isEnded }: CsvRow): Row => {
    if (record.length < header.length && !isEnded) throw cutOff(`line ${line} ends in the middle`);
    const row = { line, unit: 'line', original: record } as const;
    if (record.slice(header.length).some((cell) => cell !== ''))
      return {
        ...row,
        reason: `it has ${counted(record.length, 'cell')} for ${counted(header.length, 'column')}`,
      };
    const problem = raw.isWellFormed() ? undefined : findBadCell(record, mapping, raw, line);
    if (problem !== undefined) return { ...row, reason: problem };
    const read = isEscaped(record[revision ?? -1]) ? unescapeCell : (text: string) => text;
    const cell = (name: FieldName) => {
      const column = mapping[name];
      const { at = -1, instead = -1 } = column ?? {};
      return cellOf(read(record[at] || record[instead] || ''), column);
    };
    const key = isMatched && { id: record[id ?? -1], revision: record[revision ?? -1], given };
    const mayLackTitle = (isExport && blankStart.test(raw)) || (key && hasId(key));
    return { ...row, ...(key && { key }), ...readRecord(cell, mayLackTitle === true, options.needsYear) };
  };
}

/** Says which used cell has a byte that is not text, and where. Bytes in other columns do no harm. */
function findBadCell(
  record: readonly string[],
  mapping: Mapping,
  raw: string,
  line: number,
): string | undefined {
  for (const name of fieldNames) {
    const { at = -1, instead = -1 } = mapping[name] ?? {};
    const used = record[at] ? at : instead;
    if (countBadBytes(record[used] ?? '') === 0) continue;
    const before = record.slice(0, used).reduce((sum, cell) => sum + countBadBytes(cell), 0);
    return `its ${name} has ${describeBadByte(raw, before, line)}`;
  }
  return undefined;
}

/** A row whose first cell, after an id, is blank and quoted, as an export writes an empty title. */
const blankStart = /^(?:[0-9]+[^0-9"])?"\s*"[^"]/;

/** An unclosed quote swallows the lines after it: the row says how far. */
function describeDamage({ raw, line, lastLine }: CsvRow): Row {
  const reason = `its quotes do not match${lastLine > line ? ` (up to line ${lastLine})` : ''}`;
  return { line, unit: 'line', original: raw.trimEnd().replace(/\r\n?/g, '\n'), reason };
}

function badHeader(): ShelflistError {
  return new ShelflistError('failed', { message: 'the quotes of the first line do not match' });
}
