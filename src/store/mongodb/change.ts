// Changes one document by compare-and-set, with its index entry and an entry in its history.
import type { Filter, PushOperator, UpdateFilter, UpdateResult } from 'mongodb';
import { fieldsOf, toBook, type Book, type BookPatch } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames, mapFields, type FieldName } from '../../catalogue/fields.ts';
import type { SortRules } from '../../catalogue/sort-keys.ts';
import { broken, checkLogged } from '../contract/assertions.ts';
import { checkExpected, isSameBook } from '../contract/change.ts';
import type { Attribution } from '../contract/history.ts';
import {
  bookProjection,
  checkSize,
  decodeBook,
  entryKinds,
  newRevision,
  textBytes,
  type BookDocument,
  type Database,
  type HistoryEntry,
} from './schema.ts';
import { indexEntry } from './index-entry.ts';

/**
 * The number of newest states that are kept. The array is cut to it at twice the length, because cutting rewrites the whole
 * array in the oplog, and appending does not.
 */
export const maxStates = 16;
/** The maximum size of a state that is kept: a document has at most 16 MiB. */
export const maxStateBytes = 32 * 1024;

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

const isSameRevision = {
  $and: [
    { $eq: [{ $type: '$rev' }, 'string'] },
    { $eq: ['$$entry.rev', '$rev'] },
    { $in: ['$$entry.change', entryKinds] },
  ],
};

/** An expression: whether an entry of this store in `history` has the revision of the document. */
export const isRevisionLogged = {
  $cond: [
    { $isArray: '$history' },
    { $anyElementTrue: [{ $map: { input: '$history', as: 'entry', in: isSameRevision } }] },
    false,
  ],
};

/** The fields of a document that a change uses. Another program may have stored anything in them. */
export interface State
  extends Pick<BookDocument, '_id' | 'rev' | 'deletedAt'>, Readonly<Partial<Record<FieldName, unknown>>> {
  readonly historyLength: number;
  /** Whether its revision is that of an earlier state. No write of this store causes that. */
  readonly isRevisionLogged: boolean;
}

/** The collection and the limits of a change. */
export interface UpdateContext {
  readonly books: Database['books'];
  readonly read: (id: number) => Promise<State | undefined>;
  /** Stops the attempts. */
  readonly signal: AbortSignal;
}

/** What the log says of a change, and the rules by which its index entry is made. */
export interface ChangeMetadata extends Attribution {
  readonly at: Date;
  readonly rules: SortRules;
}

/** When a write happens, and what the log says of it. */
export interface Condition extends ChangeMetadata {
  /** Only if the book equals this. */
  readonly expected: Book | undefined;
}

/** Reads the states of these books in one round trip. */
export async function readStates(
  { books }: Database,
  ids: readonly number[],
): Promise<{ value: State | undefined }[]> {
  const unique = [...new Set(ids)];
  const projection = { ...bookProjection, rev: 1, deletedAt: 1, historyLength, isRevisionLogged };
  const options = { projection, batchSize: unique.length + 1, maxTimeMS: 2000 };
  const found = await books.find({ _id: { $in: unique } }, options).toArray();
  const states = new Map(found.map((state) => [state._id, state as unknown as State]));
  return ids.map((id) => ({ value: states.get(id) }));
}

/** Changes fields of a book. Returns `undefined` when there is none. @throws {ShelflistError} */
export function changeBook(
  changing: UpdateContext,
  id: number,
  patch: BookPatch,
  { expected, ...stamp }: Condition,
): Promise<Book | undefined> {
  return changeState(
    changing,
    () => changing.read(id),
    (state, book) => {
      if (state === undefined || isTombstone(state)) return undefined;
      checkExpected(expected, book);
      const changed = toBook({ ...state, id, ...patch });
      if (changed === undefined)
        throw new ShelflistError('store_damaged', { message: `record ${id} is not a book` });
      if (book !== undefined && isSameBook(book, changed))
        return { value: book, update: fence(stamp.rules, book) };
      checkSize(changed);
      const $set = {
        ...fieldsOf(changed),
        index: indexEntry(changed, stamp.rules),
        ...newRevision(stamp),
      };
      return { value: changed, update: { $set, ...push(state, book, 'updated', stamp) } };
    },
  );
}

