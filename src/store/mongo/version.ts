import { randomBytes } from 'node:crypto';
import { gather } from '../gather.ts';
import { untilDone } from './background.ts';
import { bookCounter, retryingCollisions, type Collections } from './prepare.ts';

/**
 * The version of the books, beside the counter of their ids. Random, and no number: after a restore from a backup a
 * number would come again, with other books.
 */
export class Version {
  readonly #counters: Collections['counters'];
  readonly #signal: AbortSignal;
  readonly #change: (request: undefined) => Promise<undefined>;
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
      async (writers) => {
        const $set = { version: randomBytes(12).toString('base64url') };
        await retryingCollisions(() => counters.updateOne(bookCounter, { $set }, { upsert: true }));
        return writers.map(() => ({ value: undefined }));
      },
      { deadlineMs },
    );
  }

  /** Sets a new one. Writers that wait at the same moment share it: it begins after the write of each has ended. */
  async change(): Promise<void> {
    await this.#change(undefined);
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
   * @param hasChanged Whether the write changed a book. Default: it did.
   */
  async after<T>(write: Promise<T>, hasChanged: (result: T) => boolean = () => true): Promise<T> {
    try {
      const result = await write;
      if (hasChanged(result)) await this.change();
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
