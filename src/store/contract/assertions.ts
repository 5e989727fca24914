// Invariants of each write of a store. If a bug or another program has broken one, the write stops.
import { ShelflistError } from '../../catalogue/errors.ts';

/** @param stored How much of the write is stored, for the operator. */
export function broken(what: string, stored = 'nothing was stored'): ShelflistError {
  return new ShelflistError('store_damaged', { message: `${what}; ${stored}: run \`shelflist doctor\`` });
}

/**
 * Checks that each change of a book is in the log once. The log numbers its entries.
 *
 * @param changes The number of changes.
 * @param log The number of the newest entry before and after the changes, and that of the newest entry that exists.
 * @throws {ShelflistError} `store_damaged`
 */
export function checkLogged(
  changes: number,
  { from, to, newest = to }: { readonly from: number; readonly to: number; readonly newest?: number },
): void {
  if (to - from === changes && (changes === 0 || newest === to)) return;
  throw broken(
    `${changes} changes of books were made, but the log has those from ${from + 1} to ${to}, the newest of them ${newest}`,
  );
}

/**
 * Checks that each new book took the next id.
 *
 * @param counter The counter of ids before and after.
 * @throws {ShelflistError} `store_damaged`
 */
export function checkIds(
  created: number,
  { from, to }: { readonly from: number; readonly to: number },
): void {
  if (to - from === created) return;
  throw broken(`${created} books were created, but the counter of ids went from ${from} to ${to}`);
}
