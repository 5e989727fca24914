import type { Book } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { BookQuery } from '../query/query.ts';
import type { BookStore } from '../store/store.ts';
import type { PageRequest } from '../store/page.ts';
import { longWork } from './long-work.ts';

/** The number of pages read and rendered at once. Others wait in order; reads and writes of single books do not wait. */
const maxReading = 8;

/** When a store fails after this long without an answer, the waiting pages fail too. In milliseconds. */
const goneAfterMs = 1000;

/** Consecutive books of an answer. */
export interface RenderedPage {
  /** The books as comma-separated JSON, without brackets. */
  readonly json: string;
  readonly last: Book | undefined;
  readonly isLast: boolean;
}

/** Reads pages of books for answers, a few at a time, and renders them as JSON. */
export class PageReader {
  readonly #store: BookStore;
  readonly #reading = new Semaphore(maxReading);
  #succeeded = -Infinity;

  constructor(store: BookStore) {
    this.#store = store;
  }

  /** @throws {ShelflistError} As the store does; and the signal's reason when it is aborted. */
  find(query: BookQuery, page: PageRequest & { signal: AbortSignal }): Promise<RenderedPage> {
    const { signal } = page;
    return this.#read(async () => {
      const { books, isLast } = await this.#store.find(query, page);
      return { json: await render(books, signal), last: books.at(-1), isLast };
    }, signal);
  }

  /** @throws As {@link find} does. */
  count(query: BookQuery, signal: AbortSignal): Promise<number> {
    return this.#read(() => this.#store.count(query, signal), signal);
  }

  /**
   * Every book by id, page by page, each as {@link RenderedPage.json}.
   *
   * @throws As {@link find} does.
   */
  async *list(signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    const pages = this.#store.list()[Symbol.asyncIterator]();
    const read = async () => {
      // The synchronous work of a store counts like any other.
      const page = await longWork.run(() => pages.next(), signal);
      return page.done === true ? undefined : render(page.value, signal);
    };
    try {
      for (;;) {
        const json = await this.#read(read, signal);
        if (json === undefined) return;
        yield json;
      }
    } finally {
      await pages.return?.();
    }
  }

  /** Fails waiting pages with `unavailable` when the store is; otherwise each would wait for the store in turn. */
  async #read<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#reading.run(async () => {
      try {
        const result = await task();
        this.#succeeded = performance.now();
        return result;
      } catch (error) {
        const isStoreGone = performance.now() - this.#succeeded > goneAfterMs;
        if (isStoreGone && error instanceof ShelflistError && error.code === 'unavailable')
          this.#reading.rejectWaiting(error);
        throw error;
      }
    }, signal);
  }
}

function render(books: readonly Book[], signal: AbortSignal): Promise<string> {
  return longWork.run(() => JSON.stringify(books).slice(1, -1), signal);
}
