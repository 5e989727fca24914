import { randomBytes } from 'node:crypto';
import type { PushOperator } from 'mongodb';
import type { Book } from '../../book.ts';
import type { BookDocument } from './documents.ts';

/** A state that a book had before a change. */
export interface EarlierState {
  /** The revision of this state; `null` when another program wrote it. */
  readonly rev: string | null;
  /** When it ended, and by which change. */
  readonly at: Date;
  readonly change: 'updated' | 'deleted';
  readonly title: string;
  readonly author: string;
  readonly year: number;
}

/**
 * The newest states that are kept. They are cut to this number when there are twice as many: cutting rewrites the whole
 * array in the oplog, adding one does not.
 */
const maxStates = 16;
/** A larger state is not kept: a document has at most 16 MiB. */
const maxStateBytes = 32 * 1024;

/** The number of states in `history`; -1 when another program keeps something else there. For a projection. */
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

/** The part of an update that keeps the state that it replaces. */
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
