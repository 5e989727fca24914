// Lets processes that write to one file take turns.
import { closeSync, existsSync, fstatSync, futimesSync, openSync } from 'node:fs';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { Connection } from './binding.ts';
import { isBusy } from './connection.ts';

/** The interval between attempts of a waiting process. */
const pollMs = 1;
/** A claim that was not renewed for this long is void: its process has ended, or gets no processor time. */
const claimMs = 50;

/**
 * Queues the processes that write to one file, first come, first served. SQLite's own waiting is unfair: the process
 * that released the lock takes it again before a waiting one retries.
 *
 * The claim is stored in the times of a file beside the store, the only memory that the processes share: mtime is when the
 * first process in the queue began to wait, and atime when it last renewed its claim. A process begins only if there is no
 * valid, older claim. Waiting blocks the thread.
 */
export class WriteQueue {
  readonly #sleeper = new Int32Array(new SharedArrayBuffer(4));
  readonly #claim: number;

  readonly #isStopped: () => boolean;

  /**
   * @param claimFile Created if it is missing.
   * @param isStopped Whether the caller of {@link begin} no longer waits.
   */
  constructor(claimFile: string, isStopped: () => boolean) {
    const isNew = !existsSync(claimFile);
    this.#claim = openSync(claimFile, 'a');
    this.#isStopped = isStopped;
    if (isNew) this.#setClaim(0, 0); // The times of its creation would count as a claim.
  }

  /**
   * Begins a write transaction.
   *
   * @throws {ShelflistError} `unavailable`: its caller no longer waits. No transaction has begun.
   */
  begin(db: Connection): void {
    // The fraction orders processes that begin in the same millisecond.
    const since = Date.now() + Math.random();
    for (let hasClaimed = false; ; Atomics.wait(this.#sleeper, 0, 0, pollMs)) {
      if (this.#isStopped())
        throw new ShelflistError('unavailable', {
          message: 'other processes write to the store all the time',
        });
      if (this.#isOlderClaimed(since)) continue;
      try {
        db.exec('BEGIN IMMEDIATE');
        if (hasClaimed) this.#setClaim(0, 0);
        return;
      } catch (error) {
        if (!isBusy(error)) throw error;
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
    // Times in a file are less precise than numbers.
    const age = Date.now() - renewed;
    return age >= 0 && age < claimMs && claimedSince < since - 0.01;
  }

  #setClaim(renewedMs: number, sinceMs: number): void {
    try {
      futimesSync(this.#claim, renewedMs / 1000, sinceMs / 1000);
    } catch {
      // Only the owner may set the times of a file. Other users wait without a claim.
    }
  }
}
