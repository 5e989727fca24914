import { Commit } from './commit.ts';
import type { EmbeddedEnvironment } from './environment.ts';

/** A write that waits for its transaction. */
interface Write {
  readonly action: (commit: Commit) => unknown;
  /** How many ids it takes. */
  readonly creates: number;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
}

/** So many in one transaction: some milliseconds in which nobody else gets a turn. */
const maxAtOnce = 1000;

/** A transaction that takes longer is stuck: by another process in the middle of one, or by the disk. */
export const stuckMs = 4500;

/**
 * Lets writes share a transaction: all that have come when LMDB's thread has begun one. Those that come later ask for the
 * next, which begins as soon as this one is on the disk, whatever the event loop is busy with then.
 */
export class Writer {
  readonly #environment: EmbeddedEnvironment;
  readonly #waiting: Write[] = [];
  #isAsked = false;

  constructor(environment: EmbeddedEnvironment) {
    this.#environment = environment;
  }

  /**
   * Does a write inside a transaction; resolves once that is on disk.
   *
   * @param action Throws, if at all, before its first put.
   * @param creates How many ids it takes. Default 0.
   */
  write<T>(action: (commit: Commit) => T, creates = 0): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ action, creates, resolve, reject });
      this.#ask();
    });
  }

  #ask(): void {
    if (this.#isAsked || this.#waiting.length === 0) return;
    this.#isAsked = true;
    void this.#transact();
  }

  async #transact(): Promise<void> {
    let together: readonly Write[] | undefined;
    const stuck = setInterval(() => {
      const error = new Error(`nothing could be written for ${stuckMs} ms`);
      for (const { reject } of [...(together ?? []), ...this.#waiting.splice(0)]) reject(error);
    }, stuckMs);
    try {
      const settle = await this.#environment.root.transaction(() => {
        together = this.#take();
        return this.#doAll(together);
      });
      for (const each of settle) each();
    } catch (error) {
      for (const { reject } of together ?? this.#take()) reject(error);
    } finally {
      clearInterval(stuck);
    }
  }

  /** Takes what waits, and lets the rest wait for the next transaction. */
  #take(): readonly Write[] {
    const together = this.#waiting.splice(0, maxAtOnce);
    // Later: what is asked for while LMDB runs its callbacks would run in this very transaction.
    queueMicrotask(() => {
      this.#isAsked = false;
      this.#ask();
    });
    return together;
  }

  /** Inside of a transaction: does all, and gives what is to be done with each when that is on the disk. */
  #doAll(together: readonly Write[]): (() => void)[] {
    const creates = together.reduce((sum, each) => sum + each.creates, 0);
    const commit = new Commit(this.#environment, creates);
    const settle = together.map(({ action, resolve, reject }) => {
      try {
        const value = action(commit) as never;
        return () => {
          resolve(value);
        };
      } catch (error) {
        return () => {
          reject(error);
        };
      }
    });
    commit.end();
    return settle;
  }
}
