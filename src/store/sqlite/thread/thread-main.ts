import { workerData } from 'node:worker_threads';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { keptSince } from '../../history.ts';
import { isStopped, serveTasks } from '../../../lib/threads/serve-tasks.ts';
import { ChangeLog } from '../changes/change-log.ts';
import { readHistory, readTrash } from '../changes/earlier-states.ts';
import { connect, isBusy, isDamaged } from '../connection.ts';
import { Searcher } from '../searcher.ts';
import { Statements } from '../statements.ts';
import type { Tasks, ThreadData, ThreadError } from './thread.ts';
import { Writer } from '../writer.ts';
import { WriteQueue } from '../write-queue.ts';

const data = workerData as ThreadData;

/** How long a query waits for a lock. Another process holds it during recovery, or while it closes the file as the last user. */
const maxReadWaitMs = 3000;
/** Titles and authors arrive in random order, so each touches other pages of their indexes. */
const writerCacheKiB = 80 * 1024;
const searcherCacheKiB = 16 * 1024;
const sleeper = new Int32Array(new SharedArrayBuffer(4));

/** Parts that read, with one connection. */
interface Readers {
  readonly searcher: Searcher;
  readonly changeLog: ChangeLog;
  readonly statements: Statements;
}

/** Created with the first task, each with its own connection. */
let writer: Writer | undefined;
let readers: Readers | undefined;
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
  const queue = new WriteQueue(data.queueFile, isStopped);
  closers.push(() => {
    queue.close();
  });
  return (writer = new Writer(db, queue, data));
}

function openReaders(): Readers {
  const db = open(searcherCacheKiB);
  return (readers = {
    searcher: new Searcher(db, isStopped),
    changeLog: new ChangeLog(db),
    statements: new Statements(db),
  });
}

function reading<T>(action: (readers: Readers) => T): T {
  for (const end = performance.now() + maxReadWaitMs; ;) {
    try {
      return action(readers ?? openReaders());
    } catch (error) {
      if (!isBusy(error) || performance.now() > end) throw error;
      Atomics.wait(sleeper, 0, 0, 2);
    }
  }
}

const tasks: Tasks = {
  write: (batch) => writing().write(batch),
  undo: (batch, request) => writing().undo(batch, request),
  backfill: () => writing().backfill(),
  list: (range) => reading(({ searcher }) => searcher.list(range)),
  find: (filter, limit, after) => reading(({ searcher }) => searcher.find(filter, limit, after)),
  count: (filter) => reading(({ searcher }) => searcher.count(filter)),
  statistics: (filter) => reading(({ searcher }) => searcher.statistics(filter)),
  suggest: (name, filter, limit) => reading(({ searcher }) => searcher.suggest(name, filter, limit)),
  countWords: (words, name) => reading(({ searcher }) => searcher.countWords(words, name)),
  changedSince: (seq) => reading(({ searcher }) => searcher.changedSince(seq)),
  eventsSince: (place) => reading(({ changeLog }) => changeLog.eventsSince(place)),
  history: (id) => reading(({ statements }) => readHistory(statements, id, keptSince(data.historyDays))),
  trash: (request) =>
    reading(({ statements }) => readTrash(statements, request, keptSince(data.historyDays))),
  batch: (id) => reading(({ searcher }) => searcher.batch(id)),
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
