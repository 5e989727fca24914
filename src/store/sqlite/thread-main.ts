import { workerData } from 'node:worker_threads';
import { ShelflistError } from '../../errors.ts';
import { serveTasks } from '../../lib/serve-tasks.ts';
import { connect, isBusy, isDamaged } from './connection.ts';
import { Searcher } from './searcher.ts';
import type { Tasks, ThreadData, ThreadError } from './thread.ts';
import { Writer } from './writer.ts';
import { WriteTurn } from './write-turn.ts';

const data = workerData as ThreadData;

/** How long a query waits for a lock. Another process holds it during recovery, or while it closes the file as the last user. */
const maxReadWaitMs = 3000;
/** Titles and authors arrive in random order, so each touches other pages of their indexes. */
const writerCacheKiB = 80 * 1024;
const searcherCacheKiB = 16 * 1024;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Created with the first task, each with its own connection. */
let writer: Writer | undefined;
let searcher: Searcher | undefined;
const closers: (() => void)[] = [];

function open(cacheKiB: number) {
  const db = connect(data.file, { binding: data.binding, cacheKiB });
  closers.push(() => {
    db.close();
  });
  return db;
}

function writing(): Writer {
  if (writer !== undefined) return writer;
  const db = open(writerCacheKiB);
  const turn = new WriteTurn(data.turnFile);
  closers.push(() => {
    turn.close();
  });
  return (writer = new Writer(db, turn, data));
}

function searching<T>(action: (searcher: Searcher) => T): T {
  for (const end = performance.now() + maxReadWaitMs; ;) {
    try {
      return action((searcher ??= new Searcher(open(searcherCacheKiB))));
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(sleeper, 0, 0, 2);
    }
  }
}

const tasks: Tasks = {
  write: (batch) => writing().write(batch),
  backfill: () => writing().backfill(),
  list: (range) => searching((each) => each.list(range)),
  find: (condition, limit, after) => searching((each) => each.find(condition, limit, after)),
  count: (condition) => searching((each) => each.count(condition)),
  changedSince: (seq) => searching((each) => each.changedSince(seq)),
};

serveTasks(tasks, describe, () => {
  try {
    writer?.checkpoint();
  } finally {
    for (const close of closers) close();
  }
});

function describe(error: unknown): ThreadError {
  const message = error instanceof Error ? error.message : String(error);
  const own = error instanceof ShelflistError ? { code: error.code } : {};
  return { ...own, message, isDamaged: isDamaged(error) };
}
