interface Task {
  readonly signal: AbortSignal | undefined;
  run(): void;
  drop(reason: unknown): void;
}

/** The time for all background tasks in each of their turns, in milliseconds. */
const backgroundMs = 1;
/** The pause between these turns after other work, in milliseconds. */
const restMs = 2;
/** How long other work counts as recent, in milliseconds: more of it may follow. */
const busyMs = 1000;

/**
 * Shares the event loop between long tasks and everything else: all tasks together get a few milliseconds of each turn,
 * round-robin. Callers split a task into pieces of about a millisecond.
 *
 * Background tasks have a share of their own: about a millisecond per turn; while there is other work, a third of the time.
 */
export class CooperativeScheduler {
  readonly #maxMs: number;
  readonly #foreground: Share;
  readonly #background: Share;
  #isHurried = false;
  /** When other work ran or arrived. */
  #busyAt = -Infinity;

  /** @param maxMs The time for all tasks in each turn of the event loop. The last piece may exceed it. */
  constructor(maxMs: number) {
    this.#maxMs = maxMs;
    this.#foreground = new Share(() => this.#nextMs(), setImmediate);
    this.#background = new Share(
      () => backgroundMs,
      (turn) => {
        if (performance.now() - this.#busyAt < busyMs) setTimeout(turn, restMs);
        else setImmediate(turn);
      },
    );
  }

  /**
   * Runs a piece of work: at once if this turn has time left and no other piece waits, else after the waiting ones.
   *
   * @param signal When it is aborted, the piece is dropped, and the promise rejects with its reason. A signal of
   * priority `background` lets other work go first.
   */
  run<Result>(work: () => Result | PromiseLike<Result>, signal?: PrioritySignal): Promise<Result> {
    const isYielding = isBackground(signal);
    if (!isYielding) this.#busyAt = performance.now();
    return new Promise((resolve, reject) => {
      (isYielding ? this.#background : this.#foreground).add({
        signal,
        run: () => {
          try {
            resolve(work());
          } catch (error) {
            reject(error); // eslint-disable-line @typescript-eslint/prefer-promise-reject-errors -- It is what the work threw.
          }
        },
        drop: reject,
      });
    });
  }

  /** Shortens the share of the next turn. Other work waits for it: each turn accepts only one new connection. */
  hurry(): void {
    this.#isHurried = true;
    this.#busyAt = performance.now();
  }

  #nextMs(): number {
    const maxMs = this.#isHurried ? this.#maxMs / 4 : this.#maxMs;
    this.#isHurried = false;
    return maxMs;
  }
}

/** Runs tasks in order, for some time in each turn. */
class Share {
  readonly #nextMs: () => number;
  readonly #plan: (turn: () => void) => void;
  readonly #waiting: Task[] = [];
  #maxMs: number;
  #usedMs = 0;
  #isTurnPlanned = false;

  /** @param nextMs Returns the time for all tasks of a turn. @param plan Plans the next turn. */
  constructor(nextMs: () => number, plan: (turn: () => void) => void) {
    this.#nextMs = nextMs;
    this.#plan = plan;
    this.#maxMs = nextMs();
  }

  add(task: Task): void {
    if (this.#waiting.length === 0 && this.#usedMs < this.#maxMs) this.#runOne(task);
    else this.#waiting.push(task);
    this.#planTurn();
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
    this.#plan(() => {
      this.#isTurnPlanned = false;
      this.#usedMs = 0;
      this.#maxMs = this.#nextMs();
      while (this.#usedMs < this.#maxMs) {
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
export const scheduler = new CooperativeScheduler(maxTurnMs);

/**
 * Visits the items of an iterable in pieces of {@link scheduler}.
 *
 * @param signal Ends the work, and has its priority. `undefined` if the work is short.
 * @throws What `visit` throws; and the signal's reason when it is aborted.
 */
export async function forEachYielding<Item>(
  items: Iterable<Item>,
  visit: (item: Item) => void,
  signal: PrioritySignal | undefined,
): Promise<void> {
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
  while (!(await scheduler.run(visitSome, signal)));
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