/** Replaces a book with a tombstone. @throws {ShelflistError} `precondition_failed` */
export async function removeBook(
  changing: UpdateContext,
  id: number,
  { expected, ...stamp }: Condition,
): Promise<void> {
  await changeState(
    changing,
    () => changing.read(id),
    (state, book) => {
      checkExpected(expected, book);
      if (state === undefined) return undefined;
      if (!isTombstone(state)) return { value: undefined, update: removal(state, book, stamp) };
      // A tombstone of another program must not get a revision: it would expire.
      return typeof state.rev === 'string' ? { value: undefined, update: fence(stamp.rules) } : undefined;
    },
  );
}

/** The result of a change, and the update that it needs. */
interface Outcome<T> {
  readonly value: T;
  readonly update: UpdateFilter<BookDocument>;
}

/**
 * Changes a document by compare-and-set on its revision, in the database, and again while other writes come first. A write
 * that arrives late, from a retry or a slow network, no longer matches.
 *
 * @param decide `undefined`: there is nothing to change.
 * @throws What `decide` throws.
 */
export function changeState<S extends State, T>(
  changing: Pick<UpdateContext, 'books' | 'signal'>,
  read: () => Promise<S | undefined>,
  decide: (state: S | undefined, book: Book | undefined) => Outcome<T> | undefined,
): Promise<T | undefined> {
  return retryOnConflict(changing, async () => {
    const state = await read();
    const book = state === undefined || isTombstone(state) ? undefined : decodeBook(state);
    const outcome = decide(state, book);
    if (state === undefined || outcome === undefined) return { value: undefined };
    const isDone = await compareAndSet(changing, { state, update: outcome.update });
    return isDone && { value: outcome.value };
  });
}

/**
 * The update of a change that changes nothing. Its revision stops writes that are still on their way. The change stream does
 * not show it.
 */
export function fence(rules: SortRules, book?: Book): UpdateFilter<BookDocument> {
  return { $set: { ...(book && { index: indexEntry(book, rules) }), ...newRevision() } };
}

/** The update that replaces a book with a tombstone. */
export function removal(
  state: State,
  book: Book | undefined,
  stamp: ChangeMetadata,
): UpdateFilter<BookDocument> {
  const $set = { deletedAt: stamp.at, ...newRevision(stamp) };
  return { $set, $unset: { index: 1 }, ...push(state, book, 'deleted', stamp) };
}

/** The update that gives a book an earlier state, or brings it back. */
export function restoration(
  state: State,
  book: Book | undefined,
  earlier: Book,
  stamp: ChangeMetadata,
): UpdateFilter<BookDocument> {
  const $set = {
    ...fieldsOf(earlier),
    index: indexEntry(earlier, stamp.rules),
    ...newRevision(stamp),
  };
  const { rev = null, historyLength: length } = state;
  const before = isTombstone(state) ? undefined : (book ?? null);
  const entry = pushEntry(before, { rev, change: 'reverted', length, ...stamp });
  return { $set, $unset: { deletedAt: 1 }, ...entry };
}

/** Retries while other writes come first, until the signal is aborted. */
export async function retryOnConflict<T>(
  { signal }: Pick<UpdateContext, 'signal'>,
  attempt: () => Promise<{ value: T } | false>,
): Promise<T> {
  for (;;) {
    signal.throwIfAborted();
    const result = await attempt();
    if (result) return result.value;
  }
}

/** An update of a document in a state. */
export interface StateChange {
  readonly state: State;
  readonly update: UpdateFilter<BookDocument>;
}

/** Updates a document if it is still in its state; returns whether it was. @throws As {@link checkUpdate}. */
async function compareAndSet({ books }: Pick<UpdateContext, 'books'>, change: StateChange): Promise<boolean> {
  checkUpdate(change);
  const answer = await books.updateOne(sameState(change.state), change.update, { hint: byId });
  checkAnswer(answer, 1);
  return answer.matchedCount > 0;
}

