import { Semaphore } from '../../lib/semaphore.ts';
import type { BatchSummary } from '../../store/history.ts';
import type { BookStore } from '../../store/store.ts';
import type { PageReader } from './page-reader.ts';

/** The summaries that are kept, one for each batch. */
const maxKept = 100;

/**
 * Summarizes batches. A store may need a second for a large one, so one is read at a time, and its summary is kept until the
 * catalogue changes.
 */
export class BatchReader {
  readonly #store: BookStore;
  readonly #pages: PageReader;
  readonly #reading = new Semaphore(1);
  readonly #kept = new Map<
    string,
    { readonly version: string; readonly summary: BatchSummary | undefined }
  >();

  constructor(store: BookStore, pages: PageReader) {
    this.#store = store;
    this.#pages = pages;
  }

  /** @throws As the store does; and the signal's reason when it is aborted. */
  read(batch: string, signal: AbortSignal): Promise<BatchSummary | undefined> {
    return this.#reading.run(async () => {
      // Read before the summary, which may be newer.
      const version = await this.#store.version();
      const kept = this.#kept.get(batch);
      if (kept?.version === version) return kept.summary;
      const summary = await this.#pages.run(() => this.#store.batch(batch), signal);
      this.#kept.delete(batch);
      this.#kept.set(batch, { version, summary });
      const [oldest] = this.#kept.keys();
      if (oldest !== undefined && this.#kept.size > maxKept) this.#kept.delete(oldest);
      return summary;
    }, signal);
  }
}
