// The list of batches: each is noted before its first change, so that none is lost when a process is killed.
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import { eachAtOnce } from '../../lib/semaphore.ts';
import { hourMs } from '../contract/history-clock.ts';
import { retryCollisions } from './counter.ts';
import type { BatchDocument, BookDocument, Database } from './schema.ts';

/** The batches that this process remembers as noted, and for how long: a note may be forgotten meanwhile. */
const maxRemembered = 1000;
const rememberMs = hourMs;

/** The number of the last batch. */
export const batchCounter = { _id: 'batches' };
/** The order of the batches: those without a number are older. Their times alone would follow a clock that jumps. */
export const oldestFirst = { seq: 1, at: 1, _id: -1 } as const;
export const newestFirst = { seq: -1, at: -1, _id: 1 } as const;

/** Notes batches in the database. */
export class BatchNotes {
  readonly #database: Pick<Database, 'batches' | 'counters' | 'clock'>;
  readonly #noted = new Map<string, { readonly note: Promise<void>; readonly at: number }>();

  constructor(database: Pick<Database, 'batches' | 'counters' | 'clock'>) {
    this.#database = database;
  }

  /** Notes the batch of a write that follows. */
  async note(batch: string | undefined): Promise<void> {
    if (batch === undefined) return;
    const now = performance.now();
    const earlier = this.#noted.get(batch);
    const isRemembered = earlier !== undefined && now - earlier.at < rememberMs;
    const noted = isRemembered ? earlier : { note: this.#insert(batch), at: now }; // Once for many changes at the same time.
    this.#noted.set(batch, noted);
    const [oldest] = this.#noted.keys();
    if (oldest !== undefined && this.#noted.size > maxRemembered) this.#noted.delete(oldest);
    await noted.note.catch((error: unknown) => {
      this.#noted.delete(batch);
      throw error;
    });
  }

  async #insert(batch: string): Promise<void> {
    const next = [batchCounter, { $inc: { seq: 1 } }, { upsert: true, returnDocument: 'after' }] as const;
    const counter = await retryCollisions(() => this.#database.counters.findOneAndUpdate(...next));
    await this.#update(batch, 0, counter?.seq);
  }

  /** Adds books that a batch has created. A process that is killed before leaves the number too small. */
  async addCreated(batch: string | undefined, count: number): Promise<void> {
    if (batch !== undefined && count > 0) await this.#update(batch, count);
  }

  async #update(batch: string, created: number, seq?: number): Promise<void> {
    const { batches, clock } = this.#database;
    const now = clock.stamp();
    const first = { at: now, ...(seq !== undefined && { seq }) };
    const update = { $setOnInsert: first, $inc: { created }, $max: { usedAt: now } };
    await retryCollisions(() => batches.updateOne({ _id: batch }, update, { upsert: true }));
  }
}

/** The documents with a change of a batch. */
export function ofBatch(batch: string): Filter<BookDocument> {
  return { $or: [{ 'creation.batch': batch }, { 'history.batch': batch }] };
}

/** Whether a change of a batch is kept. */
export async function isKept({ books }: Pick<Database, 'books'>, batch: string): Promise<boolean> {
  return (await books.findOne(ofBatch(batch), { projection: { _id: 1 } })) !== null;
}

/** The number of notes that are checked at a time, and of those at once. */
const checkedTogether = 1000;
const maxChecking = 4;

/**
 * Removes the notes of batches of which no change is kept. Those of which some are kept count as used, so that each note is
 * checked once in the time that a history is kept.
 *
 * @param before Batches that were used since are not checked.
 */
export async function pruneBatches(database: Database, before: Date, signal: AbortSignal): Promise<void> {
  const { batches, clock } = database;
  // Notes of earlier builds do not say when they were used.
  const isOld = { $or: [{ usedAt: { $lt: before } }, { usedAt: { $exists: false }, at: { $lt: before } }] };
  for (let isEnd = false; !isEnd && !signal.aborted;) {
    const found = await batches.find(isOld, { limit: checkedTogether }).toArray();
    const usedAt = clock.stamp();
    const updates: AnyBulkWriteOperation<BatchDocument>[] = [];
    await eachAtOnce(found, maxChecking, async ({ _id, usedAt: before }) => {
      const filter = { _id, usedAt: before ?? { $exists: false } }; // A service may use it again now.
      const update = { updateOne: { filter, update: { $set: { usedAt } } } };
      updates.push((await isKept(database, _id)) ? update : { deleteOne: { filter } });
    });
    if (updates.length > 0) await batches.bulkWrite(updates, { ordered: false });
    isEnd = found.length < checkedTogether;
  }
}
