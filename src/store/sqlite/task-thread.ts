// Runs tasks in a thread: the queue outside of it, and the loop inside.
import { parentPort, Worker } from 'node:worker_threads';

interface TaskRequest {
  readonly task: string;
  readonly args: readonly unknown[];
  /** Shared with the thread: its element becomes 1 when the signal of the task is aborted. */
  readonly stop?: Int32Array | undefined;
}

/** Requests are answered in order. An error has the form that the thread gives it. */
type TaskAnswer = { readonly value: unknown } | { readonly error: unknown };

interface TaskThreadOptions {
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
  drop?: () => void;
  /** Tells the thread, once it has been sent. */
  readonly onAbort: () => void;
}

/** The number of requests sent ahead, so that the thread is never idle between them. */
const maxSent = 2;
/** The number of waiting requests sent with one message: it costs as much as a short query. */
const maxAtOnce = 8;

/**
 * Runs tasks in a thread, one after the other. Their arguments and results are cloned. The thread starts with its first task or
 * with `start`, restarts if it ends, and keeps the process alive only while it has tasks.
 */
export class TaskThread<Tasks extends { [Name in keyof Tasks]: (...args: never[]) => unknown }> {
  readonly #options: TaskThreadOptions;
  #worker: Worker | undefined;
  readonly #queued: Job[] = [];
  readonly #sent: Job[] = [];
  #isClosed = false;

  constructor(options: TaskThreadOptions) {
    this.#options = options;
  }

  /**
   * Runs a task; rejects with its error, or if its arguments cannot be cloned.
   *
   * @param signal When it is aborted, the task is dropped. If it has already been sent, it may end itself early (`isStopped`).
   */
  run<Name extends keyof Tasks & string>(
    task: Name,
    args: Parameters<Tasks[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<Tasks[Name]>> {
    return new Promise((resolve, reject) => {
      const stop = signal && new Int32Array(new SharedArrayBuffer(4));
      const onAbort = () => stop && Atomics.store(stop, 0, 1);
      const job: Job = { task, args, stop, resolve, reject, signal, onAbort };
      if (this.#isClosed || signal?.aborted === true) {
        reject(this.#options.toDropped(signal?.reason));
        return;
      }
      job.drop = () => {
        this.#queued.splice(this.#queued.indexOf(job), 1);
        reject(this.#options.toDropped(signal?.reason));
      };
      signal?.addEventListener('abort', job.drop, { once: true });
      this.#queued.push(job);
      this.#send();
    });
  }

  /** Starts the thread before its first task, which then waits less. */
  start(): void {
    if (this.#isClosed || this.#worker !== undefined) return;
    this.#worker = this.#start();
    this.#worker.unref();
  }

  /** Drops the waiting tasks, waits for those already sent, then ends the thread. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const job of [...this.#queued]) job.drop?.();
    const worker = this.#worker;
    if (worker === undefined) return;
    worker.ref();
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('close');
    await ended;
  }

  #send(): void {
    while (this.#sent.length < maxSent && this.#queued.length > 0) {
      const jobs = this.#queued.splice(0, maxAtOnce);
      for (const { signal, drop, onAbort } of jobs) {
        if (drop) signal?.removeEventListener('abort', drop);
        signal?.addEventListener('abort', onAbort);
      }
      const worker = (this.#worker ??= this.#start());
      if (!this.#post(worker, jobs)) for (const job of jobs) this.#post(worker, [job]);
    }
    // `close` waits for the thread.
    if (this.#sent.length === 0 && !this.#isClosed) this.#worker?.unref();
  }

  /** Returns whether the arguments of all could be cloned. A single job is rejected otherwise. */
  #post(worker: Worker, jobs: readonly Job[]): boolean {
    try {
      worker.postMessage(jobs.map(({ task, args, stop }): TaskRequest => ({ task, args, stop })));
    } catch (error) {
      if (jobs.length === 1) jobs[0]?.reject(error as Error);
      return jobs.length === 1;
    }
    this.#sent.push(...jobs);
    worker.ref();
    return true;
  }

  #start(): Worker {
    const { code, data, name, toError, toDropped } = this.#options;
    // Loaders and profilers of the main thread must not run in this thread.
    const worker = new Worker(code(), { eval: true, workerData: data, execArgv: [], name });
    worker.on('message', (answer: TaskAnswer) => {
      const job = this.#sent.shift();
      job?.signal?.removeEventListener('abort', job.onAbort);
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

let running: TaskRequest['stop'];

/** Whether the caller of the task that runs in this thread no longer waits for it. */
export function isStopped(): boolean {
  return running !== undefined && Atomics.load(running, 0) === 1;
}

/**
 * Answers the requests of a `TaskThread`, inside the thread.
 *
 * @param run Runs a task.
 * @param describe Converts an error to a value that can be cloned.
 * @param close Runs when the thread ends.
 */
export function serveTasks(
  run: (task: string, args: readonly unknown[]) => unknown,
  describe: (error: unknown) => unknown,
  close: () => void,
): void {
  const answer = ({ task, args, stop }: TaskRequest): TaskAnswer => {
    running = stop;
    try {
      return { value: run(task, args) };
    } catch (error) {
      return { error: describe(error) };
    }
  };
  parentPort?.on('message', (requests: readonly TaskRequest[] | 'close') => {
    if (requests !== 'close') {
      // One by one: the next may take seconds.
      for (const request of requests) parentPort?.postMessage(answer(request));
      return;
    }
    try {
      close();
    } finally {
      process.exit(); // Deno has no `close` of the port.
    }
  });
}
