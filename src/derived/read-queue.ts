import type { Book } from '../catalogue/book.ts';
import { hasCode, ShelflistError } from '../catalogue/errors.ts';
import type { KeysetPosition } from '../catalogue/keyset-position.ts';
import type { BookQuery } from '../catalogue/query.ts';
import { toBackground, type PrioritySignal, scheduler } from '../lib/scheduler.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { IdRange } from '../store/contract/ids.ts';
import { endOf, type StorePage, type PageRequest } from '../store/contract/page.ts';
import type { CompleteStore } from '../store/contract/store.ts';

/** The maximum number of pages read at once. Others wait in order; reads and writes of single books do not wait. */
const maxReading = 8;

/** The maximum number of these for readers without a token, so that they cannot crowd out the others. */
const maxAnonymous = 4;

/** The time limit of a query without a token, in milliseconds. */
const anonymousMs = 2000;

/** How long a read waits in the queue. Then it fails with `Retry-After`. */
const queueWait = {
  maxMs: 5000,
  reason: () =>
    new ShelflistError('unavailable', {
      message: 'too many questions are waiting for the store; try again later',
    }),
};

/** When a store fails this long after its last success, the waiting pages fail too. In milliseconds. */
const goneAfterMs = 1000;

/** Consecutive books of a response. */
export interface TextPage {
  /** The books in the requested format; by default comma-separated JSON, without brackets. */
  readonly text: string;
  /** The position of the last book; `undefined`: there is no book. */
  readonly end: KeysetPosition | undefined;
  readonly isLast: boolean;
  readonly match?: StorePage['match'];
  readonly isProvisional?: StorePage['isProvisional'];
}

/** Formats books; no books are an empty text. */
type Format = (books: readonly Book[]) => string;

/** Books as comma-separated JSON without brackets, for the envelope. */
function toJsonPart(books: readonly Book[]): string {
  return JSON.stringify(books).slice(1, -1);
}

/** Reads pages of books as text, a few at a time. */
export class ReadQueue {
  readonly #store: CompleteStore;
  readonly #reading: Semaphore;
  /** The queue of readers without a token, in front of the shared one; `undefined` for the others. */
  readonly #anonymous: Semaphore | undefined;
  /** The signals of answers that have begun: their other parts wait as long as they must. */
  readonly #begun = new WeakSet<AbortSignal>();
  #succeeded = -Infinity;

  constructor(store: CompleteStore, reading = new Semaphore(maxReading), anonymous?: Semaphore) {
    this.#store = store;
    this.#reading = reading;
    this.#anonymous = anonymous;
  }

  /** Whether its calls have no token. */
  get isAnonymous(): boolean {
    return this.#anonymous !== undefined;
  }

  /** A reader for calls without a token: with a part of the slots of this one, little time, and low priority in the store. */
  forAnonymous(): ReadQueue {
    return new ReadQueue(this.#store, this.#reading, new Semaphore(maxAnonymous));
  }

  /** @throws {ShelflistError} As the store does; and the signal's reason when it is aborted. */
  find(
    query: BookQuery,
    page: PageRequest & { signal: AbortSignal },
    format: Format = toJsonPart,
  ): Promise<TextPage> {
    return this.run(async (signal) => {
      const found = await this.#store.find(query, { ...page, signal });
      return {
        text: await write(found.books, format, signal),
        end: endOf(query, found),
        isLast: found.isLast,
        match: found.match,
        isProvisional: found.isProvisional,
      };
    }, page.signal);
  }

  /**
   * The number of books that match; `undefined` if the store cannot count them in time. Finding a page may still work, so this
   * does not fail the waiting ones.
   *
   * @throws As {@link find} does, but not `unavailable`.
   */
  async count(query: BookQuery, signal: AbortSignal): Promise<number | undefined> {
    try {
      return await this.run((own) => this.#store.count(query, { signal: own }), signal, false);
    } catch (error) {
      if (signal.aborted || !isUnavailable(error)) throw error;
      return undefined;
    }
  }

  /**
   * Every book by id, page by page, each as {@link TextPage.text}.
   *
   * @param range Only the books with these ids.
   * @throws As {@link find} does.
   */
  async *list(
    signal: AbortSignal,
    format: Format = toJsonPart,
    range?: IdRange,
  ): AsyncGenerator<string, void, undefined> {
    const pages = this.#store.iterate(range)[Symbol.asyncIterator]();
    const read = async (signal: AbortSignal) => {
      // The synchronous work of a store counts like any other.
      const page = await scheduler.run(() => pages.next(), signal);
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
   * Runs another read of the store in the queue of pages. When the store is unavailable, fails all waiting reads, so that they
   * do not wait for it one after the other.
   *
   * @param isProof Whether its outcome tells if the store is available.
   * @throws As {@link find} does.
   */
  run<Result>(task: Task<Result>, signal: AbortSignal, isProof = true): Promise<Result> {
    const limit = this.#begun.has(signal) ? undefined : queueWait;
    const read: Task<Result> = async (own) => {
      try {
        const result = await task(own);
        if (isProof) this.#succeeded = performance.now();
        return result;
      } catch (error) {
        // A store may say the same of a call that was aborted.
        const isStoreGone = isProof && !own.aborted && performance.now() - this.#succeeded > goneAfterMs;
        if (isStoreGone && isUnavailable(error)) {
          this.#reading.rejectWaiting(error);
          this.#anonymous?.rejectWaiting(error);
        }
        throw error;
      }
    };
    const begin = () => {
      this.#begun.add(signal);
      return this.isAnonymous ? runBriefly(read, signal) : read(signal);
    };
    const wait = () => this.#reading.run(begin, signal, 0, limit);
    return this.#anonymous === undefined ? wait() : this.#anonymous.run(wait, signal, 0, limit);
  }
}

type Task<Result> = (signal: PrioritySignal) => Promise<Result>;

/** Runs a task in the background, for a short time. */
async function runBriefly<Result>(task: Task<Result>, signal: AbortSignal): Promise<Result> {
  const timer = new AbortController();
  const timeout = setTimeout(() => {
    timer.abort();
  }, anonymousMs);
  try {
    return await task(toBackground(AbortSignal.any([signal, timer.signal])));
  } catch (cause) {
    if (!timer.signal.aborted) throw cause;
    throw new ShelflistError('unavailable', {
      message: 'the query takes too long for a reader without a token; narrow it, or log in',
      cause,
    });
  } finally {
    clearTimeout(timeout);
  }
}

function isUnavailable(error: unknown): error is ShelflistError {
  return hasCode(error, 'unavailable');
}

function write(books: readonly Book[], format: Format, signal: AbortSignal): Promise<string> {
  return scheduler.run(() => format(books), signal);
}
