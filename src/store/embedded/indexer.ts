/** How often the index is looked after while there is something to do. */
const tickMs = 100;
/** With more writes than this in a tick, the writers come first: then the work ends after so long, until the next tick. */
const busyWrites = 100;
const busyShareMs = 20;
/** After a step that failed (a full disk). */
const retryMs = 5000;

/** When the index is brought up to date: soon after a write, behind the writers' backs, and step by step. */
export class Indexer {
  readonly #step: () => Promise<number>;
  #writes = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWorking = false;
  #isClosed = false;

  /** @param step Does a piece of the work; gives 0 when there is none left. */
  constructor(step: () => Promise<number>) {
    this.#step = step;
  }

  /** Something was written, or may have been before the store was opened. */
  wake(): void {
    this.#writes++;
    if (!this.#isWorking) this.#workAfter(tickMs);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #workAfter(milliseconds: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#work();
    }, milliseconds).unref();
  }

  async #work(): Promise<void> {
    this.#isWorking = true;
    let isBusy = this.#writes > busyWrites;
    this.#writes = 0;
    let pauseMs = tickMs;
    let isDone = false;
    const begun = performance.now();
    try {
      do {
        isDone = (await this.#step()) === 0;
        isBusy ||= this.#writes > busyWrites;
      } while (!isDone && !this.#isClosed && (!isBusy || performance.now() - begun < busyShareMs));
    } catch {
      pauseMs = retryMs; // Questions are answered all the same: they look at what is not in the index.
    }
    this.#isWorking = false;
    if (!isDone || this.#writes > 0) this.#workAfter(pauseMs);
  }
}
