/** A read that waits for its snapshot. */
interface Waiting {
  readonly read: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Lets reads that arrive in one turn of the event loop share one snapshot, because a new one costs more than to read a
 * book. It begins after all of them have come, and so shows each what was acknowledged before, by whichever process.
 */
export class Reader {
  readonly #renew: () => void;
  #waiting: Waiting[] = [];

  /** @param renew Lets what is read next be read from a new snapshot. */
  constructor(renew: () => void) {
    this.#renew = renew;
  }

  /** @param read Waits for nothing itself. */
  read<T>(read: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.push({ read, resolve, reject }) > 1) return;
      setImmediate(() => {
        this.flush();
      });
    });
  }

  /** Reads what waits, now. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    try {
      this.#renew();
    } catch (error) {
      for (const { reject } of waiting) reject(error);
      return;
    }
    for (const { read, resolve, reject } of waiting) {
      try {
        resolve(read() as never);
      } catch (error) {
        reject(error);
      }
    }
  }
}
