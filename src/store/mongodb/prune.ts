// Moves the clock of the history on, and removes what is too old: a TTL index would follow the clock of the server wherever it jumps.
import type { Filter } from 'mongodb';
import { dayMs } from '../contract/history-clock.ts';
import { idempotencyKeyMs } from '../contract/create.ts';
import { pruneBatches } from './batches.ts';
import { retryCollisions } from './counter.ts';
import { tombstones, type BookDocument, type Database } from './schema.ts';

/** The document in `counters` with the time of the clock. */
const clockId = { _id: 'history_clock' };
/** The number of tombstones that are removed at once: each call ends long before the timeout of its connection. */
const maxAtOnce = 1000;

/** Moves the clock on, removes the tombstones, idempotency keys and batches that are too old, and stops when the signal is aborted. */
export async function prune(database: Database, historyDays: number, signal: AbortSignal): Promise<void> {
  const time = await moveClock(database, historyDays);
  await database.repeats.deleteMany({ at: { $lt: new Date(time - idempotencyKeyMs) } });
  const isOld = { deletedAt: { $lt: new Date(time - historyDays * dayMs) } };
  while (!signal.aborted && (await removeSome(database, isOld)));
  await pruneBatches(database, new Date(time - Math.max(historyDays, 1) * dayMs), signal);
}

/** Moves the clock on; returns its time. Never forgets anything itself. */
async function moveClock(database: Database, historyDays: number): Promise<number> {
  const { counters, clock } = database;
  const stored = (await counters.findOne(clockId))?.seq;
  const oldest = await deletedAt(database, 1);
  const nextLoss = oldest === undefined ? 0 : oldest + historyDays * dayMs;
  // A database of an earlier version has tombstones, but no clock. Nothing says whether that of the system is right.
  const begin = async () => Math.min(Date.now(), (await deletedAt(database, -1)) ?? Infinity);
  const seq = clock.read(Number.isSafeInteger(stored) ? stored : await begin(), nextLoss);
  await retryCollisions(() => counters.updateOne(clockId, { $max: { seq } }, { upsert: true }));
  return seq;
}

/** The time of the latest change, as far as it is known. */
export async function latestChange(database: Database): Promise<number> {
  const stored = (await database.counters.findOne(clockId))?.seq;
  return Math.max(stored ?? 0, (await deletedAt(database, -1)) ?? 0);
}

/** When the first or last of the books in the trash was deleted. */
async function deletedAt({ books }: Database, order: 1 | -1): Promise<number | undefined> {
  const options = {
    sort: { deletedAt: order, _id: order },
    projection: { deletedAt: 1 },
    maxTimeMS: 2000,
  } as const;
  const found = await books.findOne({ $and: [tombstones, isDate] }, options);
  return found?.deletedAt?.getTime();
}

const isDate: Filter<BookDocument> = { deletedAt: { $type: 'date' } };

/** Whether there may be more. */
async function removeSome({ books }: Database, isOld: Filter<BookDocument>): Promise<boolean> {
  const filter = { $and: [tombstones, isDate, isOld] };
  const options = { sort: { deletedAt: 1, _id: 1 }, projection: { _id: 1 }, limit: maxAtOnce } as const;
  const ids = (await books.find(filter, options).toArray()).map(({ _id }) => _id);
  await books.deleteMany({ $and: [{ _id: { $in: ids } }, filter] });
  return ids.length === maxAtOnce;
}
