import type { Client } from '../../../client/client.ts';
import type { Io } from '../../io.ts';
import type { SessionOptions } from '../../session/target.ts';
import { createProgress, noProgress, type Progress } from '../../ui/progress.ts';
import { withSession } from '../../session/session.ts';
import { inBatches } from './batches.ts';
import type { Chosen } from '../../../catalogue/import/columns.ts';
import { type FormatName, formatOfFile, isParsedFormat } from '../../../formats/file-formats.ts';
import { handled, reject, sample, type Outcome } from './outcome.ts';
import { openRejects, type Rejects } from './rejects.ts';
import { readKnownBooks } from './known-books.ts';
import { createMatchSink } from './matching/match-sink.ts';
import type { Row, RowsOptions, RowsStart } from './reading/row.ts';
import { readRows } from './reading/rows.ts';
import { openSource, type Source } from './reading/source.ts';
import { createBookSink, type OnDuplicate, type Result, type BookSink } from './book-sink.ts';

/** One request. Large enough for the store to write efficiently, small enough for early progress. */
const batchOptions = { maxRows: 1000, maxCharacters: 1024 * 1024, maxWaitMs: 100 };

/** An export of no books is an empty file. */
const formatsOfEmptyFiles: readonly (FormatName | undefined)[] = ['ndjson', 'ris', 'bibtex'];

export interface TransferOptions extends SessionOptions {
  format?: FormatName;
  map?: Chosen;
  /** Default: `add`; of rows that stand for books, `skip`, so that repeating an import adds nothing twice. */
  onDuplicate?: OnDuplicate;
  /** What tells the book that a row stands for. */
  match?: 'id';
  delimiter?: string;
  encoding?: string;
  yearRequired?: boolean;
  rejects?: string;
  dryRun?: boolean;
}

/** Observes an import, and can abort it. */
export interface Watch {
  /** The batch of the import. */
  batch: string;
  outcome: Outcome;
  signal: AbortSignal;
  /** Called once, when the columns are known. */
  onStart: (start: RowsStart) => void;
  /** Called with each change that a dry run finds. */
  onChange: (row: Row, change: string) => void;
}

/** Reads a file, and sends its rows to the service. */
export async function transfer(
  io: Io,
  file: string,
  options: TransferOptions,
  { batch, outcome, signal, onStart, onChange }: Watch,
): Promise<void> {
  const rejects = await openRejects(io, options.dryRun ? undefined : options.rejects);
  const failed = new AbortController(); // A failed request aborts reading too: the source may never deliver another row.
  const stop = AbortSignal.any([signal, failed.signal]);
  const run = async (source: Source, target: BookSink) => {
    const isTyped = file === '-' && io.stdin.isTTY === true; // A progress bar would overwrite what is typed.
    const progress = isTyped ? noProgress : createProgress(io, source.size, 'books');
    try {
      await send(source, target, {
        rejects,
        progress,
        outcome,
        stop,
        failed,
        reading: {
          chosen: options.map ?? {},
          format: options.format ?? parsedFormatOf(file),
          isMatched: options.match !== undefined,
          delimiter: options.delimiter,
          encoding: options.encoding,
          needsYear: options.yearRequired,
          mayBeEmpty: formatsOfEmptyFiles.includes(options.format ?? formatOfFile(file)),
          onStart,
        },
      });
    } finally {
      progress.stop();
    }
  };
  try {
    const source = await openSource(io, file, stop);
    const { match, dryRun = false, onDuplicate = match === undefined ? 'add' : 'skip' } = options;
    const start = async (client?: Client) => {
      const wanted = { duplicates: onDuplicate !== 'add', digests: match !== undefined };
      const known = client === undefined ? {} : await readKnownBooks(io, client, wanted, signal);
      const adding = createBookSink(client, { onDuplicate, duplicates: known.duplicates, dryRun, batch });
      outcome.ids = adding.ids;
      const { digests } = known;
      await run(
        source,
        client !== undefined && digests !== undefined
          ? createMatchSink(adding, { client, digests, batch, dryRun, onChange })
          : adding,
      );
    };
    if (dryRun && onDuplicate === 'add' && match === undefined) await start();
    else await withSession(io, options, start);
  } finally {
    await rejects.close();
  }
}

/** The format that the name of a file tells, if the first character would not. */
function parsedFormatOf(file: string): FormatName | undefined {
  const format = formatOfFile(file);
  return isParsedFormat(format) ? format : undefined;
}

interface Work {
  rejects: Rejects;
  progress: Progress;
  outcome: Outcome;
  stop: AbortSignal;
  failed: AbortController;
  reading: RowsOptions;
}

async function send(source: Source, target: BookSink, work: Work): Promise<void> {
  const { rejects, progress, outcome, stop, failed, reading } = work;
  const rows = readRows(source.chunks, {
    ...reading,
    onStart: (start) => {
      outcome.start = start;
      rejects.start(start);
      reading.onStart(start);
      progress.start();
    },
  });
  try {
    for await (const batch of inBatches(until(stop, rows), batchOptions)) {
      const results = await target.write(batch);
      for (const [i, row] of batch.entries()) await note(work, row, results[i] ?? 'added');
      progress.update(source.bytesRead(), handled(outcome));
    }
  } catch (error) {
    failed.abort();
    throw error;
  }
}

async function note({ outcome, rejects }: Work, row: Row, result: Result): Promise<void> {
  sample(outcome, row);
  if (typeof result === 'string') outcome[result]++;
  else {
    reject(outcome, row, result.reason);
    await rejects.add(row, result.reason);
  }
}

async function* until(signal: AbortSignal, rows: AsyncIterable<Row>): AsyncGenerator<Row> {
  try {
    for await (const row of rows) {
      if (signal.aborted) return;
      yield row;
    }
  } catch (error) {
    if (!signal.aborted) throw error; // Else it is the source, which was aborted.
  }
}
