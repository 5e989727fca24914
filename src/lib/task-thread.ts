import { Worker } from 'node:worker_threads';

/** Functions that a thread runs, by name. Their arguments and results are cloned. */
export type TaskTable = Record<string, (...args: never[]) => unknown>;

export interface TaskRequest {
  readonly task: string;
  readonly args: readonly unknown[];
}

/** Requests are answered in order. An error has the form that the thread gives it. */
export type TaskAnswer = { readonly value: unknown } | { readonly error: unknown };

export interface TaskThreadOptions {
  /** The program of the thread, as CommonJS text. It calls `serveTasks`. */
  readonly code: () => string;
  readonly data: unknown;
  /** Shown by debuggers and profilers. */
  readonly name: string;
  /** Rebuilds an error that the thread sent. */
  readonly toError: (error: unknown) => Error;
  /** The error of dropped tasks: the thread ended, or their signal was aborted. */
  readonly toDropped: (cause: unknown) => Error;
}

interface Job extends TaskRequest {
  readonly resolve: (value: never) => void;
  readonly reject: (error: Error) => void;
  readonly signal: AbortSignal | undefined;
}

/** The number of requests sent ahead, so that the thread is never idle between them. */
const maxSent = 2;

/**
 * Runs tasks in a thread, one after the other. The thread starts with its first task, restarts if it ends, and keeps the
 * process alive only while it has tasks.
 */
export class TaskThread<Tasks extends { [Name in keyof Tasks]: (...args: never[]) => unknown }> {
  readonly #options: TaskThreadOptions;
  #worker: Worker | undefined;
  readonly #queued: Job[] = [];
  readonly #sent: Job[] = [];

  constructor(options: TaskThreadOptions) {
    this.#options = options;
  }

  /**
   * Runs a task; rejects with its error.
   *
   * @param signal When it is aborted, the task is dropped unless it has already been sent.
   */
  run<Name extends keyof Tasks & string>(
    task: Name,
    args: Parameters<Tasks[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<Tasks[Name]>> {
    return new Promise((resolve, reject) => {
      this.#queued.push({ task, args, resolve, reject, signal });
      this.#send();
    });
  }

  /** Waits for the pending tasks, then ends the thread. */
  async close(): Promise<void> {
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
        job.reject(this.#options.toDropped(job.signal.reason));
        continue;
      }
      this.#sent.push(job);
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage({ task: job.task, args: job.args } satisfies TaskRequest);
    }
    if (this.#sent.length === 0) this.#worker?.unref();
  }

  #start(): Worker {
    const { code, data, name, toError, toDropped } = this.#options;
    // Loaders and profilers of the main thread must not run in this thread.
    const worker = new Worker(code(), { eval: true, workerData: data, execArgv: [], name });
    worker.on('message', (answer: TaskAnswer) => {
      const job = this.#sent.shift();
      if ('value' in answer) job?.resolve(answer.value as never);
      else job?.reject(toError(answer.error));
      this.#send();
    });
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => {
      this.#worker = undefined;
      for (const { reject } of this.#sent.splice(0)) reject(toDropped(cause));
      this.#send();
    });
    return worker;
  }
}
