import { pipeline, Readable } from 'node:stream';
import { ShelflistError } from '../../errors.ts';
import { counted } from '../io.ts';
import { exportHeader, markName, MarkWatch } from '../export/mark.ts';
import { mapColumns, type Field } from './columns.ts';
import { findDelimiter } from './delimiter.ts';
import { unwrapFormulas } from './formula.ts';
import { LineLog } from './lines.ts';
import { parseRecord } from './record.ts';
import { cutOff, exportCutOff, longestRow, rowTooLong, type Row, type RowsOptions } from './row.ts';

/** What is known of a row before its cells are read. */
interface Place {
  line: number;
  /** Whether a line end stands behind it. */
  ended: boolean;
  /** The lines before it where a row begins whose quotes do not match. */
  damaged: number[];
}

/** Reads CSV (RFC 4180) row by row; its first line names the columns. */
export async function* readCsvRows(whole: AsyncGenerator<string>, options: RowsOptions): AsyncGenerator<Row> {
  const { delimiter, text } = await findDelimiter(whole);
  const { CsvError, parse } = await import('csv-parse'); // Only an import needs it.
  const counter = createLineCounter();
  const log = new LineLog();
  const places: Place[] = []; // Of the rows that the parser has read and the loop below has not.
  let damaged: number[] = [];
  let nextLine = 1; // Where the row begins that is not read yet.
  let unread = 0; // Characters of it.
  const parser = parse({
    bom: true,
    delimiter,
    record_delimiter: ['\r\n', '\n', '\r'],
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (parsed, { lines: current, raw = '' }) => {
      const ended = /[\r\n]$/.test(raw);
      places.push({ line: counter.first(current, raw), ended, damaged });
      counter.pass(raw);
      if (ended) [nextLine, unread] = [counter.next(current) + 1, 0];
      damaged = [];
      return parsed;
    },
    on_skip: (error, raw = '') => {
      const line = counter.first(Number(error instanceof CsvError && error.lines), raw);
      if (damaged.at(-1) !== line) damaged.push(line); // One row may have several such places.
      return undefined;
    },
  });
  /** Why the text ended before its end, if it did. */
  const end: { failure?: { error: unknown }; isTooLong: boolean } = { isTooLong: false };
  async function* measured(): AsyncGenerator<string> {
    for await (const chunk of text) {
      unread += chunk.length;
      end.isTooLong = unread > longestRow;
      if (end.isTooLong) return; // Which row it is, the parser knows when it is through.
      yield chunk;
    }
  }
  async function* feed(): AsyncGenerator<string> {
    try {
      for await (const chunk of unwrapFormulas(measured(), delimiter)) {
        log.push(chunk);
        yield chunk;
      }
    } catch (error) {
      end.failure = { error }; // The parser ends as if the file did, so that what it has read is not lost.
    }
  }
  pipeline(Readable.from(feed()), parser, () => undefined); // What fails, fails in the loop below.

  const describe = function* (lines: readonly number[], next: number): Generator<Row> {
    for (const [i, line] of lines.entries()) yield describeDamage(log, line, (lines[i + 1] ?? next) - 1);
  };
  let read: ((record: readonly string[], place: Place) => Row | undefined) | undefined;
  const marks = new MarkWatch();
  for await (const { record } of parser as AsyncIterable<{ record: string[] }>) {
    const place = places.shift() ?? { line: 0, ended: true, damaged: [] };
    if ((end.failure || end.isTooLong) && !place.ended) break; // It is not all of the row.
    if (read === undefined) {
      if (place.damaged.length > 0) throw badHeader();
      if (!place.ended) throw cutOff('its first line ends in the middle, and no row follows');
      read = createRecordReader(record, options, marks);
    } else {
      yield* describe(place.damaged, place.line);
      const row = read(record, place);
      if (row) yield row;
    }
    log.forgetBefore(place.line);
  }
  if (end.isTooLong) throw rowTooLong(`the row in line ${nextLine}`);
  if (end.failure) throw end.failure.error;
  if (read !== undefined) yield* describe(damaged, counter.next(parser.info.lines));
  else if (damaged.length > 0) throw badHeader();
  else throw new ShelflistError('failed', { message: 'the file is empty' });
  if (marks.isCutOff) throw exportCutOff();
}

/** Learns from the header what the cells of the other rows mean. */
function createRecordReader(header: readonly string[], { chosen, onStart }: RowsOptions, marks: MarkWatch) {
  const mapping = mapColumns(header, chosen);
  const isExport = [true, false].some((withIds) => exportHeader(withIds).join() === header.join());
  if (isExport) marks.expect();
  onStart({ mapping, header });
  return (record: readonly string[], { line, ended }: Place): Row | undefined => {
    if (record.length < header.length && !ended) throw cutOff(`line ${line} ends in the middle`);
    const row = { line, unit: 'line', original: record } as const;
    const isShort = isExport && record.length < header.length;
    if (isShort || record.slice(header.length).some((cell) => cell !== ''))
      return {
        ...row,
        reason: `it has ${counted(record.length, 'cell')} for ${counted(header.length, 'column')}`,
      };
    const cell = (field: Field) => {
      const { at = -1, instead = -1 } = mapping[field] ?? {};
      return record[at] || record[instead] || '';
    };
    if (isExport) marks.see(record[header.indexOf(markName)]);
    const [title, author, year] = [cell('title'), cell('author'), cell('year')];
    // An export of nothing has one row: its mark. In every other row of an export there is a year.
    if (isExport && title + author + year === '' && record.at(-1) === 'whole') return undefined;
    return { ...row, ...parseRecord({ title, author, year }, isExport && year !== '') };
  };
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
function describeDamage(log: LineLog, line: number, last: number): Row {
  const reason = `its quotes do not match${last > line ? ` (up to line ${last})` : ''}`;
  return { line, unit: 'line', original: log.between(line, last), reason };
}

function badHeader(): ShelflistError {
  return new ShelflistError('failed', { message: 'the quotes of the first line do not match' });
}
