import { eachAtOnce } from '../../lib/semaphore.ts';
import { newBatch } from '../../catalogue/batch.ts';
import type { Book } from '../../catalogue/book.ts';
import { hasCode } from '../../catalogue/errors.ts';
import { CommandError, isFailure, withMessage } from '../command-error.ts';
import { counted, notice, programName, writeJson, type Io } from '../io.ts';
import { ask } from '../prompt.ts';
import { withInterrupt } from './interrupt.ts';
import { createProgress, noProgress } from './progress.ts';
import { describeBook } from './records.ts';

/** The maximum number of requests that a command has in flight. */
export const maxInFlight = 32;
/** The number of books that a preview lists. */
const maxPreviewed = 10;
/** The maximum number of ranges in a message. */
const maxListedRanges = 20;

/** Whether a command has changed a book; `perhaps`: the service did not answer. */
export type Changed = boolean | 'perhaps';

/** Says how to take back what a command did. */
function adviseUndo(io: Io, batch: string | undefined, changed: Changed): void {
  const line = `${programName(io)} undo`;
  const condition = changed === 'perhaps' ? ', if it did happen' : '';
  // The service names the batch of an undo: without its answer, only the list tells.
  notice(
    io,
    batch === undefined
      ? `to see what was done: ${line} --list`
      : `to take this back${condition}: ${line} ${batch}`,
  );
}

/** Adds advice on how to complete the work, except to an error that would recur (`failed`). */
export function withAdvice(error: unknown, advice: string): unknown {
  if (!isFailure(error) || error.code === 'failed') return error;
  return withMessage(error, `${error.message}; ${advice}`);
}

/** What a command does in a batch. */
interface BatchWork<Result> {
  /** Its id; `undefined` until the service has named it. */
  readonly batch: () => string | undefined;
  readonly changed: () => Changed;
  /** @param tell Writes the result as JSON, with the batch. */
  readonly run: (signal: AbortSignal, tell: (document: unknown) => Promise<void>) => Promise<Result>;
}

/** Writes books until a signal, and says how to take them back, however it ends; of JSON, only if the reader did not get it. */
export async function runBatch<Result>(io: Io, { batch, changed, run }: BatchWork<Result>): Promise<Result> {
  let isTold = false;
  const tell = async (document: unknown) => {
    isTold = await writeJson(io, document);
  };
  const advise = () => {
    const state = changed();
    if (!isTold && state !== false) adviseUndo(io, batch(), state);
  };
  const work = async (signal: AbortSignal) => {
    try {
      return await run(signal, tell);
    } finally {
      advise();
    }
  };
  return withInterrupt(io, work, { onSecond: advise });
}

/** The writes of a command, as one batch. */
interface BatchWrites<Item extends { readonly id: number }> {
  readonly items: readonly Item[];
  /** Default: many at once, because the service writes them together. */
  readonly maxAtOnce?: number;
  /** Writes one book; `false`: it was skipped. */
  readonly write: (item: Item, batch: string) => Promise<boolean>;
  /** Reports what was done, however the writes end: ids in the order of the writes. With `json`, returns the document. */
  readonly report: (written: BatchResult) => unknown;
  readonly json: boolean;
}

interface BatchResult {
  readonly batch: string;
  readonly done: number[];
  readonly skipped: number[];
}

/**
 * Writes books in one batch, and says how to take it back, however it ends. After a signal, the writes in flight end, and no
 * others begin.
 *
 * @throws {CommandError} `interrupted`, or the first error.
 */
export async function writeBatch<Item extends { readonly id: number }>(
  io: Io,
  { items, maxAtOnce = maxInFlight, write, report, json }: BatchWrites<Item>,
): Promise<BatchResult> {
  const batch = newBatch();
  const [done, skipped]: [number[], number[]] = [[], []];
  let uncertain = 0; // The writes in flight, and those that failed without an answer.
  const progress = items.length > 1 ? createProgress(io, items.length, 'books') : noProgress;
  const writeAll = (signal: AbortSignal) =>
    eachAtOnce(items, maxAtOnce, async (item) => {
      if (signal.aborted) throw interrupted(done.length, items.length);
      uncertain++;
      try {
        ((await write(item, batch)) ? done : skipped).push(item.id);
        uncertain--;
      } catch (error) {
        if (!isUncertain(error)) uncertain--;
        throw error;
      }
      progress.update(done.length + skipped.length, done.length);
    });
  await runBatch(io, {
    batch: () => batch,
    changed: () => done.length > 0 || (uncertain > 0 && 'perhaps'),
    async run(signal, tell) {
      progress.start();
      try {
        await writeAll(signal);
      } finally {
        progress.stop();
        const document = report({ batch, done, skipped });
        if (json) await tell(document);
      }
    },
  });
  return { batch, done, skipped };
}

/** Whether the service may have carried out the write that failed. */
export function isUncertain(error: unknown): boolean {
  if (
    !hasCode(
      error,
      'unreachable',
      'timeout',
      'unavailable',
      'request_in_progress',
      'internal',
      'store_damaged',
      'bad_response',
    )
  )
    return false;
  for (let each: unknown = error; each instanceof Error; each = each.cause)
    if (['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'].includes(String((each as NodeJS.ErrnoException).code)))
      return false;
  return true;
}

function interrupted(count: number, total: number): CommandError {
  return new CommandError('interrupted', {
    message: `interrupted after ${count} of ${counted(total, 'book')}`,
  });
}

/** Shows the first of the books that a command is about to write. */
export function preview(io: Io, books: readonly (Pick<Book, 'id'> & Partial<Book>)[]): void {
  for (const book of books.slice(0, maxPreviewed)) notice(io, describeBook(book));
  if (books.length > maxPreviewed) notice(io, `… and ${books.length - maxPreviewed} more`);
}

/** Lists ids as ranges: `3, 28..18212`. */
export function listIds(ids: readonly number[], maxRanges = maxListedRanges): string {
  const ranges: { first: number; last: number }[] = [];
  for (const id of [...ids].sort((a, b) => a - b)) {
    const range = ranges.at(-1);
    if (range !== undefined && id <= range.last + 1) range.last = id;
    else ranges.push({ first: id, last: id });
  }
  const texts = ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}..${last}`));
  const more = texts.length > maxRanges ? [`… (${texts.length - maxRanges} more)`] : [];
  return [...texts.slice(0, maxRanges), ...more].join(', ');
}

/**
 * Asks for confirmation on a terminal.
 *
 * @param ifStopped What the error says if the user declines.
 * @throws {CommandError} `failed`: declined; `interrupted`.
 */
export async function confirm(io: Io, question: string, ifStopped: string): Promise<void> {
  const answer = await ask(io, `${question} [y/N] `, { ifStopped });
  if (!/^y(es)?$/i.test(answer?.trim() ?? '')) throw new CommandError('failed', { message: ifStopped });
}

/** Requires `--yes` without a terminal. @throws {CommandError} `usage` */
export function requireTerminal(io: Io, action: string): void {
  if (io.stdin.isTTY === true) return;
  throw new CommandError('usage', { message: `${action} without a terminal needs --yes` });
}
