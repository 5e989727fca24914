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
  /** What the tasks of this thread work on. It is cloned. */
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

/** The message after the last task, and its answer. */
const closing = 'close';
const closed = 'closed';

/** The number of requests sent ahead, so that the thread is never idle between them. */
const maxSent = 2;

/**
 * Runs tasks in a thread, one after the other. Their arguments and results are cloned. The thread starts with its first task or
 * with `start`, restarts if it ends, and keeps the process alive only while it has tasks.
 */
export class TaskThread<Tasks extends { [Name in keyof Tasks]: (...args: never[]) => unknown }> {
  readonly #options: TaskThreadOptions;
  #thread: Thread | undefined;
  readonly #queued: Job[] = [];
  readonly #sent: Job[] = [];
  #isClosed = false;
  #closed: Promise<void> | undefined;
  #onClosed = (): void => undefined;

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

  /** Starts the thread before its first task, to shorten the wait of that task. */
  start(): void {
    if (this.#isClosed || this.#thread !== undefined) return;
    this.#thread = this.#start();
    this.#thread.worker.unref();
  }

  /** Drops the waiting tasks, waits for those already sent, then closes what the thread has open. */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    for (const job of [...this.#queued]) job.drop?.();
    const { worker } = this.#thread ?? {};
    if (worker === undefined) return;
    await new Promise<void>((resolve) => {
      this.#onClosed = resolve;
      worker.ref();
      worker.postMessage(closing);
    });
  }

  #send(): void {
    while (this.#sent.length < maxSent) {
      const job = this.#queued.shift();
      if (job === undefined) break;
      if (job.drop) job.signal?.removeEventListener('abort', job.drop);
      job.signal?.addEventListener('abort', job.onAbort);
      const { worker } = (this.#thread ??= this.#start());
      try {
        const { task, args, stop } = job;
        worker.postMessage({ task, args, stop } satisfies TaskRequest);
      } catch (error) {
        job.reject(error as Error);
        continue;
      }
      this.#sent.push(job);
      worker.ref();
    }
    // `close` waits for the thread.
    if (this.#sent.length === 0 && !this.#isClosed) this.#thread?.worker.unref();
  }

  #start(): Thread {
    const { code, data, name, toError, toDropped } = this.#options;
    return takeThread(code(), name, data, {
      onAnswer: (answer) => {
        if (answer === closed) {
          if (this.#thread) releaseThread(this.#thread);
          this.#onClosed();
          return;
        }
        const job = this.#sent.shift();
        job?.signal?.removeEventListener('abort', job.onAbort);
        if ('value' in answer) job?.resolve(answer.value as never);
        else job?.reject(toError(answer.error));
        this.#send();
      },
      onEnd: (cause) => {
        this.#thread = undefined;
        this.#onClosed();
        for (const { reject } of this.#sent.splice(0)) reject(toDropped(cause));
        this.#send();
      },
    });
  }
}

/** A thread of this process, and the `TaskThread` that uses it. */
interface Thread {
  readonly worker: Worker;
  readonly code: string;
  user: ThreadUser | undefined;
  /** Ends the thread when nobody has used it for a while. */
  idle?: NodeJS.Timeout;
}

interface ThreadUser {
  /** Called for each answer, and after `closing` with `closed`. */
  readonly onAnswer: (answer: TaskAnswer | typeof closed) => void;
  readonly onEnd: (cause: unknown) => void;
}

/** The number of threads of one store. */
const maxIdle = 3;
const idleMs = 10_000;
/** Threads for the next store that this process opens: starting one takes 40 ms of processor time. */
const idleThreads = new Set<Thread>();

function takeThread(code: string, name: string, data: unknown, user: ThreadUser): Thread {
  const idle = [...idleThreads].find((thread) => thread.code === code);
  const thread = idle ?? startThread(code, name);
  idleThreads.delete(thread);
  clearTimeout(thread.idle);
  thread.user = user;
  thread.worker.postMessage({ open: data });
  return thread;
}

function startThread(code: string, name: string): Thread {
  // Loaders and profilers of the main thread must not run in this thread.
  const worker = new Worker(code, { eval: true, execArgv: [], name });
  const thread: Thread = { worker, code, user: undefined };
  let cause: unknown;
  worker.on('message', (answer: TaskAnswer | typeof closed) => thread.user?.onAnswer(answer));
  worker.on('error', (error) => {
    cause = error;
  });
  worker.on('exit', () => {
    idleThreads.delete(thread);
    thread.user?.onEnd(cause);
  });
  return thread;
}

/** Keeps a thread, which has nothing open, for the next store. */
function releaseThread(thread: Thread): void {
  thread.user = undefined;
  thread.worker.unref();
  idleThreads.add(thread);
  thread.idle = setTimeout(endThread, idleMs, thread).unref();
  const [oldest] = idleThreads;
  if (oldest !== undefined && idleThreads.size > maxIdle) endThread(oldest);
}

function endThread(thread: Thread): void {
  idleThreads.delete(thread);
  clearTimeout(thread.idle);
  void thread.worker.terminate();
}

let running: TaskRequest['stop'];

/** Whether the caller of the task that runs in this thread no longer waits for it. */
export function isStopped(): boolean {
  return running !== undefined && Atomics.load(running, 0) === 1;
}

/** What runs the tasks of one `TaskThread`. */
export interface TaskServer {
  readonly run: (task: string, args: readonly unknown[]) => unknown;
  readonly close: () => void;
}

/**
 * Answers the requests of a `TaskThread`, inside the thread.
 *
 * @param open Receives the data of the `TaskThread`.
 * @param describe Converts an error to a value that can be cloned.
 */
export function serveTasks(open: (data: never) => TaskServer, describe: (error: unknown) => unknown): void {
  let server: TaskServer | undefined;
  const answer = ({ task, args, stop }: TaskRequest): TaskAnswer => {
    running = stop;
    try {
      return { value: server?.run(task, args) };
    } catch (error) {
      return { error: describe(error) };
    }
  };
  parentPort?.on('message', (message: TaskRequest | { readonly open: never } | typeof closing) => {
    if (message === closing) {
      try {
        server?.close();
        server = undefined;
        parentPort?.postMessage(closed);
      } catch {
        process.exit(); // It may still have something open, so the thread is not reused.
      }
    } else if ('open' in message) server = open(message.open);
    else parentPort?.postMessage(answer(message));
  });
}
