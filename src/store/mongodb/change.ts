import type { UpdateFilter } from 'mongodb';
import { toBook, type Book, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { expectBook, isSameBook } from '../expect.ts';
import { bookProjection, type BookDocument, type Database } from './documents.ts';
import { indexEntry } from './entry.ts';
import { historyLength, newRevision, pushState } from './history.ts';

/** The fields of a document that a change uses. Another program may have stored anything in them. */
export interface State extends Pick<BookDocument, '_id' | 'rev' | 'deletedAt'> {
  readonly title?: unknown;
  readonly author?: unknown;
  readonly year?: unknown;
  readonly historyLength: number;
}

/** The collection and the limits of a change. */
export interface Changing {
  readonly books: Database['books'];
  readonly read: (id: number) => Promise<State | undefined>;
  /** Stops the attempts. */
  readonly signal: AbortSignal;
}

/** Reads the states of these books in one round trip. */
export async function readStates(
  { books }: Database,
  ids: readonly number[],
): Promise<{ value: State | undefined }[]> {
  const unique = [...new Set(ids)];
  const projection = { ...bookProjection, rev: 1, deletedAt: 1, historyLength };
  const options = { projection, batchSize: unique.length + 1, maxTimeMS: 2000 };
  const found = await books.find({ _id: { $in: unique } }, options).toArray();
  const states = new Map(found.map((state) => [state._id, state as unknown as State]));
  return ids.map((id) => ({ value: states.get(id) }));
}

/**
 * Changes fields of a book by compare-and-set on its revision, in the database. A write that arrives late, from a retry
 * or a slow network, no longer matches. Returns `undefined` when there is no such book.
 *
 * @throws {ShelflistError} `precondition_failed`, `store_damaged`.
 */
export function changeBook(
  changing: Changing,
  id: number,
  patch: BookPatch,
  expected: Book | undefined,
): Promise<Book | undefined> {
  return repeat(changing, async () => {
    const state = await changing.read(id);
    if (state === undefined || isTombstone(state)) return { value: undefined };
    const book = bookOf(state);
    expectBook(expected, book);
    const changed = toBook({ ...state, id, ...patch });
    if (changed === undefined)
      throw new ShelflistError('store_damaged', { message: `record ${id} is not a book` });
    if (book !== undefined && isSameBook(book, changed)) return { value: book };
    const { title, author, year } = changed;
    const $set = { title, author, year, index: indexEntry(changed), rev: newRevision() };
    const isDone = await compareAndSet(changing, state, { $set, ...push(state, book, 'updated') });
    return isDone && { value: changed };
  });
}

/** Replaces a book with a tombstone. @throws {ShelflistError} `precondition_failed` */
export async function removeBook(changing: Changing, id: number, expected: Book | undefined): Promise<void> {
  await repeat(changing, async () => {
    const state = await changing.read(id);
    const book = state === undefined || isTombstone(state) ? undefined : bookOf(state);
    expectBook(expected, book);
    if (state === undefined || isTombstone(state)) return { value: undefined };
    const $set = { deletedAt: new Date(), rev: newRevision() };
    const $unset = { index: 1 } as const;
    const isDone = await compareAndSet(changing, state, { $set, $unset, ...push(state, book, 'deleted') });
    return isDone && { value: undefined };
  });
}

/** Retries while other writes come first, until the signal is aborted. */
async function repeat<T>({ signal }: Changing, attempt: () => Promise<{ value: T } | false>): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const result = await attempt();
    if (result) return result.value;
  }
}

/** Updates a document that is still in this state. Compares its fields too: other programs do not change the revision. */
async function compareAndSet(
  { books }: Changing,
  { _id, rev, title, author, year }: State,
  update: UpdateFilter<BookDocument>,
): Promise<boolean> {
  const same = Object.entries({ rev, title, author, year, deletedAt: null }).map(([name, value]) => ({
    [name]: { $eq: value ?? null }, // `null` also matches a missing field.
  }));
  const { matchedCount } = await books.updateOne({ $and: [{ _id }, ...same] }, update);
  return matchedCount > 0;
}

function push(state: State, book: Book | undefined, change: 'updated' | 'deleted') {
  const { rev = null, historyLength: length } = state;
  return book === undefined ? {} : pushState(book, { rev, change, length });
}

function bookOf({ _id, title, author, year }: State): Book | undefined {
  return toBook({ id: _id, title, author, year });
}

function isTombstone({ deletedAt = null }: State): boolean {
  return deletedAt !== null;
}
