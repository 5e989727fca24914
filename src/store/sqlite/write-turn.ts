import { closeSync, fstatSync, futimesSync, openSync } from 'node:fs';
import type { Connection } from './binding.ts';
import { isBusy } from './connection.ts';

/** How often a waiting process tries again. */
const pollMs = 1;
/** How long a busy process stands back when another one is waiting: a few polls. */
const yieldMs = 4;

/**
 * Takes turns between the processes that write to one file. SQLite's own waiting is not fair: whoever has just released the
 * lock takes it again before a waiting process looks. Here who waits touches a file beside the store, and who has written
 * sees that and stands back. It blocks its thread while it waits.
 */
export class WriteTurn {
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  readonly #mark: number;
  /** When somebody last waited, as far as this process knows. */
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
