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

/** The time for all long tasks in each turn of the event loop, in milliseconds. */
const maxTurnMs = 4;

/** The approximate length of a piece of a task, in milliseconds. */
const pieceMs = 1;

/** Runs the long tasks of this process: listings and imports of all its services. */
export const longWork = new TimeSlices(maxTurnMs);

/**
 * Visits the items of an iterable in pieces of {@link longWork}.
 *
 * @throws What `visit` throws.
 */
export async function visitInSlices<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const visitSome = () => {
    const end = performance.now() + pieceMs;
    while (performance.now() < end) {
      const next = iterator.next();
      if (next.done === true) return true;
      visit(next.value);
    }
    return false;
  };
  while (!(await longWork.run(visitSome)));
}

/** A signal for work that yields to other work, named as in the Prioritized Task Scheduling API. */
export type PrioritySignal = AbortSignal & { readonly priority?: 'background' };

/** Marks a signal. The mark is lost in a signal that is made from this one. */
export function toBackground(signal: AbortSignal): PrioritySignal {
  return Object.assign(signal, { priority: 'background' as const });
}

export function isBackground(signal: PrioritySignal | undefined): boolean {
  return signal?.priority === 'background';
}
