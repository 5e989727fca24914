import { CommandError } from '../../command-error.ts';
import { fileFormats, formatOfFile, isParsedFormat, type FormatName } from '../../../formats/file-formats.ts';
import type { Client } from '../../../client/client.ts';
import type { Chosen } from '../../../import/columns.ts';
import { countDone, importBooks, type Report } from '../../../import/import-books.ts';
import { optionsOfFile, readBooks } from '../../../import/read-books.ts';
import type { BookRow, ReadOptions, Start } from '../../../import/row.ts';
import type { OnDuplicate } from '../../../import/write-chunk.ts';
import { notice, type Io } from '../../io.ts';
import { ask } from '../../prompt.ts';
import { withSession } from '../../session/session.ts';
import type { SessionOptions } from '../../session/target.ts';
import { createProgress, noProgress } from '../../ui/progress.ts';
import { requireColumns } from './report.ts';
import { openRejects, type Rejects } from './rejects.ts';
import { openSource, type Source } from './source.ts';

export interface TransferOptions extends SessionOptions {
  format?: FormatName;
  map?: Chosen;
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
  readonly signal: AbortSignal;
  /** Called once, when the columns are known. */
  readonly onStart: (start: Start) => void;
  /** Called with each change that a dry run finds. */
  readonly onChange: (row: BookRow, change: string) => void;
}

/** Imports a file. @throws What prevents the start. What ends the import early is in the report. */
export async function transfer(
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
    const run = async (client?: Client) => {
      report = await send(io, file, source, {
        ...options,
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

interface Work extends Omit<TransferOptions, 'rejects'> {
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
  const onStart = (start: Start) => {
    if (work.sheet !== undefined && start.sheet === undefined)
      throw new CommandError('usage', { message: `--sheet is for Excel files, and ${file} is not one` });
    requireColumns(start, work.map ?? {}, work.match !== undefined);
    rejects?.start(start);
    watch.onStart(start);
    progress.start();
  };
  try {
    return await importBooks({
      client,
      batch: watch.batch,
      onDuplicate,
      dryRun,
      signal: watch.signal,
      open: (signal) => {
        signal.addEventListener('abort', () => {
          failed.abort();
        });
        return readBooks(source.chunks, { ...readingOptions(io, file, work), signal, onStart });
      },
      onChange: watch.onChange,
      onResult: (row, result) => (typeof result === 'string' ? undefined : rejects?.add(row, result.problem)),
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
): Omit<ReadOptions, 'onStart'> {
  const named = options.format ?? formatOfFile(file);
  if (isParsedFormat(named)) {
    const { map = {}, match, header, delimiter } = options;
    const given = {
      '--map': Object.keys(map).length > 0,
      '--match': match,
      '--no-header': header === false,
      '--delimiter': delimiter,
    };
    const [option] = Object.entries(given).find(([, value]) => value) ?? [];
    if (option)
      throw new CommandError('usage', {
        message: `${option} does not apply to ${fileFormats[named].name}, which has no columns`,
      });
  }
  return {
    ...optionsOfFile(file, options.format),
    chosen: options.map ?? {},
    isMatched: options.match !== undefined,
    isHeadless: options.header === false,
    sheet: options.sheet,
    // A terminal that the rows come from cannot answer.
    askSheet: file !== '-' && io.stdin.isTTY === true ? (sheets) => askSheet(io, sheets) : undefined,
    delimiter: options.delimiter,
    encoding: options.encoding,
    needsYear: options.yearRequired,
  };
}

/** Asks for one of several sheets; `undefined` if there is no answer. */
async function askSheet(io: Io, sheets: readonly string[]): Promise<string | undefined> {
  notice(io, `the file has several sheets:\n${sheets.map((name, i) => `  ${i + 1}  ${name}`).join('\n')}`);
  const answer = (await ask(io, `Import which one? [1-${sheets.length}] `))?.trim() ?? '';
  return sheets[Number(answer) - 1] ?? (answer === '' ? undefined : answer);
}
