import type { Worker } from 'node:cluster';
import {
  addCounts,
  noCounts,
  type Counts,
  type Numbers,
  type ProcessState,
  formatMetrics,
} from '../../../server/observability/metrics.ts';
import { isReport, sendOrder } from './messages.ts';

/** After this, the last known numbers of a worker are used: a sum must never decrease. */
const timeoutMs = 1000;

const restarts = 'shelflist_worker_restarts_total';

/** The metrics of all workers, including those that have exited. */
export class Tally {
  /** The last known numbers of each running worker. */
  readonly #last = new Map<Worker, Numbers | undefined>();
  #ofEnded: Counts = addCounts(noCounts, { counters: { [restarts]: 0 }, histograms: {} });
  readonly #rounds = new Map<number, { missing: Set<Worker>; done: () => void }>();
  #round = 0;

  /** Adds a worker, and answers its requests. */
  follow(worker: Worker): void {
    this.#last.set(worker, undefined);
    worker.on('message', (message: unknown) => {
      // A message may arrive after the exit, when the worker's counts have been added already.
      if (!isReport(message) || !this.#last.has(worker)) return;
      if (message.report === 'told') {
        this.#last.set(worker, message.numbers);
        this.#settle(message.round, worker);
      }
      if (message.report === 'asked') void this.#show(worker, message.ask);
    });
    worker.once('exit', () => {
      this.#ofEnded = addCounts(this.#ofEnded, this.#last.get(worker)?.counts ?? noCounts);
      this.#ofEnded = addCounts(this.#ofEnded, { counters: { [restarts]: 1 }, histograms: {} });
      this.#last.delete(worker);
      for (const round of this.#rounds.keys()) this.#settle(round, worker);
    });
  }

  async #show(worker: Worker, ask: number): Promise<void> {
    await this.#askAll();
    let counts = this.#ofEnded;
    const states = new Map<string, ProcessState>();
    for (const [{ id }, numbers] of this.#last) {
      if (numbers === undefined) continue;
      counts = addCounts(counts, numbers.counts);
      states.set(`worker="${id}"`, numbers.state);
    }
    sendOrder(worker, { order: 'show', ask, text: formatMetrics(counts, states) });
  }

  /** Resolves when all workers have answered, or after the timeout. */
  async #askAll(): Promise<void> {
    const round = ++this.#round;
    const missing = new Set(this.#last.keys());
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, timeoutMs);
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
