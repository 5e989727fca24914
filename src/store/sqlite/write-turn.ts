import { closeSync, fstatSync, futimesSync, openSync } from 'node:fs';
import type { Connection } from './binding.ts';
import { isBusy } from './connection.ts';

/** The interval between attempts of a waiting process. */
const pollMs = 1;
/** How long a busy process pauses when another one is waiting: a few polls. */
const yieldMs = 4;

/**
 * Makes the processes that write to one file take turns. SQLite's own waiting is not fair: a process that has just released
 * the lock takes it again before a waiting one retries. Here a waiting process touches a file beside the store, and a
 * process that has written sees that and pauses. It blocks its thread while it waits.
 */
export class WriteTurn {
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  readonly #mark: number;
  /** The last time a process waited, as far as this one knows. */
  #seen = 0;

  /** @param markFile Created if it is missing. */
  constructor(markFile: string) {
    this.#mark = openSync(markFile, 'a');
    this.#seen = this.#lastWait();
  }

  /**
   * Begins a write transaction.
   *
   * @throws An error for which `isBusy` holds, after `maxWaitMs`.
   */
  begin(db: Connection, maxWaitMs: number): void {
    if (this.#lastWait() !== this.#seen) this.#sleep(yieldMs);
    for (const end = performance.now() + maxWaitMs; ;) {
      try {
        db.exec('BEGIN IMMEDIATE');
        this.#seen = this.#lastWait();
        return;
      } catch (error) {
        if (!isBusy(error) || performance.now() > end) throw error;
        const now = new Date();
        futimesSync(this.#mark, now, now);
        this.#sleep(pollMs);
      }
    }
  }

  close(): void {
    closeSync(this.#mark);
  }

  #lastWait(): number {
    return fstatSync(this.#mark).mtimeMs;
  }

  #sleep(milliseconds: number): void {
    Atomics.wait(this.#sleeper, 0, 0, milliseconds);
  }
}
