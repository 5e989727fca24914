import { pipeline, Readable } from 'node:stream';
import { ShelflistError } from '../../errors.ts';
import { exportHeader, markName, MarkWatch } from '../export/mark.ts';
import { mapColumns, type Field } from './columns.ts';
import { findDelimiter } from './delimiter.ts';
import { parseRecord } from './record.ts';
import { cutOff, type Row, type RowsOptions } from './row.ts';

/** What is known of a row before its cells are read. */
interface Place {
  line: number;
  /** Whether a line end stands behind it. */
  ended: boolean;
  /** Rows before it whose quotes do not match. */
  damaged: Damaged[];
}

interface Damaged {
  line: number;
  raw: string;
}

/** Longer than any book that a service takes, in characters: the quote in front of such a row is never closed. */
const longestRow = 16 * 1024 * 1024;

/** Reads CSV (RFC 4180) row by row; its first line names the columns. */
export async function* readCsvRows(whole: AsyncGenerator<string>, options: RowsOptions): AsyncGenerator<Row> {
  const { delimiter, text } = await findDelimiter(whole);
  const { CsvError, parse } = await import('csv-parse'); // Only an import needs it.
  const lines = createLineCounter();
  const places: Place[] = []; // Of the rows that the parser has read and the loop below has not.
  let damaged: Damaged[] = [];
  let unread = 0; // Characters that have become no row yet.
  const parser = parse({
    bom: true,
    delimiter,
    raw: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    on_record: (parsed, { lines: current, raw = '' }) => {
      unread = 0;
      places.push({ line: lines.first(current, raw), ended: /[\r\n]$/.test(raw), damaged });
      lines.pass(raw);
      damaged = [];
      return parsed;
    },
    on_skip: (error, raw = '') => {
      unread = 0;
      const line = lines.first(Number(error instanceof CsvError && error.lines), raw);
      if (damaged.at(-1)?.line !== line) damaged.push({ line, raw }); // One row may have several such places.
      return undefined;
    },
  });
  const fed = tapped(text, (chunk) => {
    unread += chunk.length;
    if (unread <= longestRow) return;
    throw new ShelflistError('failed', {
      message: `no row ends within 16 MiB behind line ${lines.next(parser.info.lines)}: is a quote not closed there?`,
    });
  });
  pipeline(Readable.from(fed), parser, () => undefined); // What fails, fails in the loop below.

  let read: ((record: readonly string[], place: Place) => Row | undefined) | undefined;
  const marks = new MarkWatch();
  for await (const { record } of parser as AsyncIterable<{ record: string[] }>) {
    const place = places.shift() ?? { line: 0, ended: true, damaged: [] };
    if (read === undefined) {
      if (place.damaged.length > 0) throw badHeader();
      read = createRecordReader(record, options, marks);
    } else {
      yield* describeDamage(place.damaged, place.line);
      const row = read(record, place);
      if (row) yield row;
    }
  }
  if (read !== undefined) yield* describeDamage(damaged, lines.next(parser.info.lines));
  else if (damaged.length > 0) throw badHeader();
  else throw new ShelflistError('failed', { message: 'the file is empty' });
  if (marks.isCutOff) throw cutOff('it is an export, and its last book is missing');
}

/** Learns from the header what the cells of the other rows mean. */
function createRecordReader(header: readonly string[], { chosen, onStart }: RowsOptions, marks: MarkWatch) {
  const mapping = mapColumns(header, chosen);
  const isExport = [true, false].some((withIds) => exportHeader(withIds).join() === header.join());
  if (isExport) marks.expect();
  onStart({ mapping, unit: 'line', header });
  return (record: readonly string[], { line, ended }: Place): Row | undefined => {
    if (record.length < header.length && (isExport || !ended)) {
      if (!ended) throw cutOff(`line ${line} ends in the middle`);
      return { line, original: record, reason: `it has ${record.length} of ${header.length} columns` };
    }
    const cell = (field: Field) => record[mapping[field]?.at ?? -1] ?? '';
    if (isExport) marks.see(record[header.indexOf(markName)]);
    const [title, author, year] = [cell('title'), cell('author'), cell('year')];
    // An export of nothing has one row: its mark. In every other row of an export there is a year.
    if (isExport && title + author + year === '' && record.at(-1) === 'whole') return undefined;
    return { line, original: record, ...parseRecord({ title, author, year }, isExport && year !== '') };
  };
}

async function* tapped(text: AsyncGenerator<string>, see: (chunk: string) => void): AsyncGenerator<string> {
  for await (const chunk of text) {
    see(chunk);
    yield chunk;
  }
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
function* describeDamage(damaged: readonly Damaged[], next: number): Generator<Row> {
  for (const [i, { line, raw }] of damaged.entries()) {
    const last = (damaged[i + 1]?.line ?? next) - 1;
    const reason = `its quotes do not match${last > line ? ` (up to line ${last})` : ''}`;
    yield { line, original: raw, reason };
  }
}

function badHeader(): ShelflistError {
  return new ShelflistError('failed', { message: 'the quotes of the first line do not match' });
}
