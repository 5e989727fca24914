import { closeSync, fstatSync, futimesSync, openSync } from 'node:fs';
import type { Connection } from './binding.ts';
import { isBusy } from './connection.ts';

/** The interval between attempts of a waiting process. */
const pollMs = 1;
/** A claim that was not renewed for this long is void: its process has ended, or gets no processor time. */
const claimMs = 50;

/**
 * Gives the processes that write to one file their turns, the longest-waiting one first. SQLite's own waiting is not fair:
 * the process that released the lock takes it again before a waiting one looks.
 *
 * The claim is the times of a file beside the store, the only memory the processes share: since when the first of those who
 * wait does so (mtime), and when it last said so (atime). A process begins only if nobody has a valid, older claim. All
 * this blocks its thread.
 */
export class WriteTurn {
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  readonly #claim: number;

  /** @param claimFile Created if it is missing. */
  constructor(claimFile: string) {
    this.#claim = openSync(claimFile, 'a');
  }

  /**
   * Begins a write transaction.
   *
   * @throws An error for which `isBusy` holds, after `maxWaitMs`.
   */
  begin(db: Connection, maxWaitMs: number): void {
    // A fraction of a millisecond tells those apart who begin in the same one.
    const since = Date.now() + Math.random();
    const end = performance.now() + maxWaitMs;
    for (let hasClaimed = false; ; Atomics.wait(this.#sleeper, 0, 0, pollMs)) {
      const isOver = performance.now() > end;
      if (!isOver && this.#isOlderClaimed(since)) continue;
      try {
        db.exec('BEGIN IMMEDIATE');
        if (hasClaimed) this.#setClaim(0, 0);
        return;
      } catch (error) {
        if (!isBusy(error) || isOver) throw error;
        this.#setClaim(Date.now(), since);
        hasClaimed = true;
      }
    }
  }

  close(): void {
    closeSync(this.#claim);
  }

  #isOlderClaimed(since: number): boolean {
    const { atimeMs: renewed, mtimeMs: claimedSince } = fstatSync(this.#claim);
    // Times in a file are a little less exact than numbers.
    const age = Date.now() - renewed;
    return age >= 0 && age < claimMs && claimedSince < since - 0.01;
  }

  #setClaim(renewedMs: number, sinceMs: number): void {
    try {
      futimesSync(this.#claim, renewedMs / 1000, sinceMs / 1000);
    } catch {
      // Only its owner may set the times of a file: others wait as SQLite lets them.
    }
  }
}
