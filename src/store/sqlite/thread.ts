import { Worker } from 'node:worker_threads';
import { ShelflistError, type ErrorCode } from '../../errors.ts';
import type { Condition } from '../../query/query.ts';
import type { Position } from '../../query/position.ts';
import type { IdRange } from '../ids.ts';
import type { Page } from '../page.ts';
import { threadCode } from './thread-code.ts';
import type { HistoryLimits, Write, Written } from './writer.ts';

/** What a thread does, each with its arguments and its result. */
export interface Tasks {
  write: (batch: readonly Write[]) => Written[];
  backfill: () => number;
  list: (range: IdRange) => Page;
  find: (condition: Condition, limit: number, after: Position | undefined) => Page;
  count: (condition: Condition) => number;
  changedSince: (seq: number) => IdRange[] | undefined;
}

export type TaskName = keyof Tasks;

/** What a thread is started with. */
export interface ThreadData extends HistoryLimits {
  readonly binding: string;
  /** The database. */
  readonly file: string;
  /** See `write-turn.ts`. */
  readonly turnFile: string;
}

export interface Request {
  readonly task: TaskName;
  readonly args: readonly unknown[];
}

/** What the thread answers; requests are answered in their order. */
export type Answer = { readonly value: unknown } | { readonly error: ThreadError };

/** An error, as it crosses the border between threads. */
export interface ThreadError {
  /** Missing where SQLite, and not shelflist, failed. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly isDamaged: boolean;
}

interface Job extends Request {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
}

/** Requests that the thread has at hand, so that it need not wait for the next one. */
const maxSent = 2;

/**
 * A thread with a connection of its own. It starts with its first task, and keeps the process alive only while there is
 * something to do.
 */
export class Thread {
  readonly #data: ThreadData;
  #worker: Worker | undefined;
  readonly #queued: Job[] = [];
  readonly #sent: Job[] = [];
  #isClosed = false;

  constructor(data: ThreadData) {
    this.#data = data;
  }

  /**
   * Has the thread do something.
   *
   * @param signal Aborted, the task is dropped if it has not begun.
   * @throws {ShelflistError} `unavailable`: the file cannot be read or written now, or the task was dropped;
   *   `store_damaged`: the file is damaged.
   */
  run<Name extends TaskName>(
    task: Name,
    args: Parameters<Tasks[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<Tasks[Name]>> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ task, args, resolve, reject, signal });
      this.#send();
    });
  }

  /** Waits for the tasks at hand, and ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }

  #send(): void {
    while (this.#sent.length < maxSent) {
      const job = this.#queued.shift();
      if (job === undefined) break;
      if (job.signal?.aborted === true) {
        job.reject(new ShelflistError('unavailable', { message: 'nobody waits for the answer any more' }));
        continue;
      }
      this.#sent.push(job);
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage({ task: job.task, args: job.args } satisfies Request);
    }
    if (this.#sent.length === 0) this.#worker?.unref();
  }

  #start(): Worker {
    // Its options are its own: a loader or a profiler of the main thread has nothing to do there.
    const worker = new Worker(threadCode(), {
      eval: true,
      workerData: this.#data,
      execArgv: [],
      name: 'shelflist-sqlite',
    });
    worker.on('message', (answer: Answer) => {
      const job = this.#sent.shift();
      if ('value' in answer) job?.resolve(answer.value as never);
      else job?.reject(toError(answer.error));
      this.#send();
    });
    let cause: Error | undefined;
    worker.on('error', (error: Error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      const message = 'the thread of the store ended';
      for (const { reject } of this.#sent.splice(0))
        reject(new ShelflistError('unavailable', { message, cause }));
      if (!this.#isClosed) this.#send();
    });
    return worker;
  }
}

function toError({ code, message, isDamaged }: ThreadError): ShelflistError {
  if (code !== undefined) return new ShelflistError(code, { message });
  return new ShelflistError(isDamaged ? 'store_damaged' : 'unavailable', {
    message: isDamaged
      ? 'the data file is damaged; see `shelflist doctor`'
      : 'the store cannot be read or written now',
    cause: new Error(message),
  });
}
