// What the store says when its file is damaged, as opposed to a record that is not a book.
import { ShelflistError } from '../../catalogue/errors.ts';

/** SQLite has found the file damaged. */
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

/** The error of every write from now on. @param problem What is wrong with the file. */
export function writesRefused(problem: string, damage?: ShelflistError): ShelflistError {
  return unavailableByDamage(
    `the store refuses all writes: ${problem}; see \`shelflist doctor\``,
    damage ?? new ShelflistError('store_damaged', { message: problem }),
  );
}

/** Has no `retryAfter`: nobody knows when the store will be repaired. */
export function unavailableByDamage(
  message: string,
  cause = new ShelflistError('store_damaged', { message }),
): ShelflistError {
  return new ShelflistError('unavailable', { message, retryAfter: undefined, cause });
}
