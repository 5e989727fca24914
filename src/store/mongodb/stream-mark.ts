import type { Document, ResumeToken } from 'mongodb';
import { hasCode, type Database } from './documents.ts';

/** A position in the change stream, and the version of the books there. */
export interface Mark {
  readonly position: ResumeToken;
  readonly version: string;
}

/** The mark is moved after this many events or this much time. Services that start read on from it. */
const moveAfter = { events: 1000, milliseconds: 300_000 };

const markId = 'books.stream';

/**
 * The position where starting services begin to read the change stream. It gives all of them the same version even if
 * nothing has been written since. Writes do not depend on it: a lost or outdated mark is simply replaced.
 */
export class StreamMark {
  readonly #counters: Database['counters'];
  #events = 0;
  #movedAt = performance.now();

  constructor({ counters }: Database) {
    this.#counters = counters;
  }

  async read(): Promise<Mark | undefined> {
    const found: Document | null = await this.#counters.findOne({ _id: markId });
    if (found === null) return undefined;
    const { position, version } = found;
    if (typeof position === 'object' && position !== null && typeof version === 'string')
      return { position, version };
    await this.#counters.deleteOne({ _id: markId }); // Another program wrote it.
    return undefined;
  }

  /** Replaces the mark; returns `false` when another service was faster. */
  async replace(old: Mark | undefined, { position, version }: Mark): Promise<boolean> {
    try {
      const filter = { _id: markId, version: old?.version ?? null };
      const { matchedCount, upsertedCount } = await this.#counters.updateOne(
        filter,
        { $set: { position, version } },
        { upsert: true },
      );
      return matchedCount + upsertedCount > 0;
    } catch (error) {
      const duplicateKey = 11000;
      if (hasCode(error, duplicateKey)) return false;
      throw error;
    }
  }

  /** Moves the mark in the background, from time to time. */
  follow({ position, version }: Mark, events: number): void {
    this.#events += events;
    const now = performance.now();
    if (this.#events < moveAfter.events && now - this.#movedAt < moveAfter.milliseconds) return;
    this.#events = 0;
    this.#movedAt = now;
    this.#counters.updateOne({ _id: markId }, { $set: { position, version } }).catch(() => undefined);
  }
}
