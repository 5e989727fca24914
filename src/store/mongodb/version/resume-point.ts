import type { Document, ResumeToken } from 'mongodb';
import { hasCode, type Database } from '../documents.ts';

/** A position in the change stream, and the version of the books there. */
export interface ResumePoint {
  readonly position: ResumeToken;
  readonly version: string;
}

/** The resume point is moved after this many events or this much time. Services that start read on from it. */
const moveAfter = { events: 1000, milliseconds: 300_000 };

const documentId = 'books.stream';

/**
 * The position where starting services begin to read the change stream. It gives all of them the same version even if
 * nothing has been written since. Writes do not depend on it: a lost or outdated resume point is simply replaced.
 */
export class SharedResumePoint {
  readonly #counters: Database['counters'];
  #events = 0;
  #movedAt = performance.now();

  constructor({ counters }: Database) {
    this.#counters = counters;
  }

  async read(): Promise<ResumePoint | undefined> {
    const found: Document | null = await this.#counters.findOne({ _id: documentId });
    if (found === null) return undefined;
    const { position, version } = found;
    if (typeof position === 'object' && position !== null && typeof version === 'string')
      return { position, version };
    await this.#counters.deleteOne({ _id: documentId }); // Another program wrote it.
    return undefined;
  }

  /** Replaces the resume point; returns `false` when another service was faster. */
  async replace(old: ResumePoint | undefined, { position, version }: ResumePoint): Promise<boolean> {
    try {
      const filter = { _id: documentId, version: old?.version ?? null };
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

  /** Moves the resume point in the background, from time to time. */
  follow({ position, version }: ResumePoint, events: number): void {
    this.#events += events;
    const now = performance.now();
    if (this.#events < moveAfter.events && now - this.#movedAt < moveAfter.milliseconds) return;
    this.#events = 0;
    this.#movedAt = now;
    this.#counters.updateOne({ _id: documentId }, { $set: { position, version } }).catch(() => undefined);
  }
}
