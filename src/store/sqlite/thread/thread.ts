import { ShelflistError, type ErrorCode } from '../../../catalogue/errors.ts';
import { TaskThread } from '../../../lib/threads/task-thread.ts';
import type { SearchedField, SuggestedField } from '../../../catalogue/fields.ts';
import type { BookFilter } from '../../../catalogue/query.ts';
import type { KeysetPosition } from '../../../catalogue/keyset-position.ts';
import type { ChangeEvents } from '../../events.ts';
import type { Statistics } from '../../../catalogue/statistics.ts';
import type { Suggestion } from '../../../catalogue/suggestion.ts';
import type {
  BatchSummary,
  EarlierState,
  TrashPage,
  TrashRequest,
  Undone,
  UndoRequest,
} from '../../history.ts';
import type { IdRange } from '../../ids.ts';
import type { Page } from '../../page.ts';
import { threadCode } from './thread-code.ts';
import type { LogPlace } from '../changes/change-log.ts';
import type { HistoryLimits, Write, Written } from '../writer.ts';

/** The tasks of the threads. */
export interface Tasks {
  write: (batch: readonly Write[]) => Written[];
  undo: (batch: string, request: UndoRequest) => Undone | undefined;
  backfill: () => number;
  list: (range: IdRange) => Page;
  find: (filter: BookFilter, limit: number, after: KeysetPosition | undefined) => Page;
  count: (filter: BookFilter) => number;
  statistics: (filter: BookFilter) => Statistics;
  suggest: (name: SuggestedField, filter: BookFilter, limit: number) => Suggestion[];
  countWords: (words: readonly string[], name: SearchedField | undefined) => [word: string, count: number][];
  changedSince: (seq: number) => IdRange[] | undefined;
  eventsSince: (place: LogPlace) => ChangeEvents;
  history: (id: number) => readonly EarlierState[] | undefined;
  trash: (request: TrashRequest) => TrashPage;
  batch: (id: string) => BatchSummary | undefined;
}

/** The arguments of a thread. */
export interface ThreadData extends HistoryLimits {
  readonly binding: string;
  /** The database. */
  readonly file: string;
  /** See `write-queue.ts`. */
  readonly queueFile: string;
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
