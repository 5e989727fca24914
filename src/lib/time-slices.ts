interface Task {
  readonly signal: AbortSignal | undefined;
  run(): void;
  drop(reason: unknown): void;
}

/**
 * Shares the event loop between long tasks and everything else: all tasks together get a few milliseconds of each turn,
 * round-robin. Callers split a task into pieces of about a millisecond.
 */
export class TimeSlices {
  readonly #maxMs: number;
  readonly #waiting: Task[] = [];
  #usedMs = 0;
  #isHurried = false;
  #isTurnPlanned = false;

  /** @param maxMs The time for all tasks in each turn of the event loop. The last piece may exceed it. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs;
  }

  /**
   * Runs a piece of work: at once if this turn has time left and no other piece waits, else after the waiting ones.
   *
   * @param signal When it is aborted, the piece is dropped, and the promise rejects with its reason.
   */
  run<Result>(work: () => Result | PromiseLike<Result>, signal?: AbortSignal): Promise<Result> {
    return new Promise((resolve, reject) => {
      const task: Task = {
        signal,
        run: () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- It is what the work threw.
          }
        },
        drop: reject,
      };
      if (this.#waiting.length === 0 && this.#usedMs < this.#maxMs) this.#runOne(task);
      else this.#waiting.push(task);
      this.#planTurn();
    });
  }

  /** Shortens the share of the next turn. Other work waits for it: each turn accepts only one new connection. */
  hurry(): void {
    this.#isHurried = true;
  }

  #runOne(task: Task): void {
    if (task.signal?.aborted === true) {
      task.drop(task.signal.reason);
      return;
    }
    const begun = performance.now();
    task.run();
    this.#usedMs += performance.now() - begun;
  }

  #planTurn(): void {
    if (this.#isTurnPlanned) return;
    this.#isTurnPlanned = true;
    setImmediate(() => {
      this.#isTurnPlanned = false;
      this.#usedMs = 0;
      const maxMs = this.#isHurried ? this.#maxMs / 4 : this.#maxMs;
      this.#isHurried = false;
      while (this.#usedMs < maxMs) {
        const task = this.#waiting.shift();
        if (task === undefined) break;
        this.#runOne(task);
      }
      if (this.#usedMs > 0) this.#planTurn();
    });
  }
}
