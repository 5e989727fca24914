import { ShelflistError, type ErrorCode } from '../../errors.ts';
import { TaskThread } from '../../lib/task-thread.ts';
import type { Condition } from '../../query/query.ts';
import type { Position } from '../../query/position.ts';
import type { IdRange } from '../ids.ts';
import type { Page } from '../page.ts';
import { threadCode } from './thread-code.ts';
import type { HistoryLimits, Write, Written } from './writer.ts';

/** The tasks of the threads. */
export interface Tasks {
  write: (batch: readonly Write[]) => Written[];
  backfill: () => number;
  list: (range: IdRange) => Page;
  find: (condition: Condition, limit: number, after: Position | undefined) => Page;
  count: (condition: Condition) => number;
  changedSince: (seq: number) => IdRange[] | undefined;
}

/** The arguments of a thread. */
export interface ThreadData extends HistoryLimits {
  readonly binding: string;
  /** The database. */
  readonly file: string;
  /** See `write-turn.ts`. */
  readonly turnFile: string;
}

/** An error as it is sent between threads. */
export interface ThreadError {
  /** Missing if SQLite failed, and not shelflist. */
  readonly code?: ErrorCode;
  readonly message: string;
  readonly isDamaged: boolean;
}

/** A thread with its own connections. Its tasks reject with `unavailable`, `store_damaged`, or their own code. */
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

/** Makes the error of a call that failed because of SQLite or the system. */
export function failure(isDamaged: boolean, cause: unknown): ShelflistError {
  return isDamaged
    ? new ShelflistError('store_damaged', {
        message: 'the data file is damaged; see `shelflist doctor`',
        cause,
      })
    : new ShelflistError('unavailable', { message: 'the store cannot be read or written now', cause });
}
