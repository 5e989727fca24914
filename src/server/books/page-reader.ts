import type { Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { BookQuery, StoreQuery } from '../../catalogue/query.ts';
import type { BookStore } from '../../store/store.ts';
import type { PageRequest } from '../../store/page.ts';
import type { Call } from '../call.ts';
import { toJsonPart } from './list-format.ts';
import { longWork } from './long-work.ts';

/** The maximum number of pages read at once. Others wait in order; reads and writes of single books do not wait. */
const maxReading = 8;

/** The maximum number of these for readers without a token, so that they cannot crowd out the others. */
const maxAnonymous = 4;

/** When a store fails this long after its last success, the waiting pages fail too. In milliseconds. */
const goneAfterMs = 1000;

/** Consecutive books of a response. */
export interface TextPage {
  /** The books in the requested format; by default comma-separated JSON, without brackets. */
  readonly text: string;
  readonly last: Book | undefined;
  readonly isLast: boolean;
}

/** Writes books. The text of none is empty. */
type Format = (books: readonly Book[]) => string;

/** Reads pages of books as text, a few at a time. */
export class PageReader {
  readonly #store: BookStore;
  readonly #reading: Semaphore;
  /** Where its calls wait before they wait together with those of other readers. */
  readonly #share: Semaphore | undefined;
  #succeeded = -Infinity;

  constructor(store: BookStore, reading = new Semaphore(maxReading), share?: Semaphore) {
    this.#store = store;
    this.#reading = reading;
    this.#share = share;
  }

  /** A reader for calls without a token, which get a part of the slots of this one. */
  forAnonymous(): PageReader {
    return new PageReader(this.#store, this.#reading, new Semaphore(maxAnonymous));
  }

  /** @throws {ShelflistError} As the store does; and the signal's reason when it is aborted. */
  find(
    query: StoreQuery,
    page: PageRequest & { signal: AbortSignal },
    format: Format = toJsonPart,
  ): Promise<TextPage> {
    const { signal } = page;
    return this.run(async () => {
      const { books, isLast } = await this.#store.find(query, page);
      return { text: await write(books, format, signal), last: books.at(-1), isLast };
    }, signal);
  }

  /**
   * The number of books that match; `undefined` if the store cannot count them in time. Finding a page may still work, so this
   * does not fail the waiting ones.
   *
   * @throws As {@link find} does, but not `unavailable`.
   */
  async count(query: BookQuery, signal: AbortSignal): Promise<number | undefined> {
    try {
      return await this.#wait(() => this.#store.count(query, signal), signal);
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error;
      return undefined;
    }
  }

  /**
   * Every book by id, page by page, each as {@link TextPage.text}.
   *
   * @throws As {@link find} does.
   */
  async *list(signal: AbortSignal, format: Format = toJsonPart): AsyncGenerator<string, void, undefined> {
    const pages = this.#store.list()[Symbol.asyncIterator]();
    const read = async () => {
      // The synchronous work of a store counts like any other.
      const page = await longWork.run(() => pages.next(), signal);
      return page.done === true ? undefined : write(page.value, format, signal);
    };
    try {
      for (;;) {
        const text = await this.run(read, signal);
        if (text === undefined) return;
        yield text;
      }
    } finally {
      await pages.return?.();
    }
  }

  /**
   * Runs another read of the store among the pages. Fails all waiting pages when the store is unavailable, so that they do
   * not wait for it one after the other.
   *
   * @throws As {@link find} does.
   */
  run<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    return this.#wait(async () => {
      try {
        const result = await task();
        this.#succeeded = performance.now();
        return result;
      } catch (error) {
        // A store may say the same of a call that was aborted.
        const isStoreGone = !signal.aborted && performance.now() - this.#succeeded > goneAfterMs;
        if (isStoreGone && isUnavailable(error)) {
          this.#reading.rejectWaiting(error);
          this.#share?.rejectWaiting(error);
        }
        throw error;
      }
    }, signal);
  }

  #wait<Result>(task: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const run = () => this.#reading.run(task, signal);
    return this.#share === undefined ? run() : this.#share.run(run, signal);
  }
}

function isUnavailable(error: unknown): error is ShelflistError {
  return error instanceof ShelflistError && error.code === 'unavailable';
}

function write(books: readonly Book[], format: Format, signal: AbortSignal): Promise<string> {
  return longWork.run(() => format(books), signal);
}

/** Chooses the reader for a call: those without a token share one. */
export type ReaderFor = (call: Pick<Call, 'token'>) => PageReader;
