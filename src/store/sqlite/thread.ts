// Creates the threads of a store; what goes between them and the store.
import { ShelflistError, type ErrorCode } from '../../catalogue/errors.ts';
import { TaskThread } from './task-thread.ts';
import { threadCode } from './thread-code.ts';
import type { Searcher } from './searcher.ts';
import type { FileIds } from './open-files.ts';
import type { FileSchema } from './soundness.ts';
import type { HistoryLimits, Writer } from './writer.ts';

/** The tasks of the threads: methods of these classes. */
export type Tasks = Pick<Writer, 'write' | 'undo' | 'age' | 'backfill' | 'sortBy' | 'checkWrites'> &
  Omit<Searcher, 'answer'>;

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
  /** Those of its response. */
  readonly headers?: Readonly<Record<string, string>>;
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

function toError({ code, headers, message, isDamaged }: ThreadError): ShelflistError {
  if (code === undefined) return failure(isDamaged, new Error(message));
  return new ShelflistError(code, { message, headers });
}

/** SQLite has found the file damaged, as opposed to a record that is not a book. */
export class DamagedFileError extends ShelflistError {
  constructor(cause: unknown) {
    super('store_damaged', {
      message: 'the data file is damaged, or its disk cannot read it; see `shelflist doctor`',
      cause,
    });
  }
}

/** Makes the error of a call that failed because of SQLite or the system. */
export function failure(isDamaged: boolean, cause: unknown): ShelflistError {
  if (isDamaged) return new DamagedFileError(cause);
  return new ShelflistError('unavailable', { message: 'the store cannot be read or written now', cause });
}
