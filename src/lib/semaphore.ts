/** Lets a few tasks run at once; the others wait, in their order. */
export class Semaphore {
  readonly #max: number;
  readonly #waiting = new Set<() => void>();
  #running = 0;

  /** @param max How many tasks run at once. */
  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Runs a task when it is its turn.
   *
   * @param signal When it is aborted while the task waits, the task does not run, and the promise rejects with its reason.
   */
  async run<Result>(task: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    signal?.throwIfAborted();
    if (this.#running < this.#max) this.#running++;
    else await this.#turn(signal);
    try {
      return await task();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#running--;
      else next();
    }
  }

  /** Resolves when another task hands over its place. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        this.#waiting.delete(begin);
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        this.#waiting.delete(begin);
        reject(signal?.reason as Error);
      };
      this.#waiting.add(begin);
      signal?.addEventListener('abort', leave, { once: true });
    });
  }
}
