import { randomBytes } from 'node:crypto';
import type { PushOperator } from 'mongodb';
import { fieldsOf, type Book } from '../../catalogue/book.ts';
import { textBytes, type BookDocument, type HistoryEntry } from './schema.ts';

/**
 * The number of newest states that are kept. The array is cut to it at twice the length, because cutting rewrites the whole
 * array in the oplog, and appending does not.
 */
export const maxStates = 16;
/** The maximum size of a state that is kept: a document has at most 16 MiB. */
const maxStateBytes = 32 * 1024;

/** A projection: the number of states in `history`, or -1 when another program stores something else there. */
export const historyLength = {
  $switch: {
    branches: [
      { case: { $isArray: '$history' }, then: { $size: '$history' } },
      { case: { $eq: [{ $type: '$history' }, 'missing'] }, then: 0 },
    ],
    default: -1,
  },
};

export function newRevision(): string {
  return randomBytes(9).toString('base64url');
}

/** The change that an update makes. */
interface Pushed {
  /** The revision of the state that it replaces. */
  readonly rev: string | null;
  readonly change: HistoryEntry['change'];
  readonly batch: string | undefined;
  /** The number of entries now; -1 when another program stores something else there. */
  readonly length: number;
}

/**
 * The part of an update that logs it.
 *
 * @param before The state that it replaces: `undefined` if there was no book, `null` for a record that is not a book.
 */
export function pushEntry(
  before: Book | undefined | null,
  { rev, change, batch, length }: Pushed,
): { $push?: PushOperator<BookDocument> } {
  if (length < 0) return {};
  const isLost = before === null || (before !== undefined && textBytes(before) > maxStateBytes);
  const entry: HistoryEntry = {
    rev,
    at: new Date(),
    change,
    ...(batch !== undefined && { batch }),
    ...(isLost ? { isLost } : before && fieldsOf(before)),
  };
  const cut = length + 1 >= 2 * maxStates ? { $slice: -maxStates } : {};
  return { $push: { history: { $each: [entry], ...cut } } };
}
