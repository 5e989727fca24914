import { randomBytes } from 'node:crypto';
import type { PushOperator } from 'mongodb';
import type { Book } from '../../book.ts';
import type { BookDocument, EarlierState } from './documents.ts';

/**
 * The number of newest states that are kept. The array is cut to it at twice the length, because cutting rewrites the whole
 * array in the oplog, and appending does not.
 */
const maxStates = 16;
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

/** The part of an update that saves the state it replaces. */
export function pushState(
  { title, author, year }: Book,
  { rev, change, length }: { rev: string | null; change: EarlierState['change']; length: number },
): { $push?: PushOperator<BookDocument> } {
  const isKept = length >= 0 && Buffer.byteLength(title) + Buffer.byteLength(author) <= maxStateBytes;
  if (!isKept) return {};
  const state: EarlierState = { rev, at: new Date(), change, title, author, year };
  const cut = length + 1 >= 2 * maxStates ? { $slice: -maxStates } : {};
  return { $push: { history: { $each: [state], ...cut } } };
}
