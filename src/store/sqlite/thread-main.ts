// The program of the threads: a writer or a reader, each made with its first task.
import { workerData } from 'node:worker_threads';
import { isOfDamage, ShelflistError } from '../../catalogue/errors.ts';
import { useBinding } from './binding.ts';
import { inspectNewBackup } from './inspect.ts';
import { isStopped, serveTasks } from './task-thread.ts';
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

const data = workerData as ThreadData;
useBinding(data.binding);

/** Created with the first task, each with its own connection. */
let queue: WriteQueue | undefined;
let writer: Writer | undefined;
let reader: Reader | undefined;
const closers: (() => void)[] = [];

const check = () => {
  checkFiles(data.file, data.fileIds);
};

/** @throws {ShelflistError} `unavailable`: another program has changed the tables. */
function checkSchema(statements: Statements): void {
  const problem = findProblem(statements, data.schema);
  if (problem === undefined) return;
  throw writesRefused(problem);
}

function open(options: ConnectOptions) {
  check(); // If the file is missing, this error is clearer than SQLite's.
  const db = connect(data.file, { ...options, binding: data.binding, check });
  closers.push(() => {
    db.close();
  });
  return db;
}

function writing(): Writer {
  if (writer !== undefined) return writer;
  check();
  // The file of the queue may be one that cannot be opened, again and again.
  queue ??= new WriteQueue(data.queueFile, isStopped);
  return (writer = new Writer(open({ cacheKiB: writerCacheKiB }), queue, data, {
    checkFiles: check,
    checkDisk() {
      checkDisk(data.file);
    },
    checkSchema,
  }));
}

function reading(): Reader {
  return (reader ??= new Reader(
    open({ cacheKiB: readerCacheKiB, waitMs: maxReadWaitMs }),
    isStopped,
    data.historyDays,
  ));
}

type Task = (...args: readonly unknown[]) => unknown;

function run(task: string, args: readonly unknown[]): unknown {
  if (task === 'inspectNewBackup') return (inspectNewBackup as Task)(...args);
  return repeatIfDamaged(() => {
    if (!(task in queries)) return (writing() as unknown as Record<string, Task>)[task]?.(...args);
    const query = queries[task as keyof typeof queries] as Task;
    return reading().answer(() => query(reading(), ...args));
  });
}

serveTasks(run, describe, () => {
  try {
    if (isInPlace(data.file, data.fileIds)) writer?.checkpoint();
  } finally {
    for (const close of closers) close();
    queue?.close();
  }
});

function describe(error: unknown): ThreadError {
  const message = error instanceof Error ? error.message : String(error);
  const own = error instanceof ShelflistError ? { code: error.code } : {};
  return { ...own, message, isDamaged: isDamaged(error) || isOfDamage(error) };
}
