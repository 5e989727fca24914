// The list of batches: each is noted before its first change, so that none is lost when a process is killed.
import type { Database } from './schema.ts';
import { retryCollisions } from './counter.ts';

/** The batches that this process remembers as noted. */
const maxRemembered = 1000;

/** Notes batches in the database. */
export class BatchNotes {
  readonly #batches: Database['batches'];
  readonly #noted = new Set<string>();

  constructor({ batches }: Pick<Database, 'batches'>) {
    this.#batches = batches;
  }

  /** Notes the batch of a write that follows. */
  async note(batch: string | undefined): Promise<void> {
    if (batch === undefined || this.#noted.has(batch)) return;
    await this.#update(batch, 0);
    this.#noted.add(batch);
    const [oldest] = this.#noted;
    if (oldest !== undefined && this.#noted.size > maxRemembered) this.#noted.delete(oldest);
  }

  /** Adds books that a batch has created. A process that is killed before leaves the number too small. */
  async addCreated(batch: string | undefined, count: number): Promise<void> {
    if (batch !== undefined && count > 0) await this.#update(batch, count);
  }

  async #update(batch: string, created: number): Promise<void> {
    const update = { $setOnInsert: { at: new Date() }, $inc: { created } };
    await retryCollisions(() => this.#batches.updateOne({ _id: batch }, update, { upsert: true }));
  }
}
