// What a batch did, and its undo, from the history in each document.
import type { Filter } from 'mongodb';
import type { Book } from '../../catalogue/book.ts';
import { isSameBook } from '../contract/change.ts';
import {
  changeKinds,
  countKinds,
  notAPosition,
  type BatchPage,
  type BatchSummary,
  type ChangeKind,
  type HistoryPage,
  type Undone,
  type UndoRequest,
} from '../contract/history.ts';
import { planUndo, sumUp, undoPrefix, type BookResult } from '../contract/undo.ts';
import { eachAtOnce } from '../../lib/semaphore.ts';
import { isKept, newestFirst, ofBatch } from './batches.ts';
import {
  anyId,
  decodeBook,
  textBytes,
  type BatchDocument,
  type BookDocument,
  type Database,
} from './schema.ts';
import {
  compareAndSetAll,
  isTombstone,
  maxStates,
  removal,
  repeat,
  restoration,
  type Changing,
  type Stamp,
  type StateChange,
} from './change.ts';
import { creatorOf, entriesOf, readAllLogged, stateBefore, type LoggedState } from './history.ts';

/** The number of books that a step changes at once: few at first, because they may have long histories. */
const atOnce = { first: 50, most: 250 };
/** More are changed at once while they have no longer texts than these, in bytes. */
const maxBytesAtOnce = 2 ** 20;
/** The number of these that are on their way. */
const maxWriting = 3;
/** The number of batches that are checked at once for a list. */
const maxChecking = 4;
/** The time after which a step ends. */
const maxStepMs = 1500;

/** As `BookStore.batch`. */
export async function readBatch(
  database: Database,
  batch: string,
  maxTimeMS: number,
): Promise<BatchSummary | undefined> {
  const [note, isThere, undoable, changed] = await Promise.all([
    database.batches.findOne({ _id: batch }, { maxTimeMS }),
    isKept(database, batch),
    isUndoable(database, batch, performance.now() + maxStepMs),
    countChanges(database, [batch], maxTimeMS),
  ]);
  if (note === null || !isThere) return undefined;
  return toSummary(await withCreated(database, note), changed, undoable);
}

/** Counts the books that a batch created, if the process that created the first ones was killed before it noted them. */
async function withCreated({ books }: Database, note: BatchDocument): Promise<BatchDocument> {
  if (note.created > 0) return note;
  return {
    ...note,
    created: await books.countDocuments({ 'creation.batch': note._id }, { maxTimeMS: 2000 }),
  };
}

function toSummary(
  { _id: batch, at, created }: BatchDocument,
  changed: readonly ChangeCount[],
  undoable: boolean,
): BatchSummary {
  const groups = [{ change: 'created', count: created }, ...changed.filter((each) => each.batch === batch)];
  const countOf = (kind: ChangeKind) => Number(groups.find(({ change }) => change === kind)?.count ?? 0);
  return { batch, at, ...countKinds(countOf), undoable };
}

/**
 * As `BookStore.batches`. A position is the number of the last batch; of one without a number, its time and the number of batches
 * of that time on earlier pages.
 */
export async function readBatches(
  database: Database,
  { limit, after }: HistoryPage,
  maxTimeMS: number,
): Promise<BatchPage> {
  const [, time, skipped] =
    after === undefined ? [] : (/^([0-9]{1,16})(?:-([0-9]{1,6}))?$/.exec(after) ?? []);
  if (after !== undefined && time === undefined) throw notAPosition();
  const older =
    skipped === undefined
      ? { $or: [{ seq: { $lt: Number(time) } }, { seq: { $exists: false } }] }
      : { seq: { $exists: false }, at: { $lte: new Date(Number(time)) } };
  const found = await database.batches
    .find(time === undefined ? {} : older)
    .sort(newestFirst)
    .skip(Number(skipped ?? 0))
    .limit(limit + 1)
    .maxTimeMS(maxTimeMS)
    .toArray();
  const page = found.slice(0, limit);
  const ids = page.map(({ _id }) => _id);
  const changed = await countChanges(database, ids, maxTimeMS);
  const end = performance.now() + maxStepMs;
  const summaries = new Map<BatchDocument, BatchSummary>();
  await eachAtOnce(page, maxChecking, async (note) => {
    const isSeen = note.created > 0 || changed.some(({ batch }) => batch === note._id);
    const summary = toSummary(isSeen ? note : await withCreated(database, note), changed, true);
    if (changeKinds.every((kind) => summary[kind] === 0)) return; // It changed nothing, or all is forgotten.
    summaries.set(note, { ...summary, undoable: await isUndoable(database, note._id, end) });
  });
  const batches = page.flatMap((note) => summaries.get(note) ?? []);
  const { seq, at: lastAt } = page.at(-1) ?? {};
  if (found.length <= limit || lastAt === undefined) return { batches, next: undefined };
  if (seq !== undefined) return { batches, next: String(seq) };
  const last = lastAt.getTime();
  const atLast = page.filter((each) => each.seq === undefined && each.at.getTime() === last).length;
  const before = last === Number(time) ? Number(skipped ?? 0) : 0;
  return { batches, next: `${last}-${before + atLast}` };
}

