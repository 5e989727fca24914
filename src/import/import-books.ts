// The import as a whole: reads the rows of a file, writes them chunk by chunk, and counts what became of them.
import { createPauses } from '../lib/pauses.ts';
import { textLength, type BookFields } from '../catalogue/book.ts';
import { inChunks } from './chunks.ts';
import type { RowNote, RowProblem } from '../formats/problems.ts';
import type { BookRow } from './row.ts';
import { ChunkWriter, type Result, type WriteOptions, type Written } from './write-chunk.ts';

/** What an import has done so far; of a dry run, what it would do. */
export interface Report {
  added: number;
  updated: number;
  /** Rows with the id of a book that ask for no change. */
  unchanged: number;
  skipped: number;
  rejected: number;
  /** Of the rejected rows, those that are totals of a table, and no books. */
  totals: number;
  /** The first of the rows that were left out. */
  rejects: Reject[];
  /** Books that somebody should look at, and the first of them; they are counted above, too. */
  noted: number;
  notes: NotedRow[];
  /** The ids of the added books. */
  ids: readonly number[];
  /** The first books of the file. */
  samples: BookFields[];
  /** Why it ended before the end of the file; the rows before are done. */
  failure?: unknown;
}

/** A row that was left out. */
type Reject = Pick<BookRow, 'line' | 'unit'> & { readonly problem: RowProblem };
/** A row that is a book, and what to know of it. */
type NotedRow = Pick<BookRow, 'line' | 'unit'> & { readonly notes: readonly RowNote[] };

/** One request: large enough for the store to write parts of it at the same time, small enough for early progress. */
const chunkLimits = { maxRows: 4000, maxCharacters: 2 ** 22, maxWaitMs: 100 };
/** Of the rows that are left out, and of those with notes. */
const maxKept = 1000;
const maxSamples = 5;

export interface ImportOptions extends Omit<WriteOptions, 'onChange'> {
  /** Stops the import after the chunk that is on its way. */
  readonly signal: AbortSignal;
  /** Reads the rows. The signal ends reading: a request has failed, or nobody wants the rest. */
  readonly open: (signal: AbortSignal) => AsyncIterable<BookRow>;
  /** Called with each row, in order. */
  readonly onResult?: (row: BookRow, result: Result) => void | Promise<void>;
  /** Called after each chunk. */
  readonly onProgress?: (report: Report) => void | Promise<void>;
  readonly onChange?: WriteOptions['onChange'];
}

/**
 * Imports the rows of a file, chunk by chunk. All of it is one batch.
 *
 * @returns What was done, also after a failure.
 */
export async function importBooks(options: ImportOptions): Promise<Report> {
  const { open, onResult, onProgress, signal, onChange = () => undefined } = options;
  const writer = new ChunkWriter({ ...options, onChange });
  const report = emptyReport(writer.ids);
  const isAborted = () => signal.aborted;
  const finish = async (chunk: readonly BookRow[], { results, failure }: Written) => {
    const done = chunk.flatMap((row, i) => {
      const result = results[i];
      return result === undefined ? [] : [{ row, result }];
    });
    for (const { row, result } of done) note(report, row, result); // Also if a call below fails: they are done.
    for (const { row, result } of done) await onResult?.(row, result);
    await onProgress?.(report);
    if (failure !== undefined) throw failure.error;
  };
  // Browsers of 2023 have no `AbortSignal.any`.
  const ended = new AbortController();
  const end = () => {
    ended.abort();
  };
  if (signal.aborted) end();
  signal.addEventListener('abort', end);
  const rows = open(ended.signal);
  try {
    let writing: (() => Promise<void>) | undefined;
    try {
      for await (const chunk of inChunks(until(signal, rows), lengthOf, chunkLimits)) {
        if (signal.aborted) break; // The row was read before.
        const plans = await writer.plan(chunk); // While the chunk before is written.
        const before = writing;
        writing = undefined;
        await before?.();
        if (isAborted()) break;
        const written = writer.write(plans);
        writing = async () => finish(chunk, await written);
      }
    } finally {
      await writing?.();
    }
  } catch (error) {
    end();
    report.failure = error;
  } finally {
    signal.removeEventListener('abort', end);
  }
  return report;
}

/** The number of rows that were processed. */
export function countDone({ added, updated, unchanged, skipped, rejected }: Report): number {
  return added + updated + unchanged + skipped + rejected;
}

/** The report of an import that has done nothing. */
export function emptyReport(ids: readonly number[] = []): Report {
  const counts = { added: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0, totals: 0 };
  return { ...counts, rejects: [], noted: 0, notes: [], ids, samples: [] };
}

function note(report: Report, row: BookRow, result: Result): void {
  if (report.samples.length < maxSamples && 'fields' in row) report.samples.push(row.fields);
  const { line, unit } = row;
  if (typeof result === 'string') {
    report[result]++;
    const notes = 'fields' in row && result !== 'skipped' ? (row.notes ?? []) : [];
    if (notes.length === 0) return;
    report.noted++;
    if (report.notes.length < maxKept) report.notes.push({ line, unit, notes });
    return;
  }
  report.rejected++;
  if (result.problem.code === 'total') report.totals++;
  if (report.rejects.length < maxKept) report.rejects.push({ line, unit, problem: result.problem });
}

function lengthOf(row: BookRow): number {
  return 'fields' in row ? textLength(row.fields) : 0;
}

/** Reads rows until the signal ends it, which is no error. */
async function* until(signal: AbortSignal, rows: AsyncIterable<BookRow>): AsyncGenerator<BookRow> {
  const pause = createPauses(signal);
  try {
    for await (const row of rows) {
      await pause(); // One piece of a file may have many rows.
      if (signal.aborted) return;
      yield row;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
