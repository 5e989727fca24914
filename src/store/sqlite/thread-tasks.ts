// The tasks of a store's thread. The first task of each kind creates the writer or the reader.
import { isOfDamage, ShelflistError } from '../../catalogue/errors.ts';
import { inspectNewBackup } from './inspect.ts';
import { connect, isDamaged, repeatIfDamaged, type ConnectOptions, type Statements } from './connection.ts';
import { checkDisk, checkFiles, isInPlace } from './open-files.ts';
import { queries } from './queries.ts';
import { Reader } from './reading.ts';
import { findProblem } from './soundness.ts';
import { writesRefused } from './damage.ts';
import type { ThreadData, ThreadError } from './thread.ts';
import { Writer } from './writer.ts';
import { WriteQueue } from './write-queue.ts';

/** How long a query waits for a lock. Another process holds it during recovery, or while it closes the file as the last user. */
const maxReadWaitMs = 3000;
/** Titles and authors arrive in random order, so each touches other pages of their indexes. */
const writerCacheKiB = 80 * 1024;
const readerCacheKiB = 16 * 1024;

/** @throws {ShelflistError} `unavailable`: another program has changed the tables. */
function checkSchema(statements: Statements, { schema }: ThreadData): void {
  const problem = findProblem(statements, schema);
  if (problem === undefined) return;
  throw writesRefused(problem);
}

type Task = (...args: readonly unknown[]) => unknown;

interface ThreadTasks {
  /** Runs a task, which blocks. */
  readonly run: (task: string, args: readonly unknown[]) => unknown;
  /** Closes the connections. */
  readonly close: () => void;
}

/** @param isStopped Whether the caller of the running task no longer waits for it. */
export function createTasks(data: ThreadData, isStopped: () => boolean): ThreadTasks {
  // Created with the first task, each with its own connection.
  let queue: WriteQueue | undefined;
  let writer: Writer | undefined;
  let reader: Reader | undefined;
  const closers: (() => void)[] = [];

  const check = () => {
    checkFiles(data.file, data.fileIds);
  };

  const open = (options: ConnectOptions) => {
    check(); // If the file is missing, this error is clearer than SQLite's.
    const db = connect(data.file, { ...options, binding: data.binding, check });
    closers.push(() => {
      db.close();
    });
    return db;
  };

  const writing = (): Writer => {
    if (writer !== undefined) return writer;
    check();
    // This can fail again and again, if the file of the queue cannot be opened.
    queue ??= new WriteQueue(data.queueFile, isStopped);
    return (writer = new Writer(open({ cacheKiB: writerCacheKiB }), queue, data, {
      checkFiles: check,
      checkDisk() {
        checkDisk(data.file);
      },
      checkSchema(statements) {
        checkSchema(statements, data);
      },
    }));
  };

  const reading = (): Reader =>
    (reader ??= new Reader(
      open({ cacheKiB: readerCacheKiB, waitMs: maxReadWaitMs }),
      isStopped,
      data.historyDays,
    ));

  return {
    run(task, args) {
      if (task === 'inspectNewBackup') return (inspectNewBackup as Task)(...args);
      return repeatIfDamaged(() => {
        if (!(task in queries)) return (writing() as unknown as Record<string, Task>)[task]?.(...args);
        const query = queries[task as keyof typeof queries] as Task;
        return reading().answer(() => query(reading(), ...args));
      });
    },
    close() {
      try {
        if (isInPlace(data.file, data.fileIds)) writer?.checkpoint();
      } finally {
        for (const close of closers) close();
        queue?.close();
      }
    },
  };
}

/** An error in the form that is sent between threads. */
export function describe(error: unknown): ThreadError {
  const message = error instanceof Error ? error.message : String(error);
  const own = error instanceof ShelflistError ? { code: error.code } : {};
  return { ...own, message, isDamaged: isDamaged(error) || isOfDamage(error) };
}
