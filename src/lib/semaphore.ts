interface Waiting {
  readonly rank: number;
  begin(): void;
  leave(reason: unknown): void;
}

/** How long a task may wait for its slot, in milliseconds, and why it does not run afterwards. */
export interface WaitLimit {
  readonly maxMs: number;
  readonly reason: () => Error;
}

/** Limits how many tasks run at once; the others wait in order of their rank, and of their arrival. */
export class Semaphore {
  readonly #max: number;
  readonly #waiting = new Set<Waiting>();
  #running = 0;

  /** @param max How many tasks run at once. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Runs a task as soon as a slot is free.
   *
   * @param signal If it is aborted while the task waits, the task does not run, and the promise rejects with its reason.
   * @param rank Tasks of a lower one are before those that wait already.
   * @param limit Default: the task waits until it runs.
   */
  async run<Result>(
    task: () => Promise<Result>,
    signal?: AbortSignal,
    rank = 0,
    limit?: WaitLimit,
  ): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#running < this.#max) this.#running++;
    else await this.#turn(signal, rank, limit);
    try {
      return await task();
    } finally {
      const next = this.#next();
      if (next === undefined) this.#running--;
      else next.begin();
    }
  }

  /** Rejects the waiting tasks; running ones continue. */
  rejectWaiting(reason: Error): void {
    for (const each of this.#waiting) each.leave(reason);
  }

  #next(): Waiting | undefined {
    let next: Waiting | undefined;
    for (const each of this.#waiting) if (next === undefined || each.rank < next.rank) next = each;
    return next;
  }

  /** Resolves when another task releases its slot. */
  #turn(signal: AbortSignal | undefined, rank: number, limit: WaitLimit | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer =
        limit &&
        setTimeout(() => {
          waiting.leave(limit.reason());
        }, limit.maxMs);
      const end = () => {
        clearTimeout(timer);
        this.#waiting.delete(waiting);
        signal?.removeEventListener('abort', onAbort);
      };
      const waiting: Waiting = {
        rank,
        begin: () => {
          end();
          resolve();
        },
        leave: (reason) => {
          end();
          reject(reason); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- It is the signal's.
        },
      };
      const onAbort = () => {
        waiting.leave(signal?.reason);
      };
      this.#waiting.add(waiting);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}

/**
 * Works on each item, on some at once. Takes an item when its work begins. After a failure, no more work begins.
 *
 * @param max How many at once.
 * @throws The first failure, once all work that began has ended.
 */
export async function eachAtOnce<Item>(
  items: Iterable<Item>,
  max: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const waiting = { [Symbol.iterator]: () => iterator };
  const failures: unknown[] = [];
  const run = async () => {
    for (const item of waiting) {
      if (failures.length > 0) return;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: max }, run));
  if (failures.length > 0) throw failures[0];
}
