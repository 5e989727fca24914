import { randomBytes } from 'node:crypto';
import { gather, share } from '../gather.ts';
import { maxWrites, toRecent, toWrite, type Recent } from '../recent.ts';
import { untilDone } from './background.ts';
import { bookCounter, retryingCollisions, type Collections, type CounterDocument } from './prepare.ts';

/** What is known of the books at one moment. */
export interface State {
  readonly version: string;
  readonly recent: Recent;
}

type Ids = readonly number[] | undefined;

/**
 * The version of the books, beside the counter of their ids. Random, and no number: after a restore from a backup a
 * number would come again, with other books. The last writes stand beside it, each with the version that it has made.
 *
 * A service that is killed between a write and its version leaves the old one until any service writes next, or
 * starts. That write was not acknowledged: what was keeps its promise, but a listing may be taken for unchanged so long.
 */
export class Version {
  readonly #signal: AbortSignal;
  readonly #change: (ids: Ids) => Promise<undefined>;
  readonly #read: () => Promise<CounterDocument | null>;
  readonly #readState: () => Promise<CounterDocument | null>;
  /** Writes of unknown fate that no new version has followed yet. */
  #owed = 0;

  /**
   * @param deadlineMs Of one change, and of one read.
   * @param signal Ends what is done in the background.
   */
  constructor(
    { counters }: Collections,
    deadlineMs: { readonly change: number; readonly read: number },
    signal: AbortSignal,
  ) {
    this.#signal = signal;
    this.#change = gather(
      async (together) => {
        await retryingCollisions(() => counters.updateOne(bookCounter, changeBy(together), { upsert: true }));
        return together.map(() => ({ value: undefined }));
      },
      { deadlineMs: deadlineMs.change },
    );
    const shared = (projection: Partial<Record<keyof CounterDocument, 0 | 1>>) =>
      share(() => counters.findOne(bookCounter, { projection }), { deadlineMs: deadlineMs.read });
    this.#read = shared({ _id: 0, version: 1 });
    this.#readState = shared({ _id: 0, version: 1, recent: 1 });
  }

  /**
   * Sets a new one. Writers that wait at the same moment share it: it begins after the write of each has ended.
   *
   * @param ids The books that were changed: the counter does not fall behind them any more, whatever fails;
   *   `undefined`: it may be any book.
   */
  async change(ids?: readonly number[]): Promise<void> {
    await this.#change(ids);
  }

  async read(): Promise<string> {
    return (await this.#found(this.#read)).version;
  }

  /** With the last writes, which {@link read} leaves on the server. */
  async readState(): Promise<State> {
    const { version, recent } = await this.#found(this.#readState);
    return { version, recent: toRecent(recent) };
  }

  /** A lost one (somebody removed the counter) is made anew: an older one must not come again. */
  async #found(read: () => Promise<CounterDocument | null>): Promise<{ version: string; recent?: unknown }> {
    for (;;) {
      const { version, recent } = (await read()) ?? {};
      if (typeof version === 'string' && /^[\w-]+$/.test(version)) return { version, recent };
      await this.change();
    }
  }

  /**
   * Waits for a write and for a new version after it. If the fate of the write is not known, the new version comes as
   * soon as the server answers.
   *
   * @param changed The books that the write has changed.
   */
  async after<T>(write: Promise<T>, changed: (result: T) => readonly number[]): Promise<T> {
    try {
      const result = await write;
      const ids = changed(result);
      if (ids.length > 0) await this.change(ids);
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

/** One step, so that the version and what it stands for are never apart, however many services write. */
function changeBy(together: readonly Ids[]) {
  const version = randomBytes(12).toString('base64url');
  const known = together.flatMap((ids) => ids ?? []);
  const isKnown = !together.includes(undefined);
  const write = toWrite(version, isKnown ? known : undefined);
  const $max = { seq: known.reduce((a, b) => Math.max(a, b), 0) };
  // What may be any book needs nothing before it; and so it also mends what somebody has put there in place of a list.
  return isKnown
    ? { $max, $set: { version }, $push: { recent: { $each: [write], $slice: -maxWrites } } }
    : { $max, $set: { version, recent: [write] } };
}
