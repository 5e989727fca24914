import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { CommandError } from '../../command-error.ts';
import { fileFormats, formatOfFile, isParsedFormat, type FormatName } from '../../../formats/file-formats.ts';
import type { Client } from '../../../client/client.ts';
import type { ColumnOverrides } from '../../../import/column-parts.ts';
import { countDone, importBooks, type Report } from '../../../import/import-books.ts';
import type { BookChange } from '../../../import/match.ts';
import { withoutFarYears } from '../../../import/far-years.ts';
import { findEncoding, optionsOfFile, readBooks } from '../../../import/read-books.ts';
import type { Reading } from '../../../import/judge-encoding.ts';
import type { BookRow, ReadOptions, FileHeader } from '../../../import/row.ts';
import type { EarlierRows } from '../../../import/repeats.ts';
import type { OnDuplicate } from '../../../import/write-chunk.ts';
import { plain, show, type Io } from '../../io.ts';
import { ask } from '../../prompt.ts';
import { withSession } from '../../session/session.ts';
import type { SessionOptions } from '../../session/target.ts';
import { createProgress, noProgress } from '../../ui/progress.ts';
import { requireColumns } from './report.ts';
import { openRejects, type Rejects } from './rejects.ts';
import { openSource, type Source } from './source.ts';

export interface TransferOptions extends SessionOptions {
  format?: FormatName;
  map?: ColumnOverrides;
  /** Default: `add`; of rows that stand for books, `skip`, so that repeating an import adds nothing twice. */
  onDuplicate?: OnDuplicate;
  /** The column that identifies the book of a row. */
  match?: 'id';
  /** `false`: the first line is a book. */
  header?: boolean;
  sheet?: string;
  delimiter?: string;
  encoding?: string;
  yearRequired?: boolean;
  rejects?: string;
  dryRun?: boolean;
}

/** Observes an import, and can stop it. */
interface Watch {
  readonly batch: string;
  /** The rows of the files before, if there are several. */
  readonly earlier: EarlierRows | undefined;
  readonly signal: AbortSignal;
  /** Called once, when the columns are known. */
  readonly onStart: (start: FileHeader) => void;
  /** Called with the encoding of the file, if it is not ASCII. */
  readonly onEncoding: (encoding: string) => void;
  /** Called with each change that a dry run finds. */
  readonly onChange: (row: BookRow, change: BookChange) => void;
}

/** Imports a file. @throws What prevents the start. What ends the import early is in the report. */
export async function runImport(
  io: Io,
  file: string,
  options: TransferOptions,
  watch: Watch,
): Promise<Report> {
  const { match, dryRun = false, onDuplicate = match === undefined ? 'add' : 'skip' } = options;
  const rejects =
    dryRun || options.rejects === undefined ? undefined : await openRejects(io, options.rejects);
  const failed = new AbortController();
  let report: Report | undefined;
  try {
    const source = await openSource(io, file, AbortSignal.any([watch.signal, failed.signal]));
    const encoding = await encodingAhead(io, file, source, options, watch.signal);
    const run = async (client?: Client) => {
      report = await send(io, file, source, {
        ...options,
        chosenEncoding: encoding,
        client,
        dryRun,
        onDuplicate,
        rejects,
        failed,
        watch,
      });
      if (report.failure !== undefined) throw report.failure as Error;
      return report;
    };
    if (dryRun && onDuplicate === 'add' && match === undefined) return await run();
    return await withSession(io, options, run);
  } catch (error) {
    if (report === undefined) throw error;
    return { ...report, failure: error }; // The session says how to log in, where that is the failure.
  } finally {
    await rejects?.close();
  }
}

/**
 * Asks which encoding a file has, if that is uncertain, before any of its rows is sent: the first byte that tells may be far from
 * the start. A pipe can be read only once: there, the question comes with that byte.
 */
