/** A counting semaphore: at most `permits` tasks run at once, the others wait in order. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs a task as soon as a permit is free. Rejects with the signal's reason if that comes first. */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    await this.#acquire(signal);
    try {
      return await task();
    } finally {
      this.#release();
    }
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const begin = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      const giveUp = () => {
        this.#waiting.delete(begin);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.#waiting.add(begin);
    });
  }

  #release(): void {
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#free++;
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
