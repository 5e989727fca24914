// Creates the threads of a store; what goes between them and the store.
import { ShelflistError, type ErrorCode } from '../../catalogue/errors.ts';
import type { BackupReport } from '../contract/driver.ts';
import { failure, unavailableByDamage } from './damage.ts';
import { locateBinding } from './binding.ts';
import { TaskThread } from './task-thread.ts';
import { threadCode } from './thread-code.ts';
import type { QueryTasks } from './queries.ts';
import type { FileIds } from './open-files.ts';
import type { FileSchema } from './soundness.ts';
import type { HistoryLimits, Writer } from './writer.ts';

/** The tasks of the threads: methods of the writer, and queries. */
export type Tasks = Pick<Writer, 'write' | 'undo' | 'prune' | 'backfill' | 'sortBy' | 'checkWrites'> &
  QueryTasks &
  CheckTasks;

/** The tasks of a thread that has no store. */
export interface CheckTasks {
  /** As `inspectNewBackup`. */
  inspectNewBackup(file: string, path: string): BackupReport;
}

export interface ThreadData extends HistoryLimits {
  readonly binding: string;
  readonly file: string;
  /** The files that the store opened: those that the thread finds must be the same. */
  readonly fileIds: FileIds;
  readonly schema: FileSchema;
  /** See `write-queue.ts`. */
  readonly queueFile: string;
}

/** An error as it is sent between threads. */
export interface ThreadError {
  /** Missing for an error of SQLite. */
  readonly code?: ErrorCode;
  readonly message: string;
  /** Whether SQLite has found the file damaged, or the error is one of a damaged store. */
  readonly isDamaged: boolean;
}

/** The part of a thread that a store uses. */
export type StoreThread = Pick<TaskThread<Tasks>, 'run' | 'start' | 'close'>;

/** A thread with its own connections. Its tasks reject with `unavailable`, `store_damaged`, or their own code. */
export function createThread(data: ThreadData): StoreThread {
  return new TaskThread<Tasks>({
    code: threadCode,
    data,
    name: 'shelflist-sqlite',
    toError: (error) => toError(error as ThreadError),
    toDropped: (cause) => failure(false, cause),
  });
}

/** A thread for {@link CheckTasks} alone: it has no store. */
export function createCheckThread(): StoreThread {
  return createThread({ binding: locateBinding() } as ThreadData);
}

/** Rebuilds an error that a thread sent. */
export function toError({ code, message, isDamaged }: ThreadError): ShelflistError {
  if (code === undefined) return failure(isDamaged, new Error(message));
  if (code === 'unavailable' && isDamaged) return unavailableByDamage(message);
  return new ShelflistError(code, { message });
}