async function encodingAhead(
  io: Io,
  file: string,
  { size }: Source,
  options: TransferOptions,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (size === undefined || options.dryRun === true || options.encoding !== undefined) return undefined;
  const { chunks } = await openSource(io, file, signal);
  return findEncoding(chunks, { ...readingOptions(io, file, options), signal });
}

/**
 * Reads a file to its end, and writes nothing: before the first of several files is imported, each must be good.
 *
 * @returns What was asked: the sheet of a workbook, the encoding of a text.
 * @throws What would end its import early.
 */
export async function checkFile(
  io: Io,
  file: string,
  options: TransferOptions,
  signal: AbortSignal,
): Promise<Pick<TransferOptions, 'sheet' | 'encoding'>> {
  const found = await stat(resolve(io.directory, file)).catch(() => undefined); // Opening it tells what is wrong.
  if (file === '-' || (found && !found.isFile() && !found.isDirectory()))
    throw new CommandError('usage', { message: 'it can be read only once; import it alone' });
  const source = await openSource(io, file, signal);
  let sheet: string | undefined;
  let { encoding } = options;
  const reading = readingOptions(io, file, options);
  const ask = reading.askEncoding;
  const onStart = (start: FileHeader) => {
    checkHeader(file, start, options);
    ({ sheet } = start);
  };
  const rows = readBooks(source.chunks, {
    ...reading,
    askEncoding: ask && (async (readings) => (encoding = await ask(readings))),
    lookUp: () => Promise.resolve({ title: '', author: '', year: 0 }), // The import asks.
    signal,
    onStart,
  });
  while ((await rows.next()).done !== true);
  return { ...(sheet !== undefined && { sheet }), ...(encoding !== undefined && { encoding }) };
}

/** @throws {CommandError} `usage`: an option of columns for a format without them. */
function refuseColumns(
  format: FormatName,
  { map = {}, match, header, delimiter }: Omit<TransferOptions, 'rejects'>,
): void {
  const given = {
    '--map': Object.keys(map).length > 0,
    '--match': match,
    '--no-header': header === false,
    '--delimiter': delimiter,
  };
  const [option] = Object.entries(given).find(([, value]) => value) ?? [];
  if (option)
    throw new CommandError('usage', {
      message: `${option} does not apply to ${fileFormats[format].name}, which has no columns`,
    });
}

/** @throws {CommandError} `usage`: the file does not have what an option names, or a column is missing. */
function checkHeader(file: string, start: FileHeader, options: Omit<TransferOptions, 'rejects'>): void {
  const { sheet, map = {}, match } = options;
  if (start.format !== undefined) refuseColumns(start.format, options);
  if (sheet !== undefined && start.sheet === undefined)
    throw new CommandError('usage', { message: `--sheet is for workbooks, and ${file} is not one` });
  requireColumns(start, map, match !== undefined);
}

interface Work extends Omit<TransferOptions, 'rejects'> {
  /** The answer to the question of the encoding, if it was asked before. */
  readonly chosenEncoding: string | undefined;
  readonly client: Client | undefined;
  readonly dryRun: boolean;
  readonly onDuplicate: OnDuplicate;
  readonly rejects: Rejects | undefined;
  /** Ends reading after a failed request: the source may never deliver another row. */
  readonly failed: AbortController;
  readonly watch: Watch;
}

