// Earlier states, trash and batches: requests, answers, limits, and the checks of their arguments.
import { textLength, type Book } from '../../catalogue/book.ts';
import { isBatchId } from '../../catalogue/batch.ts';
import {
  changeKinds,
  type BatchSummary,
  type ChangeKind,
  type DeletedBook,
  type EarlierState,
} from '../../catalogue/changes.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { maxBatchBooks } from '../../catalogue/limits.ts';
import { isUserName } from '../../catalogue/user.ts';

export {
  changeKinds,
  type BatchBook,
  type BatchSummary,
  type ChangeKind,
  type DeletedBook,
  type EarlierState,
} from '../../catalogue/changes.ts';

/** Selects a page of the deleted books, or of the batches. */
export interface HistoryRequest {
  /** Page size, 1 or more. */
  readonly limit: number;
  /** The `next` of the previous page. */
  readonly after?: string | undefined;
}

/** The optional parts of the summary of a batch. */
export interface SummaryOptions {
  /** How many of its books to name, by descending id: 1 to 50. Default: none. */
  readonly books?: number | undefined;
}

/** Selects a page of the batches. */
export interface BatchesRequest extends HistoryRequest, SummaryOptions {}

/** A page of deleted books. It may be shorter than its limit, even empty, and not be the last. */
export interface TrashPage {
  /** The deleted books, newest first. */
  readonly books: readonly DeletedBook[];
  /** Where the next page begins: 1 to 40 of `0-9 -`. `undefined` on the last page. */
  readonly next: string | undefined;
}

/** A page of batches. It may be shorter than its limit, even empty, and not be the last. */
export interface BatchPage {
  /** The batches by the times of their first changes, newest first. */
  readonly batches: readonly BatchSummary[];
  /** As that of {@link TrashPage}. */
  readonly next: string | undefined;
}

/** The options of a write. */
export interface WriteOptions {
  /** The batch that the change belongs to: 8 to 64 of `A-Z a-z 0-9 _ -`. Default: none. */
  readonly batch?: string | undefined;
  /** The name of the user who makes the change, for `onChange`: 1 to 200 characters. Default: none. */
  readonly user?: string | undefined;
}

/** The options of a write of a book that exists. */
export interface ChangeOptions extends WriteOptions {
  /** The write happens only if the book equals this (compare-and-set). Default: any book. */
  readonly expected?: Book | undefined;
}

/** The options of a revert. */
export interface StoreRevertOptions extends ChangeOptions {
  /** The version of the state. Default: the one before the last change, if it is kept. */
  readonly version?: string | undefined;
}

/** Selects the books of a batch that are undone in one step. */
export interface UndoRequest {
  /** The batch of the undo itself: `newUndoId(batch)`, the same for all its steps. */
  readonly as: string;
  /** The maximum number of books. */
  readonly limit: number;
  /** Only books with ids below this. Default: all. */
  readonly before?: number | undefined;
  /** As in {@link WriteOptions}. */
  readonly user?: string | undefined;
}

/** The result of a step of an undo. */
export interface Undone {
  /** The number of books that the undo has changed: in this step, or in an earlier attempt at it. */
  readonly undone: number;
  /** The books that were skipped, because somebody else has changed them since; by descending id. */
  readonly left: readonly number[];
  /** The `before` of the next step; `undefined` when this was the last one. */
  readonly next: number | undefined;
}

/** The maximum number of states in a history, and of the characters of their texts. */
export const historyLimits = { maxStates: 1000, maxCharacters: 2 ** 22 } as const;

/** The first of some states, as many as a history has at most. */
export function takeStates(states: Iterable<EarlierState>): readonly EarlierState[] {
  const taken: EarlierState[] = [];
  let characters = 0;
  for (const state of states) {
    if (taken.length === historyLimits.maxStates || characters >= historyLimits.maxCharacters) break;
    taken.push(state);
    characters += textLength(state);
  }
  return taken;
}

/** The numbers of changes by kind, for the summary of a batch. */
export function countKinds(countOf: (kind: ChangeKind) => number): Record<ChangeKind, number> {
  return Object.fromEntries(changeKinds.map((kind) => [kind, countOf(kind)])) as Record<ChangeKind, number>;
}

/** What the log says of a write, besides its kind and time. */
export interface Attribution {
  /** As in {@link WriteOptions}. */
  readonly batch: string | undefined;
  /** As in {@link WriteOptions}. */
  readonly user: string | undefined;
}

/** The batch and the user of a write. */
export function attributionOf({ batch, user }: WriteOptions = {}): Attribution {
  return { batch, user };
}

/** @throws {ShelflistError} `invalid_input`: it is not the id of a batch, or not the name of a user. */
export function checkAttribution({ batch, user }: WriteOptions = {}): void {
  if (batch !== undefined) checkBatch(batch);
  checkUser(user);
}

/** @throws {ShelflistError} `invalid_input`: it is not the name of a user. */
export function checkUser(user: string | undefined): void {
  if (user === undefined || isUserName(user)) return;
  throw new ShelflistError('invalid_input', {
    message: 'the name of a user is not 1 to 200 characters without control characters',
  });
}

/** @throws {ShelflistError} `invalid_input`: it is not the id of a batch. */
export function checkBatch(batch: unknown): void {
  if (isBatchId(batch)) return;
  throw new ShelflistError('invalid_input', {
    message: 'the id of a batch is not 8 to 64 of A-Z, a-z, 0-9, _ and -',
  });
}

/** @throws {ShelflistError} `invalid_query`: it is not a number of books. */
export function checkSummaryOptions({ books = 1 }: SummaryOptions = {}): void {
  if (Number.isSafeInteger(books) && books >= 1 && books <= maxBatchBooks) return;
  throw new ShelflistError('invalid_query', { message: `books is not a number from 1 to ${maxBatchBooks}` });
}

/** Checks the request of a page. @throws {ShelflistError} `invalid_query` */
export function checkHistoryRequest({ limit, after }: HistoryRequest): void {
  const isPosition = after === undefined || /^[0-9-]{1,40}$/.test(after);
  if (!Number.isSafeInteger(limit) || limit < 1 || !isPosition) throw notAPosition();
}

/** The error for an `after` that is not a position of a list. */
export function notAPosition(): ShelflistError {
  return new ShelflistError('invalid_query', {
    message: '"after" is not a cursor of this list; take it from the Link of the previous page',
  });
}
