import { pipeline, Readable } from 'node:stream';
import { ShelflistError } from '../../../../catalogue/errors.ts';
import { counted } from '../../../io.ts';
import { fieldNames, type FieldName } from '../../../../catalogue/fields.ts';
import { cellOf, type Mapping } from '../../../../catalogue/import/columns.ts';
import { BadByteLog, markCells } from './encoding/bad-byte-log.ts';
import { countBadBytes, describeBadByte } from './encoding/bad-bytes.ts';
import { isEscaped, unescapeCell } from '../../../../catalogue/import/spreadsheet-text.ts';
import { foldText } from '../../../../catalogue/words/fold.ts';
import { exportColumns } from '../../../../formats/csv.ts';
import { keyColumns, mapColumns } from '../columns.ts';
import { hasId } from '../matching/row-key.ts';
import { findDelimiter } from './delimiter.ts';
import { unwrapFormulas } from './formula.ts';
import { LineLog } from './lines.ts';
import { readRecord } from './read-record.ts';
import { cutOff, maxRowLength, rowTooLong, type Row, type RowsOptions } from './row.ts';

/** The position of a row, which is known before its cells are read. */
interface Place {
  line: number;
  /** Whether a line break ends it. */
  ended: boolean;
  /** Whether its first cell, after an id, is blank and quoted, as an export writes an empty title. */
  hasBlankStart: boolean;
  /** The lines before it where a row with unmatched quotes starts. */
  damaged: number[];
  /** The text of the row, if it has bytes that are not text. */
  bad?: string | undefined;
}

/** Reads CSV (RFC 4180) row by row. The first line names the columns. */
export async function* readCsvRows(whole: AsyncGenerator<string>, options: RowsOptions): AsyncGenerator<Row> {
  const { delimiter, text } = await findDelimiter(whole, options.delimiter);
  const { CsvError, parse } = await import('csv-parse'); // Only an import needs it.
  const counter = createLineCounter();
  const log = new LineLog();
  const badBytes = new BadByteLog();
  const places: Place[] = []; // Of the rows that the parser has emitted and the loop below has not read.
  let damaged: number[] = [];
  let nextLine = 1; // The first line of the row that the parser is reading.
  let unread = 0; // The length of that row so far.
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (parsed, { lines: current, bytes, raw = '' }) => {
      const ended = /[\r\n]$/.test(raw);
      const hasBlankStart = /^[\r\n]*(?:[0-9]+[^0-9"])?"\s*"[^"]/.test(raw);
      const bad = badBytes.take(raw, bytes);
      places.push({ line: counter.first(current, raw), ended, hasBlankStart, damaged, bad });
      counter.pass(raw);
      if (ended) [nextLine, unread] = [counter.next(current) + 1, 0];
      damaged = [];
      return parsed;
    },
    on_skip: (error, raw = '') => {
      const line = counter.first(Number(error instanceof CsvError && error.lines), raw);
      if (damaged.at(-1) !== line) damaged.push(line); // One row may have several errors.
      return undefined;
    },
  });
  /** Why the text ended early, if it did. */
  const end: { failure?: { error: unknown }; isTooLong: boolean } = { isTooLong: false };
  async function* measured(): AsyncGenerator<string> {
    for await (const chunk of text) {
      unread += chunk.length;
      end.isTooLong = unread > maxRowLength;
      if (end.isTooLong) return; // The parser knows the row only when it has read what precedes it.
      yield chunk;
    }
  }
  async function* feed(): AsyncGenerator<string> {
    try {
      for await (const chunk of unwrapFormulas(measured(), delimiter)) {
        log.push(chunk);
        badBytes.push(chunk);
        yield chunk;
      }
    } catch (error) {
      end.failure = { error }; // The parser ends as if the file did, so that the rows before the error are kept.
    }
  }
  pipeline(Readable.from(feed()), parser, () => undefined); // Errors surface in the loop below.

  const describe = function* (lines: readonly number[], next: number): Generator<Row> {
    for (const [i, line] of lines.entries()) yield describeDamage(log, line, (lines[i + 1] ?? next) - 1);
  };
  let read: ((record: readonly string[], place: Place) => Row) | undefined;
  for await (const { record } of parser as AsyncIterable<{ record: string[] }>) {
    const place = places.shift() ?? { line: 0, ended: true, hasBlankStart: false, damaged: [] };
    if ((end.failure || end.isTooLong) && !place.ended) break; // The row is incomplete.
    if (read === undefined) {
      if (place.damaged.length > 0) throw badHeader();
      if (!place.ended) throw cutOff('its first line ends in the middle, and no row follows');
      read = createRecordReader(record, options);
    } else {
      yield* describe(place.damaged, place.line);
      yield read(record, place);
    }
    log.forgetBefore(place.line);
  }
  if (end.isTooLong) throw rowTooLong(`the row in line ${nextLine}`);
  if (end.failure) throw end.failure.error;
  if (read !== undefined) yield* describe(damaged, counter.next(parser.info.lines));
  else if (damaged.length > 0) throw badHeader();
  else throw new ShelflistError('failed', { message: 'the file is empty' });
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
  return (record: readonly string[], { line, ended, hasBlankStart, bad }: Place): Row => {
    if (record.length < header.length && !ended) throw cutOff(`line ${line} ends in the middle`);
    const row = { line, unit: 'line', original: record } as const;
    if (record.slice(header.length).some((cell) => cell !== ''))
      return {
        ...row,
        reason: `it has ${counted(record.length, 'cell')} for ${counted(header.length, 'column')}`,
      };
    const problem = bad === undefined ? undefined : findBadCell(markCells(record, bad), mapping, bad, line);
    if (problem !== undefined) return { ...row, reason: problem };
    const read = isEscaped(record[revision ?? -1]) ? unescapeCell : (text: string) => text;
    const cell = (name: FieldName) => {
      const column = mapping[name];
      const { at = -1, instead = -1 } = column ?? {};
      return cellOf(read(record[at] || record[instead] || ''), column);
    };
    const key = isMatched && { id: record[id ?? -1], revision: record[revision ?? -1], given };
    const mayLackTitle = (isExport && hasBlankStart) || (key && hasId(key));
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

/** Finds the first line of a row. csv-parse reports the last, and counts a CRLF inside quotes twice. */
function createLineCounter() {
  let countedTwice = 0;
  const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;
  return {
    /** @param raw The row as read so far, with the empty lines before it. */
    first: (current: number, raw: string) =>
      current - count(raw.replace(/^[\r\n]+/, '').slice(0, -1), /[\r\n]/g) - countedTwice,
    pass: (raw: string) => {
      countedTwice += count(raw, /\r\n/g);
    },
    next: (current: number) => current - countedTwice,
  };
}

/** An unclosed quote swallows the lines after it: the row says how far. */
function describeDamage(log: LineLog, line: number, last: number): Row {
  const reason = `its quotes do not match${last > line ? ` (up to line ${last})` : ''}`;
  return { line, unit: 'line', original: log.between(line, last), reason };
}

function badHeader(): ShelflistError {
  return new ShelflistError('failed', { message: 'the quotes of the first line do not match' });
}
