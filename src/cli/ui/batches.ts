import type { Book } from '../../catalogue/book.ts';
import type { Client } from '../../client/client.ts';
import { Edit } from '../../client/edits.ts';
import { CommandError, isFailure, withMessage } from '../command-error.ts';
import { counted, notice, programName, show, writeJson, type Io } from '../io.ts';
import { maxInFlight } from '../ids.ts';
import { ask } from '../prompt.ts';
import { withInterrupt } from './interrupt.ts';
import { createProgress, noProgress } from './progress.ts';
import { describeBook } from './records.ts';

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
  const printResult = async (document: unknown) => {
    isTold = await writeJson(io, document);
  };
  const advise = () => {
    const state = changed();
    if (!isTold && state !== false) adviseUndo(io, batch(), state);
  };
  const work = async (signal: AbortSignal) => {
    try {
      return await run(signal, printResult);
    } finally {
      advise();
    }
  };
  return withInterrupt(io, work, { onSecond: advise });
}

/** An edit of many books by a command. */
interface EditRun {
  /** The number of books to write. */
  readonly total: number;
  readonly write: (edit: Edit, signal: AbortSignal) => Promise<void>;
  /** Reports what was done, however the edit ends. With `json`, returns the document. */
  readonly report: (edit: Edit) => unknown;
  readonly json: boolean;
}

/**
 * Edits books, and says how to take it back, however it ends.
 *
 * @throws {CommandError} `interrupted`, or the first error.
 */
export async function runEdit(
  io: Io,
  client: Client,
  { total, write, report, json }: EditRun,
): Promise<Edit> {
  const progress = total > 1 ? createProgress(io, total, 'books') : noProgress;
  const edit = new Edit(client, {
    maxInFlight,
    onProgress({ done, skipped }) {
      progress.update(done.length + skipped.length, done.length);
    },
  });
  const run: BatchWork<void>['run'] = async (signal, printResult) => {
    progress.start();
    try {
      await write(edit, signal);
    } catch (error) {
      throw signal.aborted && error === signal.reason ? interrupted(edit.done.length, total) : error;
    } finally {
      progress.stop();
      const document = report(edit);
      if (json) await printResult(document);
    }
  };
  await runBatch(io, { batch: () => edit.batch, changed: () => edit.hasChanged, run });
  return edit;
}

function interrupted(count: number, total: number): CommandError {
  return new CommandError('interrupted', {
    message: `interrupted after ${count} of ${counted(total, 'book')}`,
  });
}

/** Shows the first of the books that a command is about to write. */
export function preview(io: Io, books: readonly (Pick<Book, 'id'> & Partial<Book>)[]): void {
  for (const book of books.slice(0, maxPreviewed)) show(io, describeBook(book));
  if (books.length > maxPreviewed) show(io, `… and ${books.length - maxPreviewed} more`);
}

/** Tells which books an edit has skipped. */
export function noteSkipped(io: Io, ids: readonly number[]): void {
  if (ids.length > 0) notice(io, `skipped ${counted(ids.length, 'book')}: ${listIds(ids)}`);
}

/** @throws {CommandError} `failed`: an edit has skipped books. */
export function failIfSkipped(ids: readonly number[]): void {
  if (ids.length > 0)
    throw new CommandError('failed', {
      message: `skipped ${counted(ids.length, 'book')} changed or deleted meanwhile`,
    });
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
