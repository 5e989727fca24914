// Reads single books on the main thread, from a cache that the change log keeps current.
import { textLength, type Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { GenerationalCache } from '../../lib/generational-cache.ts';
import { readBook } from './change.ts';
import { ChangedBooks } from './changed-books.ts';
import { isBusy, repeatIfDamaged, Statements } from './connection.ts';
import type { Connection } from './binding.ts';

/** Up to twice this number of books are cached. */
const maxBooks = 5000;
/** The maximum length of a cached book, in UTF-16 code units. */
const maxLength = 1000;
/** How long a read waits for a lock. Another process holds it during recovery, or while it closes the file as the last user. */
const maxWaitMs = 2000;
const retryMs = 5;

interface Waiting {
  readonly read: () => unknown;
  readonly resolve: (value: never) => void;
  readonly reject: (error: unknown) => void;
  /** When it gives up. Set when it first finds the file locked. */
  until?: number;
}

/**
 * Reads single books, on the main thread. All reads of one turn of the event loop share one check for changes of the file.
 * The check comes after all their calls, so each read sees every write acknowledged before, by any process. Books that the
 * change log does not name are read from the cache.
 */
export class BookReader {
  readonly #statements: Statements;
  readonly #changed: ChangedBooks;
  readonly #books = new GenerationalCache<number, Readonly<Book>>(maxBooks);
  readonly #toError: (cause: unknown) => ShelflistError;
  #waiting: Waiting[] = [];
  #isScheduled = false;

  /** @param toError Translates an error of SQLite. */
  constructor(db: Connection, toError: (cause: unknown) => ShelflistError) {
    this.#toError = toError;
    this.#statements = new Statements(db);
    this.#changed = new ChangedBooks(this.#statements);
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#read(() => this.#books.get(id) ?? this.#load(id));
  }

  /** The epoch of the file and the sequence number of its last change. */
  version(): Promise<string> {
    return this.#read(() => this.#changed.version);
  }

  #read<T>(read: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ read, resolve, reject });
      this.#schedule();
    });
  }

  #schedule(delayMs = 0): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const flush = () => {
      this.#isScheduled = false;
      this.flush();
    };
    if (delayMs > 0) setTimeout(flush, delayMs);
    else setImmediate(flush);
  }

  /** Runs the waiting reads. */
  flush(): void {
    const waiting = this.#waiting;
    if (waiting.length === 0) return;
    this.#waiting = [];
    let isFresh = false;
    for (const each of waiting) {
      try {
        if (!isFresh) repeatIfDamaged(this.#refresh, this.#clearStatements);
        isFresh = true;
        each.resolve(repeatIfDamaged(each.read, this.#clearStatements) as never);
      } catch (error) {
        if (isBusy(error) && performance.now() < (each.until ??= performance.now() + maxWaitMs))
          this.#waiting.push(each);
        else each.reject(error instanceof ShelflistError ? error : this.#toError(error));
      }
    }
    if (this.#waiting.length > 0) this.#schedule(retryMs);
  }

  /** Removes the books from the cache that were changed since the last call. */
  readonly #refresh = (): void => {
    this.#changed.removeFrom(this.#books);
  };

  readonly #clearStatements = (): void => {
    this.#statements.clear();
  };

  #load(id: number): Readonly<Book> | undefined {
    const book = readBook(this.#statements, id);
    if (book === undefined) return undefined;
    Object.freeze(book);
    if (textLength(book) <= maxLength) this.#books.set(id, book);
    return book;
  }
}
