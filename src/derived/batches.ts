import type { BatchSummary, SummaryOptions } from '../store/contract/history.ts';
import type { CompleteStore } from '../store/contract/store.ts';
import type { Semaphore } from '../lib/semaphore.ts';
import type { ReadQueue } from './read-queue.ts';

/** The summaries that are kept. */
const maxKept = 100;

/** Summarizes batches. A summary is kept until the catalogue changes. */
export class BatchReader {
  readonly #store: CompleteStore;
  readonly #pages: ReadQueue;
  readonly #checking: Semaphore;
  readonly #kept = new Map<
    string,
    { readonly version: string; readonly summary: BatchSummary | undefined }
  >();

  constructor(store: CompleteStore, pages: ReadQueue, checking: Semaphore) {
    this.#store = store;
    this.#checking = checking;
    this.#pages = pages;
  }

  /** @throws As the store does; and the signal's reason when it is aborted. */
  read(batch: string, options: SummaryOptions, signal: AbortSignal): Promise<BatchSummary | undefined> {
    const key = `${batch} ${options.books ?? 0}`;
    return this.#checking.run(async () => {
      // Read before the summary, which may be newer.
      const version = await this.#store.version();
      const kept = this.#kept.get(key);
      if (kept?.version === version) return kept.summary;
      const summary = await this.#pages.run(() => this.#store.batch(batch, options), signal);
      this.#kept.delete(key);
      this.#kept.set(key, { version, summary });
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
      return summary;
    }, signal);
  }
}