/** Updates the documents that are still in their states; returns whether all of them were. @throws As {@link checkUpdate}. */
export async function compareAndSetAll(
  { books }: Pick<UpdateContext, 'books'>,
  all: readonly StateChange[],
): Promise<boolean> {
  if (all.length === 0) return true;
  for (const change of all) checkUpdate(change);
  const updates = all.map(({ state, update }) => ({
    updateOne: { filter: sameState(state), update, hint: byId },
  }));
  const answer = await books.bulkWrite(updates, { ordered: false });
  checkAnswer(answer, all.length);
  return answer.matchedCount === all.length;
}

/**
 * Checks, before anything is sent, that an update logs its change, and gives its document a revision that it never had: a late
 * write could match an earlier revision. MongoDB updates one document completely or not at all.
 *
 * @throws {ShelflistError} `store_damaged`
 */
function checkUpdate({ state, update }: StateChange): void {
  const { _id, rev, historyLength: from } = state;
  const { $set, $unset, $push } = update;
  if (state.isRevisionLogged)
    throw broken(
      `the document ${_id} has the revision of an earlier state, because another program has restored it in part; remove its field "rev"`,
    );
  const next: unknown = $set?.rev;
  if (typeof next !== 'string' || next === rev)
    throw broken(`a change gave the document ${_id} no new revision`);
  const changed = [...Object.keys($set ?? {}), ...Object.keys($unset ?? {})];
  const isChange = changed.some((name) => name === 'deletedAt' || fieldNames.some((field) => field === name));
  const { $each: entries = [] } = Object($push?.history) as { $each?: readonly HistoryEntry[] };
  // If another program stores something else as history, the document has no log.
  if (from >= 0) checkLogged(isChange ? 1 : 0, { from, to: from + entries.length });
  if (entries.some((entry) => entry.rev !== (rev ?? null)))
    throw broken(`a change of the document ${_id} logged the revision of another state`);
}

/** Checks that the server has made each update that matched: each sets a new revision. @throws {ShelflistError} `store_damaged` */
function checkAnswer(
  { matchedCount, modifiedCount }: Pick<UpdateResult, 'matchedCount' | 'modifiedCount'>,
  most: number,
): void {
  if (matchedCount <= most && modifiedCount === matchedCount) return;
  throw broken(
    `${most} changes were sent, ${matchedCount} matched, and the server made ${modifiedCount}`,
    'some may be stored',
  );
}

/** Spares the server the choice of an index, which costs it a sixth of an update. */
const byId = { _id: 1 } as const;

/** A document in this state. Compares its fields too: other programs do not change the revision. */
function sameState(state: State): Filter<BookDocument> {
  const { rev, _id, deletedAt } = state;
  const same = Object.entries({ rev, ...mapFields(fieldNames, (name) => state[name]), deletedAt });
  const $and = same.map(([name, value]) => ({ [name]: { $eq: value ?? null } })); // `null` also matches a missing field.
  return { _id, $and };
}

function push(state: State, book: Book | undefined, change: HistoryEntry['change'], stamp: ChangeMetadata) {
  const { rev = null, historyLength: length } = state;
  return pushEntry(book ?? null, { rev, change, length, ...stamp });
}

/** The change that an update makes. */
interface Pushed extends ChangeMetadata {
  /** The revision of the state that it replaces. */
  readonly rev: string | null;
  readonly change: HistoryEntry['change'];
  /** The number of entries now; -1 when another program stores something else there. */
  readonly length: number;
}

/**
 * The part of an update that logs it.
 *
 * @param before The state that it replaces: `undefined` if there was no book, `null` for a record that is not a book.
 */
function pushEntry(
  before: Book | undefined | null,
  { rev, change, batch, at, length }: Pushed,
): { $push?: PushOperator<BookDocument> } {
  if (length < 0) return {};
  const isLost = before === null || (before !== undefined && textBytes(before) > maxStateBytes);
  const entry: HistoryEntry = {
    rev,
    at,
    change,
    ...(batch !== undefined && { batch }),
    ...(isLost ? { isLost } : before && fieldsOf(before)),
  };
  const cut = length + 1 >= 2 * maxStates ? { $slice: -maxStates } : {};
  return { $push: { history: { $each: [entry], ...cut } } };
}

export function isTombstone({ deletedAt = null }: State): boolean {
  return deletedAt !== null;
}