async function send(io: Io, file: string, source: Source, work: Work): Promise<Report> {
  const { client, dryRun, onDuplicate, rejects, failed, watch } = work;
  const isTyped = file === '-' && io.stdin.isTTY === true; // A progress bar would overwrite what is typed.
  const progress = isTyped ? noProgress : createProgress(io, source.size, 'books');
  const onStart = (start: FileHeader) => {
    checkHeader(file, start, work);
    rejects?.start(start);
    watch.onStart(start);
    progress.start();
  };
  try {
    return await importBooks({
      client,
      batch: watch.batch,
      ...(watch.earlier !== undefined && { earlier: watch.earlier, file }),
      onDuplicate,
      dryRun,
      signal: watch.signal,
      open: (signal) => {
        signal.addEventListener('abort', () => {
          failed.abort();
        });
        // A dry run has no session unless it needs one.
        const lookUp = (isbn: string, ended: AbortSignal) =>
          client === undefined
            ? withSession(io, work, (other) => other.lookUpIsbn(isbn, { signal: ended }))
            : client.lookUpIsbn(isbn, { signal: ended });
        const rows = readBooks(source.chunks, {
          ...readingOptions(io, file, work),
          ...(work.chosenEncoding !== undefined && { askEncoding: () => work.chosenEncoding }),
          signal,
          onStart,
          onEncoding: watch.onEncoding,
          lookUp,
        });
        if (dryRun || !canAsk(io, file)) return rows; // They have a note on the year.
        const ask = async (row: BookRow, year: number) => {
          progress.stop();
          const areRight = await askFarYear(io, row, year);
          progress.start();
          return areRight;
        };
        return withoutFarYears(rows, { ask, needsYear: work.yearRequired });
      },
      onChange: watch.onChange,
      onResult: (row, result) =>
        typeof result === 'string' || result.problem.code === 'total'
          ? undefined
          : rejects?.add(row, result.problem),
      onProgress: (report) => {
        progress.update(source.bytesRead(), countDone(report));
      },
    });
  } finally {
    progress.stop();
  }
}

/** @throws {CommandError} `usage`: an option of columns for a format without them. */
function readingOptions(
  io: Io,
  file: string,
  options: Omit<TransferOptions, 'rejects'>,
): Omit<ReadOptions, 'onStart' | 'onEncoding'> {
  const named = options.format ?? formatOfFile(file);
  if (isParsedFormat(named)) refuseColumns(named, options);
  const isAsked = canAsk(io, file);
  return {
    ...optionsOfFile(file, options.format),
    chosen: options.map ?? {},
    isMatched: options.match !== undefined,
    isHeadless: options.header === false,
    sheet: options.sheet,
    askSheet: isAsked ? (sheets) => askSheet(io, sheets) : undefined,
    delimiter: options.delimiter,
    encoding: options.encoding,
    askEncoding: isAsked ? (readings) => askEncoding(io, readings) : undefined,
    needsYear: options.yearRequired,
  };
}

/** Whether somebody can answer questions about a file. A terminal that sends the rows cannot. */
function canAsk(io: Io, file: string): boolean {
  return file !== '-' && io.stdin.isTTY === true;
}

/** Asks whether years in the far future are right. No answer means yes. */
async function askFarYear(io: Io, { unit, line }: BookRow, year: number): Promise<boolean> {
  const answer = await ask(io, `${unit} ${line} has the year ${year}. Keep such years? [Y/n] `);
  return !/^\s*n/i.test(answer ?? '');
}

/** Asks for one of several sheets; `undefined` if there is no answer. */
function askSheet(io: Io, sheets: readonly string[]): Promise<string | undefined> {
  return choose(io, 'the file has several sheets', 'Import which one?', sheets, sheets);
}

/** Asks for one of several encodings; `undefined` if there is no answer. */
function askEncoding(io: Io, readings: readonly Reading[]): Promise<string | undefined> {
  const names = readings.map(({ encoding }) => encoding);
  const lines = readings.map(({ encoding, sample }) => `${encoding}: ${plain(sample)}`);
  return choose(io, 'the encoding of the file is uncertain', 'Which line is right?', names, lines);
}

/** Asks for one of several names, by its number or itself. */
async function choose(
  io: Io,
  what: string,
  question: string,
  names: readonly string[],
  lines: readonly string[],
): Promise<string | undefined> {
  show(io, `${what}:\n${lines.map((line, i) => `  ${i + 1}  ${line}`).join('\n')}`);
  const answer = (await ask(io, `${question} [1-${names.length}] `))?.trim() ?? '';
  return names[Number(answer) - 1] ?? (answer === '' ? undefined : answer);
}
