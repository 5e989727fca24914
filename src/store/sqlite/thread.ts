import { ShelflistError, type ErrorCode } from '../../errors.ts';
import { TaskThread } from '../../lib/task-thread.ts';
import type { Condition } from '../../query/query.ts';
import type { Position } from '../../query/position.ts';
import type { IdRange } from '../ids.ts';
import type { Page } from '../page.ts';
import { threadCode } from './thread-code.ts';
import type { HistoryLimits, Write, Written } from './writer.ts';

/** What the threads do. */
export interface Tasks {
  write: (batch: readonly Write[]) => Written[];
  backfill: () => number;
  list: (range: IdRange) => Page;
  find: (condition: Condition, limit: number, after: Position | undefined) => Page;
  count: (condition: Condition) => number;
  changedSince: (seq: number) => IdRange[] | undefined;
}

/** What a thread is started with. */
export interface ThreadData extends HistoryLimits {
  readonly binding: string;
  /** The database. */
  readonly file: string;
  /** See `write-turn.ts`. */
  readonly turnFile: string;
}

/** An error, as it crosses the border between threads. */
export interface ThreadError {
  /** Missing where SQLite, and not shelflist, failed. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly isDamaged: boolean;
}

/** A thread with connections of its own. Its tasks reject with `unavailable`, `store_damaged`, or their own code. */
export function createThread(data: ThreadData): TaskThread<Tasks> {
  return new TaskThread<Tasks>({
    code: threadCode,
    data,
    name: 'shelflist-sqlite',
    toError: (error) => toError(error as ThreadError),
    toDropped: (cause) => failure(false, cause),
  });
}

function toError({ code, message, isDamaged }: ThreadError): ShelflistError {
  return code === undefined ? failure(isDamaged, new Error(message)) : new ShelflistError(code, { message });
}

/** The error of a call that failed for a reason of SQLite or the system. */
export function failure(isDamaged: boolean, cause: unknown): ShelflistError {
  return isDamaged
    ? new ShelflistError('store_damaged', {
        message: 'the data file is damaged; see `shelflist doctor`',
        cause,
      })
    : new ShelflistError('unavailable', { message: 'the store cannot be read or written now', cause });
}