interface ChangeCount {
  readonly batch?: unknown;
  readonly change?: unknown;
  readonly count?: unknown;
}

/** The numbers of changes of batches by kind, without creations. */
async function countChanges(
  { books }: Database,
  batches: readonly string[],
  maxTimeMS: number,
): Promise<ChangeCount[]> {
  const ofBatches = { 'history.batch': { $in: [...batches] } };
  const groups = await books
    .aggregate(
      [
        { $match: ofBatches },
        { $project: { history: { $cond: [{ $isArray: '$history' }, '$history', []] } } },
        { $unwind: '$history' },
        { $match: ofBatches },
        {
          $group: {
            _id: { batch: '$history.batch', change: '$history.change' },
            count: { $sum: 1 },
          },
        },
      ],
      { maxTimeMS },
    )
    .toArray();
  return groups.map(({ _id, count }) => ({ ...(_id as ChangeCount), count: count as unknown }));
}

/** Whether an undo of a batch may change a book; `true` if checking takes until `end`. */
async function isUndoable(database: Pick<Database, 'books'>, batch: string, end: number): Promise<boolean> {
  // Books whose newest change undoes the batch have nothing to undo. This keeps the check of an undone batch short.
  const notUndone = { $not: [{ $eq: [{ $indexOfBytes: [newestBatch, undoPrefix(batch)] }, 0] }] };
  for (let before = Number.MAX_SAFE_INTEGER; performance.now() < end;) {
    const ids = await idsOf(database, batch, before, atOnce.first, { $expr: notUndone });
    const states = await readAllLogged(database, ids);
    for (const state of states.values()) if (typeof planOf(state, batch, '') !== 'string') return true;
    if (ids.length < atOnce.first) return false;
    before = ids.at(-1) ?? 0;
  }
  return true;
}

/** The batch of the newest entry in the history of a document; `''` for any other value. */
const newestBatch = {
  $let: {
    vars: { newest: { $cond: [{ $isArray: '$history' }, { $last: '$history' }, null] } },
    in: { $cond: [{ $eq: [{ $type: '$$newest.batch' }, 'string'] }, '$$newest.batch', ''] },
  },
};

/** The books of a batch below an id, in descending order. */
async function idsOf(
  { books }: Pick<Database, 'books'>,
  batch: string,
  before: number,
  limit: number,
  condition: Filter<BookDocument> = {},
) {
  const options = { projection: { _id: 1 }, sort: { _id: -1 }, limit, maxTimeMS: 2000 } as const;
  const filter = { $and: [{ _id: anyId }, { _id: { $lt: before } }, ofBatch(batch), condition] };
  return (await books.find(filter, options).toArray()).map(({ _id }) => _id);
}

