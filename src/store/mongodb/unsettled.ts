import { within } from '../deadline.ts';

/**
 * Writes that were given up on, and which the driver may still bring to the server: to the next primary, for one. A later
 * write of the same book waits for them, because they must not take the place of what it has written and acknowledged.
 */
export class Unsettled {
  readonly #deadlineMs: number;
  readonly #writes = new Map<number, Promise<unknown>>();

  /** @param deadlineMs When a write is given up on. */
  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /** Writes a book after all that were given up on; rejects, and has not begun, if they are not settled in time. */
  async write<T>(id: number, begin: () => Promise<T>): Promise<T> {
    const end = performance.now() + this.#deadlineMs;
    const left = () => Math.max(0, end - performance.now());
    for (let before; (before = this.#writes.get(id)) !== undefined;) await within(left(), before);
    const write = begin();
    try {
      return await within(left(), write);
    } catch (error) {
      this.#add(id, write);
      throw error;
    }
  }

  #add(id: number, write: Promise<unknown>): void {
    // More than one, if they were sent at the same time.
    const all = Promise.allSettled([write, this.#writes.get(id)]).then(() => {
      if (this.#writes.get(id) === all) this.#writes.delete(id);
    });
    this.#writes.set(id, all);
  }
}
