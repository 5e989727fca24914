/** How often the index is looked after while there is something to do. */
const tickMs = 100;
/** With more writes than this in a tick, the writers come first: then the work ends after so long, until the next tick. */
const busyWrites = 100;
const busyShareMs = 20;
/** Questions look at every book that is not in the index yet: with more of them, the writers come no longer first. */
const mostWaiting = 100_000;
/** After a step that failed (a full disk); twice as long after each further one. */
const retryMs = { first: 5000, last: 60_000 };

/** When the index is brought up to date: soon after a write, behind the writers' backs, and step by step. */
export class Indexer {
  readonly #step: () => Promise<number>;
  #writes = 0;
  /** Since the index was up to date, about. */
  #waiting = 0;
  #timer: NodeJS.Timeout | undefined;
  #failures = 0;
  #isWorking = false;
  #isClosed = false;

  /** @param step Does a piece of the work; gives 0 when there is none left. */
  constructor(step: () => Promise<number>) {
    this.#step = step;
  }

  /** Something was written, or may have been before the store was opened. */
  wake(): void {
    this.#writes++;
    this.#waiting++;
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

  #mayGoOn(isBusy: boolean, begun: number): boolean {
    return !isBusy || this.#waiting > mostWaiting || performance.now() - begun < busyShareMs;
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
        const taken = await this.#step();
        isDone = taken === 0;
        this.#failures = 0;
        this.#waiting = isDone ? 0 : Math.max(0, this.#waiting - taken);
        isBusy ||= this.#writes > busyWrites;
      } while (!isDone && !this.#isClosed && this.#mayGoOn(isBusy, begun));
    } catch {
      pauseMs = Math.min(retryMs.first * 2 ** this.#failures++, retryMs.last); // Questions are answered all the same: they look at what is not in the index.
    }
    this.#isWorking = false;
    if (!isDone || this.#writes > 0) this.#workAfter(pauseMs);
  }
}