/** As `BookStore.undo`. */
export async function undoStep(
  database: Database,
  batch: string,
  { as, limit, before = Number.MAX_SAFE_INTEGER, user }: UndoRequest,
  signal: AbortSignal,
): Promise<Undone | undefined> {
  const { books, order } = database;
  if (!(await isKept(database, batch))) return undefined;
  const ids = await idsOf(database, batch, before, limit + 1);
  const results: BookResult[] = [];
  let size = atOnce.first;
  const end = performance.now() + maxStepMs; // Excludes the search, so that each step undoes some books.
  function* parts() {
    const most = Math.min(limit, ids.length);
    for (let first = 0; first < most && performance.now() < end;) {
      const some = ids.slice(first, Math.min(first + size, most));
      yield { first, some };
      first += some.length;
    }
  }
  await eachAtOnce(parts(), maxWriting, async ({ first, some }) => {
    const { rules } = await order.refresh();
    const stamp = { batch: as, user, at: database.clock.stamp(), rules };
    const { results: done, bytes } = await undoBooks({ books, signal }, some, batch, stamp);
    for (const [i, result] of done.entries()) results[first + i] = result;
    size = bytes > maxBytesAtOnce ? atOnce.first : atOnce.most;
  });
  const done = results.length;
  return { ...sumUp(ids, results), next: done < ids.length ? ids[done - 1] : undefined };
}

/** Undoes some books, by compare-and-set. @returns Also the bytes of the texts that were read. */
async function undoBooks(
  changing: Pick<Changing, 'books' | 'signal'>,
  ids: readonly number[],
  batch: string,
  as: Stamp & { readonly batch: string },
): Promise<{ readonly results: readonly BookResult[]; readonly bytes: number }> {
  const results = new Map<number, BookResult>();
  let bytes = 0;
  let left = ids;
  await repeat(changing, async () => {
    const changes: StateChange[] = [];
    const states = await readAllLogged(changing, left);
    for (const state of states.values()) bytes += bytesOf(state);
    for (const id of left) {
      const found = updateFor(states.get(id), batch, as);
      if (typeof found === 'string') results.set(id, found);
      else changes.push(found);
    }
    left = changes.map(({ state }) => state._id);
    // If not all of them were in their states, the next attempt finds out which ones were.
    if (await compareAndSetAll(changing, changes)) for (const id of left) results.set(id, 'undone');
    else return false;
    return { value: undefined };
  });
  return { results: ids.map((id) => results.get(id) ?? 'unchanged'), bytes };
}

/** The length of the texts of a document and its log. */
function bytesOf(state: LoggedState): number {
  const texts = [decodeBook(state), ...entriesOf(state)];
  return texts.reduce((sum, each) => sum + (each === undefined ? 0 : textBytes(each)), 0);
}

/** The update that undoes a book, or the result if there is nothing to do. */
function updateFor(
  state: LoggedState | undefined,
  batch: string,
  as: Stamp & { readonly batch: string },
): StateChange | BookResult {
  if (state === undefined) return 'unchanged'; // The tombstone has expired.
  const plan = planOf(state, batch, as.batch);
  if (typeof plan === 'string') return plan;
  const { earlier } = plan;
  const book = isTombstone(state) ? undefined : decodeBook(state);
  const isDoneAlready =
    earlier === undefined ? isTombstone(state) : book !== undefined && isSameBook(book, earlier);
  if (isDoneAlready) return 'unchanged';
  const update = earlier === undefined ? removal(state, book, as) : restoration(state, book, earlier, as);
  return { state, update };
}

/** The state that an undo gives a book (`undefined`: none), or the result if there is nothing to do. */
function planOf(state: LoggedState, batch: string, as: string): { earlier: Book | undefined } | BookResult {
  const entries = entriesOf(state);
  const batches = [creatorOf(state), ...entries.map((entry) => entry.batch)];
  const plan = planUndo(batches, batch, as);
  if (typeof plan === 'string') return plan;
  const entry = entries[plan.first - 1];
  // The log is cut at this length: changes before the first that is kept are not known.
  const isCut = state.historyLength < 0 || (plan.first <= 1 && entries.length >= maxStates);
  if (isCut || (entries.at(-1)?.change === 'deleted') !== isTombstone(state)) return 'left';
  if (entry === undefined) return { earlier: undefined };
  const earlier = stateBefore(state, entry);
  if (earlier !== undefined) return { earlier };
  // Before a book was brought back, there was none. Any other state without fields is lost.
  return entry.change === 'reverted' && entry.isLost !== true ? { earlier } : 'left';
}
