import type { DuplicateLevel } from '../../catalogue/duplicates.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { coalesce } from '../../lib/coalesce.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { BookStore } from '../../store/contract/store.ts';
import { findDuplicates } from './find-duplicates.ts';

/** The maximum wait of a request. Clients of this package wait 30 s. */
const maxWaitMs = 20_000;
/** How long groups are used after writes, if finding them takes longer than a request can wait. */
const maxStaleMs = 10 * 60_000;

const retryAfter = { 'Retry-After': '10' };

export interface DuplicatesCacheOptions {
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
  readonly maxWaitMs?: number;
}

/** The groups of duplicates of one level, found once for each version of the store. */
export class DuplicatesCache {
  readonly #store: BookStore;
  readonly #closing: AbortSignal;
  readonly #maxWaitMs: number;
  readonly #refreshOnce: () => Promise<number[][]>;
  #cached: { version: string; groups: number[][]; staleUntil: number } | undefined;
  #waiting = 0;
  /** Whether a client was asked to retry: the work continues without a waiting request. */
  #isPromised = false;
  #run = new AbortController();

  /** @param running Shared by all levels, so that one runs at a time. */
  constructor(
    store: BookStore,
    level: DuplicateLevel,
    running: Semaphore,
    { closing, maxWaitMs: maxMs = maxWaitMs }: DuplicatesCacheOptions,
  ) {
    this.#store = store;
    this.#closing = closing;
    this.#maxWaitMs = maxMs;
    // Starts after all its callers have called, so that each sees the writes acknowledged before.
    this.#refreshOnce = coalesce(() => running.run(() => this.#refresh(level)));
  }

  /**
   * The ids of the duplicates at the current version of the store, or at a newer one; older if finding them takes long.
   *
   * @throws {ShelflistError} As the store does; `unavailable`: the work goes on, and a later call gets its result.
   */
  async read(signal: AbortSignal): Promise<number[][]> {
    const cached = this.#groupsAt(await this.#store.version());
    if (cached !== undefined) return cached;
    this.#waiting++;
    try {
      return await this.#wait(this.#refreshOnce(), signal);
    } finally {
      this.#waiting--;
      if (this.#isUnwanted()) this.#run.abort(noLongerNeeded());
    }
  }

  /** The cached groups, if they are valid at this version. */
  #groupsAt(version: string): number[][] | undefined {
    const cached = this.#cached;
    if (cached === undefined) return undefined;
    return cached.version === version || performance.now() < cached.staleUntil ? cached.groups : undefined;
  }

  #isUnwanted(): boolean {
    return this.#waiting === 0 && !this.#isPromised;
  }

  async #refresh(level: DuplicateLevel): Promise<number[][]> {
    if (this.#isUnwanted()) throw noLongerNeeded();
    const begun = performance.now();
    this.#run = new AbortController();
    const signal = AbortSignal.any([this.#run.signal, this.#closing]);
    try {
      // Read before the books, which may be newer.
      const version = await this.#store.version();
      const cached = this.#groupsAt(version);
      if (cached !== undefined) return cached;
      const groups = await findDuplicates(this.#store, level, signal);
      const now = performance.now();
      const isSlow = now - begun > this.#maxWaitMs;
      this.#cached = { version, groups, staleUntil: isSlow ? now + maxStaleMs : -Infinity };
      return groups;
    } finally {
      this.#isPromised = false;
    }
  }

  #wait(groups: Promise<number[][]>, signal: AbortSignal): Promise<number[][]> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(noLongerNeeded());
      };
      const timer = setTimeout(() => {
        this.#isPromised = true;
        reject(
          new ShelflistError('unavailable', {
            message: 'the books are still being compared; repeat the request',
            headers: retryAfter,
          }),
        );
      }, this.#maxWaitMs);
      signal.addEventListener('abort', leave, { once: true });
      groups.then(resolve, reject).finally(() => {
        clearTimeout(timer);
        signal.removeEventListener('abort', leave);
      });
      if (signal.aborted) leave();
    });
  }
}

function noLongerNeeded(): ShelflistError {
  return new ShelflistError('unavailable', { message: 'no request waits for the comparison of books' });
}
