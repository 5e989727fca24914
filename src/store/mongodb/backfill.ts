// Makes index entries in the background: for documents of other programs, after the rules changed.
import type { Filter } from 'mongodb';
import type { Book } from '../../catalogue/book.ts';
import {
  anyId,
  bookProjection,
  decodeBook,
  live,
  type BookDocument,
  type Database,
  newRevision,
} from './schema.ts';
import { indexEntry } from './index-entry.ts';
import { setTimeout } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { indexVersion } from './order.ts';

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
      $set: { index: indexEntry(fields, order.rules), rev: rev ?? newRevision().rev },
      $unset: { indexed: 1 },
    },
  }));
  const writeConcern = { w: 'majority', wtimeout: 4000 };
  const command = { update: books.collectionName, updates, ordered: false, writeConcern };
  const { nModified } = await db.command(command);
  return Number(nModified);
}

/** Whether all index entries were made by the present rules. */
export async function isReindexed({ order }: Database): Promise<boolean> {
  return (await order.refresh(0)).indexedTo === undefined;
}

/**
 * Makes the index entries again if the last ones were made by other rules. Until then, searches and lists use the old ones. It
 * continues after a restart where it stopped; several services may run it at once.
 */
export async function reindex(
  database: Database,
  progress: BackfillProgress,
  signal: AbortSignal,
): Promise<void> {
  const { order } = database;
  for (;;) {
    const { rules, indexedTo } = await order.begin();
    if (indexedTo === undefined) return;
    let isCurrent = true;
    for await (const all of readBatches(database, {}, progress, signal, indexedTo)) {
      const outdated = all.filter(({ book, index }) => !isDeepStrictEqual(index, indexEntry(book, rules)));
      if (outdated.length > 0) progress.onIndexed(await writeEntries(database, outdated));
      isCurrent = await order.advance(rules, all.at(-1)?.book.id ?? 0);
      if (!isCurrent) break; // Another service wants other rules.
    }
    if (signal.aborted || (isCurrent && (await order.advance(rules)))) return;
  }
}

/** After this time, no write is in progress by rules that have changed since. Services notice other rules, and a newer format. */
const settleMs = 10_000;

/** The number of entries whose rules are looked at together. */
const looksAtOnce = 10_000;

/** Makes those entries again that other services wrote by earlier rules while all were made again. */
export async function settle(
  database: Database,
  progress: BackfillProgress,
  signal: AbortSignal,
  waitMs = settleMs,
): Promise<void> {
  const { books, order } = database;
  if (!(await order.refresh(0)).isSettling) return;
  await setTimeout(waitMs, undefined, { signal, ref: false });
  const { rules } = await order.refresh(0);
  const current = indexVersion(rules);
  for (let last = 0, isLast = false; !isLast;) {
    signal.throwIfAborted();
    const options = { sort: { _id: 1 }, limit: looksAtOnce, projection: { 'index.rules': 1 } } as const;
    const found = await books.find({ ...live, _id: { ...anyId, $gt: last } }, options).toArray();
    const late = found.filter(({ index }) => index?.rules !== current).map(({ _id }) => _id);
    const ofThese = { $and: [{ _id: { $in: late } }] };
    if (late.length > 0)
      for await (const all of readBatches(database, ofThese, progress, signal))
        progress.onIndexed(await writeEntries(database, all));
    last = found.at(-1)?._id ?? last;
    isLast = found.length < looksAtOnce;
  }
  await order.settle(rules);
}
