import type { Worker } from 'node:cluster';
import { addCounts, formatMetrics, noCounts, type Memory, type Numbers } from '../../server/metrics.ts';
import { isReport, sendOrder } from './messages.ts';

/** A worker that has not told its numbers by then is taken at what it said last: a sum must not fall. */
const patienceMs = 1000;

/** What all workers have counted, those that have ended included. */
export class Tally {
  /** What each that runs said last. */
  readonly #last = new Map<Worker, Numbers | undefined>();
  #ofEnded = noCounts;
  readonly #rounds = new Map<number, { missing: Set<Worker>; done: () => void }>();
  #round = 0;

  /** Counts a worker in from now on, and answers it when it asks. */
  follow(worker: Worker): void {
    this.#last.set(worker, undefined);
    worker.on('message', (message: unknown) => {
      // Its last words may come after its end, when what it said before is settled already.
      if (!isReport(message) || !this.#last.has(worker)) return;
      if (message.report === 'told') {
        this.#last.set(worker, message.numbers);
        this.#settle(message.round, worker);
      }
      if (message.report === 'asked') void this.#show(worker, message.ask);
    });
    worker.once('exit', () => {
      this.#ofEnded = addCounts(this.#ofEnded, this.#last.get(worker)?.counts ?? noCounts);
      this.#last.delete(worker);
      for (const round of this.#rounds.keys()) this.#settle(round, worker);
    });
  }

  async #show(worker: Worker, ask: number): Promise<void> {
    await this.#askAll();
    let counts = this.#ofEnded;
    const memories = new Map<string, Memory>();
    for (const [{ id }, numbers] of this.#last) {
      if (numbers === undefined) continue;
      counts = addCounts(counts, numbers.counts);
      memories.set(`worker="${id}"`, numbers.memory);
    }
    sendOrder(worker, { order: 'show', ask, text: formatMetrics(counts, memories) });
  }

  /** Resolves when all have told their numbers, or it takes too long. */
  async #askAll(): Promise<void> {
    const round = ++this.#round;
    const missing = new Set(this.#last.keys());
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, patienceMs);
      const done = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#rounds.set(round, { missing, done });
      for (const worker of missing) sendOrder(worker, { order: 'tell', round });
    });
    this.#rounds.delete(round);
  }

  #settle(round: number, worker: Worker): void {
    const waiting = this.#rounds.get(round);
    waiting?.missing.delete(worker);
    if (waiting?.missing.size === 0) waiting.done();
  }
}
