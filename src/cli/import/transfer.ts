import type { Client } from '../../client/client.ts';
import type { Io } from '../io.ts';
import type { SessionOptions } from '../login.ts';
import { createProgress, noProgress, type Progress } from '../progress.ts';
import { withSession } from '../session.ts';
import { inBatches } from './batches.ts';
import type { Chosen } from './columns.ts';
import { handled, reject, type Outcome } from './outcome.ts';
import { openRejects, type Rejects } from './rejects.ts';
import type { Row, RowsStart } from './row.ts';
import { readRows } from './rows.ts';
import { openSource, type Source } from './source.ts';
import { createTarget, type OnDuplicate, type Result, type Target } from './target.ts';

/** What goes to the service in one request: its store writes it together, and a first answer comes soon. */
const batchOptions = { maxRows: 1000, maxCharacters: 1024 * 1024, patienceMs: 100 };

export interface TransferOptions extends SessionOptions {
  map?: Chosen;
  onDuplicate: OnDuplicate;
  rejects?: string;
  dryRun?: boolean;
}

/** What is told of the work while it goes on, and what can end it. */
export interface Watch {
  outcome: Outcome;
  signal: AbortSignal;
  /** Told once, when it is known which columns hold what. */
  onStart: (start: RowsStart) => void;
}

/** Reads a file, and brings its rows to the service. */
export async function transfer(
  io: Io,
  file: string,
  options: TransferOptions,
  { outcome, signal, onStart }: Watch,
): Promise<void> {
  const rejects = await openRejects(io, options.dryRun ? undefined : options.rejects);
  const failed = new AbortController(); // A row that fails ends the source too: it may have nothing more to say.
  const stop = AbortSignal.any([signal, failed.signal]);
  const run = async (source: Source, target: Target) => {
    const isTyped = file === '-' && io.stdin.isTTY === true; // A bar would get in the way.
    const progress = isTyped ? noProgress : await createProgress(io, source.size, 'books');
    try {
      await send(source, target, {
        rejects,
        progress,
        outcome,
        stop,
        failed,
        chosen: options.map ?? {},
        onStart,
      });
    } finally {
      progress.stop();
    }
  };
  try {
    const source = await openSource(io, file, stop);
    const start = async (client?: Client) => run(source, await createTarget(client, options, signal));
    if (options.dryRun && options.onDuplicate === 'add') await start();
    else await withSession(io, options, start);
  } finally {
    await rejects.close();
  }
}

interface Work {
  rejects: Rejects;
  progress: Progress;
  outcome: Outcome;
  stop: AbortSignal;
  failed: AbortController;
  chosen: Chosen;
  onStart: (start: RowsStart) => void;
}

async function send(source: Source, target: Target, work: Work): Promise<void> {
  const { rejects, progress, outcome, stop, failed, chosen, onStart } = work;
  const rows = readRows(source.chunks, {
    chosen,
    onStart: (start) => {
      outcome.start = start;
      rejects.start(start);
      onStart(start);
      progress.start();
    },
  });
  try {
    for await (const batch of inBatches(until(stop, rows), batchOptions)) {
      const results = await target.bring(batch);
      for (const [i, row] of batch.entries()) await note(work, row, results[i] ?? 'added');
      progress.update(source.bytesRead(), handled(outcome));
    }
  } catch (error) {
    failed.abort(); // Else the reading would wait for what may never come.
    throw error;
  }
}

async function note({ outcome, rejects }: Work, row: Row, result: Result): Promise<void> {
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
    if (!signal.aborted) throw error; // Else it is the source, which was told to stop.
  }
}
