import { setImmediate } from 'node:timers/promises';
import {
  parseBookFields,
  parseBookPatch,
  toBook,
  type Book,
  type BookFields,
  type BookPatch,
} from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { Calls } from '../calls.ts';
import { openEnvironment, type EmbeddedEnvironment } from './environment.ts';
import { createPage, type Page } from '../page.ts';
import type { BookStore } from '../store.ts';

/**
 * Opens a folder as the embedded store: one LMDB environment with a database for the books and one for the
 * counter. Several processes may have it open at once.
 *
 * @throws {ShelflistError} `store_unusable`, with what to do.
 */
export async function openEmbeddedStore(path: string): Promise<BookStore> {
  return new EmbeddedStore(await openEnvironment(path), `embedded store ${path}`);
}

class EmbeddedStore implements BookStore {
  readonly description: string;
  readonly #environment: EmbeddedEnvironment;
  readonly #calls: Calls;

  constructor(environment: EmbeddedEnvironment, description: string) {
    this.#environment = environment;
    this.description = description;
    this.#calls = new Calls(description);
  }

  create(fields: BookFields): Promise<Book> {
    return this.#write(() => {
      const valid = parseBookFields(fields);
      const book = { id: this.#environment.takeId(), ...valid };
      this.#environment.books.putSync(book.id, JSON.stringify(book));
      return book;
    });
  }

  get(id: number): Promise<Book | undefined> {
    return this.#read(() => {
      const text = this.#environment.books.get(id);
      return text === undefined ? undefined : this.#decode(id, text);
    });
  }

  async *list(): AsyncIterable<readonly Book[]> {
    for (let start = 1; ;) {
      const from = start;
      const { books, isLast } = await this.#read(() => this.#page(from));
      if (books.length > 0) yield books;
      if (isLast) return; // Even if books were added meanwhile: a list ends, however fast others write.
      start = (books.at(-1)?.id ?? 0) + 1;
    }
  }

  #page(start: number): Page {
    const page = createPage();
    for (const { key, value } of this.#environment.books.getRange({ start, limit: page.maxBooks })) {
      page.add(this.#decode(key, value));
      if (page.isFull) break;
    }
    return { books: page.books, isLast: !page.isFull };
  }

  update(id: number, patch: BookPatch): Promise<Book | undefined> {
    return this.#write(() => {
      const text = this.#environment.books.get(id);
      if (text === undefined) return undefined;
      const updated = { ...this.#decode(id, text), ...parseBookPatch(patch) };
      this.#environment.books.putSync(id, JSON.stringify(updated));
      return updated;
    });
  }

  delete(id: number): Promise<void> {
    return this.#write(() => {
      this.#environment.books.removeSync(id);
    });
  }

  close(): Promise<void> {
    return this.#calls.close(() => this.#environment.root.close());
  }

  /** LMDB keeps one snapshot for a whole turn of the event loop; a new one shows what other processes wrote. */
  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws must become a rejection.
  async #read<T>(action: () => T): Promise<T> {
    this.#calls.assertOpen();
    this.#environment.root.resetReadTxn();
    return action();
  }

  /**
   * Runs `action` inside a write transaction; resolves once that is on disk. All that waits at the same moment
   * shares one commit. `action` throws, if at all, before its first put.
   */
  #write<T>(action: () => T): Promise<T> {
    return this.#calls.run(
      () => this.#environment.root.transaction(action),
      async (error) =>
        new ShelflistError('unavailable', {
          message: 'the store cannot write now',
          cause: await commitError(error),
        }),
    );
  }

  /** What another process left in the file is not trusted to be a book. */
  #decode(id: number, text: string): Book {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      value = undefined;
    }
    const book = toBook(value);
    if (book?.id === id) return book;
    throw new ShelflistError('store_damaged', {
      message: `record ${id} of ${this.description} is not a book`,
    });
  }
}

/** LMDB's error for a failed commit names its cause in a promise of its own, which is settled by now, if ever. */
async function commitError(error: unknown): Promise<unknown> {
  try {
    await Promise.race([(error as { commitError?: Promise<never> }).commitError, setImmediate()]);
    return error;
  } catch (cause) {
    return cause;
  }
}
