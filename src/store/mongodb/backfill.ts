// Makes index entries in the background: for documents of other programs, after the rules changed, for another order by title.
import type { Filter } from 'mongodb';
import type { Book } from '../../catalogue/book.ts';
import {
  anyId,
  bookProjection,
  decodeBook,
  live,
  type BookDocument,
  type Database,
  type CounterDocument,
  newRevision,
} from './schema.ts';
import { indexEntry } from './index-entry.ts';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  articleField,
  changeOrder,
  finishOrder,
  otherSlot,
  settleOrder,
  titleKey,
} from '../../catalogue/title-order.ts';
import { dropIndexes, orderIndexes, type Index } from './indexes.ts';
import { foldingVersion } from '../../catalogue/words.ts';
import { sameVersion } from '../contract/duplicates.ts';
import { retryCollisions } from './counter.ts';

/** Documents read and written together. */
const batchSize = 500;
/** The maximum number of batches in progress: while one is written, the next is read and folded. */
const maxAtOnce = 4;

/** Callbacks of the backfill. */
interface BackfillProgress {
  /** Documents were given their index entries. */
  onIndexed(count: number): void;
  /** A document is not a book. */
  onDamaged(id: number): void;
}

/**
 * Adds index entries of this version to the documents without one: those of other programs and of earlier versions. An
 * index finds these documents, so it continues after a restart where it stopped. Several services may run it at once.
 */
