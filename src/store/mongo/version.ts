import { randomBytes } from 'node:crypto';
import { gather } from '../gather.ts';
import { untilDone } from './background.ts';
import { bookCounter, retryingCollisions, type Collections } from './prepare.ts';

/**
 * The version of the books, beside the counter of their ids. Random, and no number: after a restore from a backup a
 * number would come again, with other books.
 *
 * A service that is killed between a write and its version leaves the old one until any service writes next, or
 * starts. That write was not acknowledged: what was keeps its promise, but a listing may be taken for unchanged so long.
 */
export class Version {
  readonly #counters: Collections['counters'];
  readonly #signal: AbortSignal;
  readonly #change: (seq: number) => Promise<undefined>;
  /** Writes of unknown fate that no new version has followed yet. */
  #owed = 0;

  /**
   * @param deadlineMs Of one change.
   * @param signal Ends what is done in the background.
   */
  constructor({ counters }: Collections, deadlineMs: number, signal: AbortSignal) {
    this.#counters = counters;
    this.#signal = signal;
    this.#change = gather(
      async (ids) => {
        const change = {
          $set: { version: randomBytes(12).toString('base64url') },
          $max: { seq: Math.max(...ids) },
        };
        await retryingCollisions(() => counters.updateOne(bookCounter, change, { upsert: true }));
        return ids.map(() => ({ value: undefined }));
      },
      { deadlineMs },
    );
  }

  /**
   * Sets a new one. Writers that wait at the same moment share it: it begins after the write of each has ended.
   *
   * @param lastId The counter does not fall behind it any more, whatever fails. Default 0.
   */
  async change(lastId = 0): Promise<void> {
    await this.#change(lastId);
  }

  /** A lost one (somebody removed the counter) is made anew: an older one must not come again. */
  async read(): Promise<string> {
    for (;;) {
      const { version } = (await this.#counters.findOne(bookCounter)) ?? {};
      if (typeof version === 'string' && /^[\w-]+$/.test(version)) return version;
      await this.change();
    }
  }

  /**
   * Waits for a write and for a new version after it. If the fate of the write is not known, the new version comes as
   * soon as the server answers.
   *
   * @param lastId The highest id that the write has used, 0 for none; `undefined` if it changed nothing.
   */
  async after<T>(write: Promise<T>, lastId: (result: T) => number | undefined): Promise<T> {
    try {
      const result = await write;
      const id = lastId(result);
      if (id !== undefined) await this.change(id);
      return result;
    } catch (error) {
      this.#changeSoon();
      throw error;
    }
  }

  #changeSoon(): void {
    if (this.#owed++ > 0) return;
    void untilDone(async () => {
      for (let owed; this.#owed !== owed;) {
        owed = this.#owed;
        await this.change();
      }
      this.#owed = 0;
    }, this.#signal);
  }
}
