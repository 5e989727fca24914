// The list of batches: each is noted before its first change, so that none is lost when a process is killed.
import type { Database } from './schema.ts';
import { retryCollisions } from './counter.ts';

/** The batches that this process remembers as noted. */
const maxRemembered = 1000;

/** The number of the last batch. */
export const batchCounter = { _id: 'batches' };
/** The order of the batches: those without a number are older. Their times alone would follow a clock that jumps. */
export const oldestFirst = { seq: 1, at: 1, _id: -1 } as const;

/** Notes batches in the database. */
export class BatchNotes {
  readonly #database: Pick<Database, 'batches' | 'counters' | 'clock'>;
  readonly #noted = new Map<string, Promise<void>>();

  constructor(database: Pick<Database, 'batches' | 'counters' | 'clock'>) {
    this.#database = database;
  }

  /** Notes the batch of a write that follows. */
  async note(batch: string | undefined): Promise<void> {
    if (batch === undefined) return;
    const noted = this.#noted.get(batch) ?? this.#insert(batch); // Once for many changes at the same time.
    this.#noted.set(batch, noted);
    const [oldest] = this.#noted.keys();
    if (oldest !== undefined && this.#noted.size > maxRemembered) this.#noted.delete(oldest);
    await noted.catch((error: unknown) => {
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
    const first = { at: clock.stamp(), ...(seq !== undefined && { seq }) };
    const update = { $setOnInsert: first, $inc: { created } };
    await retryCollisions(() => batches.updateOne({ _id: batch }, update, { upsert: true }));
  }
}