export async function backfill(
  database: Database,
  progress: BackfillProgress,
  signal: AbortSignal,
): Promise<void> {
  const batches = readBatches(database, { rev: null }, progress, signal);
  const work = async () => {
    for (let step = await batches.next(); step.done !== true; step = await batches.next())
      progress.onIndexed(await writeEntries(database, step.value));
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
}

/** A book with its revision and its index entry, if it has them. */
interface IndexedBook {
  readonly book: Book;
  readonly rev: string | null;
  readonly index: unknown;
}

/**
 * Reads books by id. Each batch is a separate query, so that no cursor stays open for long.
 *
 * @param after Only books with higher ids.
 */
export async function* readBatches(
  { books }: Database,
  filter: Filter<BookDocument>,
  progress: Pick<BackfillProgress, 'onDamaged'>,
  signal: AbortSignal,
  after = 0,
): AsyncGenerator<IndexedBook[], void> {
  const projection = { ...bookProjection, rev: 1, index: 1 };
  const options = { sort: { _id: 1 }, limit: batchSize, batchSize, projection } as const;
  for (let last = after; !signal.aborted;) {
    const place = { ...anyId, $gt: last };
    const documents = await books.find({ ...live, ...filter, _id: place }, options).toArray();
    const all = documents.flatMap((document) => {
      const book = decodeBook(document);
      if (book === undefined) progress.onDamaged(document._id);
      return book === undefined ? [] : { book, rev: document.rev ?? null, index: document.index };
    });
    if (all.length > 0) yield all;
    last = documents.at(-1)?._id ?? Infinity;
    if (documents.length < batchSize) return;
  }
}

/** Makes index entries. Updates a document only if it has not changed since it was read; returns the number of updates. */
async function writeEntries({ db, books, order }: Database, all: readonly IndexedBook[]): Promise<number> {
  await order.refresh();
  const updates = all.map(({ book: { id, ...fields }, rev }) => ({
    q: { ...live, _id: id, rev, ...fields },
    u: {
      $set: { index: indexEntry(fields, order.now), rev: rev ?? newRevision().rev },
      $unset: { indexed: 1 },
    },
  }));
  const writeConcern = { w: 'majority', wtimeout: 4000 };
  const command = { update: books.collectionName, updates, ordered: false, writeConcern };
  const { nModified } = await db.command(command);
  return Number(nModified);
}

/** The folding of the index entries. `seq` is the last id whose entry was made again with it. */
interface FoldingMark extends CounterDocument {
  version: string;
}

/** The rules by which index entries are made. */
export const version = `${foldingVersion}.${sameVersion}`;
const markId = { _id: 'books.folding' };
const allDone = Number.MAX_SAFE_INTEGER;

/** Whether all index entries were made with this version. A new database has no mark yet. */
export async function isFolded({ counters }: Database): Promise<boolean> {
  const mark = (await counters.findOne(markId)) as FoldingMark | null;
  return mark === null || (mark.version === version && mark.seq === allDone);
}

/**
 * Makes the index entries again if the last ones were made with another version of folding. Until then, searches use the old
 * ones. It continues after a restart where it stopped; several services may run it at once.
 */
export async function refold(
  database: Database,
  progress: BackfillProgress,
  signal: AbortSignal,
): Promise<void> {
  const { counters } = database;
  const mark = (await counters.findOne(markId)) as FoldingMark | null;
  const isEmpty = mark === null && (await database.books.findOne({}, { projection: { _id: 1 } })) === null;
  const start = isEmpty ? allDone : mark?.version === version ? mark.seq : 0;
  if (mark?.version === version && start === allDone) return;
  const begun: Partial<FoldingMark> = { version, seq: start };
  await retryCollisions(() => counters.updateOne(markId, { $set: begun }, { upsert: true }));
  if (isEmpty) return;
  for await (const all of readBatches(database, {}, progress, signal, start)) {
    const order = await database.order.refresh();
    const outdated = all.filter(({ book, index }) => !isDeepStrictEqual(index, indexEntry(book, order)));
    if (outdated.length > 0) progress.onIndexed(await writeEntries(database, outdated));
    const seq = all.at(-1)?.book.id ?? 0;
    // Stops if a service with another version has begun.
    const { matchedCount } = await counters.updateOne({ ...markId, version }, { $max: { seq } });
    if (matchedCount === 0) return;
  }
  if (!signal.aborted) await counters.updateOne({ ...markId, version }, { $set: { seq: allDone } });
}

/** After this time, no call is in progress that uses an earlier order of titles than the current one. */
const lease = (signal: AbortSignal): Promise<void> => setTimeout(7000, undefined, { signal, ref: false });

/**
 * Makes the order of titles that a service wants, if the database has another one. It continues after a restart where it
 * stopped; several services may run it at once.
 *
 * First, all services learn to write the next keys, too. Then the other books get them, and the order is changed. The last keys
 * are written until all services have noticed that.
 *
 * @param articles From `foldArticles`; `undefined`: the order that the database has, or is getting.
 * @param build Builds those of the indexes that are missing, however long it takes.
 * @param wait Waits until all services have noticed a change, for tests.
 */
export async function makeOrder(
  database: Database,
  articles: readonly string[] | undefined,
  progress: BackfillProgress,
  build: (indexes: readonly Index[]) => Promise<void>,
  signal: AbortSignal,
  wait = lease,
): Promise<void> {
  const { books, order } = database;
  const dropUnused = async () => {
    const { articles: current, slot, next, last } = await order.refresh(0);
    const used = [
      ...(current.length > 0 ? [slot] : []),
      ...(next === undefined && last === undefined ? [] : [otherSlot(slot)]),
    ];
    await dropIndexes(
      database,
      books,
      orderIndexes.filter((_, i) => used.every((each) => each !== i)),
    );
  };
  /** Ends a change of the order. */
  const settle = async () => {
    const state = await order.refresh(0);
    await wait(signal);
    // Writes that had begun before all services made these keys may have ended after the books got them.
    const late = { $and: [hasTitle, { [`index.order${state.slot}`]: { $exists: false } }] };
    if (state.articles.length > 0)
      for await (const all of readBatches(database, late, progress, signal))
        progress.onIndexed(await writeKeys(database, all, state.slot, state.articles));
    if (state.last !== undefined && !signal.aborted) await order.replace(state, settleOrder(state));
    await dropUnused();
  };
  for (let wanted; ;) {
    signal.throwIfAborted();
    const state = await order.refresh(0);
    if (state.last !== undefined) {
      await settle();
      continue;
    }
    wanted = articles === undefined ? state : changeOrder(state, articles);
    if (wanted === state || (await order.replace(state, wanted))) break;
  }
  const { articles: current, slot, next, last } = order.now;
  if (next === undefined) {
    if (current.length > 0) await build([orderIndexes[slot]]);
    await (last === undefined ? dropUnused() : settle());
    return;
  }
  await build([orderIndexes[otherSlot(slot)]]);
  const isEmpty = (await books.findOne({}, { projection: { _id: 1 } })) === null;
  if (!isEmpty) {
    await wait(signal);
    for await (const all of readBatches(database, hasTitle, progress, signal, next.to)) {
      progress.onIndexed(await writeKeys(database, all, otherSlot(slot), next.articles));
      const state = await order.refresh(0);
      // Another service may want another order.
      if (state.next === undefined || !isDeepStrictEqual(state.next.articles, next.articles)) return;
      const to = Math.max(state.next.to, all.at(-1)?.book.id ?? 0);
      await order.replace(state, { ...state, next: { ...state.next, to } });
    }
    if (signal.aborted) return;
  }
  const state = await order.refresh(0);
  if (!isDeepStrictEqual(state.next?.articles, next.articles)) return;
  if (await order.replace(state, finishOrder(state))) await settle();
}

const hasTitle = { [`index.${articleField}`]: { $exists: true } };

/** Gives books their keys. Leaves out those that have changed since they were read: they have them. */
async function writeKeys(
  { db, books }: Database,
  all: readonly IndexedBook[],
  slot: 0 | 1,
  articles: readonly string[],
): Promise<number> {
  const updates = all.map(({ book: { id, [articleField]: title }, rev }) => ({
    q: { _id: id, rev, [articleField]: title, ...hasTitle },
    u: { $set: { [`index.order${slot}`]: titleKey(title, articles) } },
  }));
  const writeConcern = { w: 'majority', wtimeout: 4000 };
  const { nModified } = await db.command({
    update: books.collectionName,
    updates,
    ordered: false,
    writeConcern,
  });
  return Number(nModified);
}
