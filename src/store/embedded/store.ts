import { setImmediate } from 'node:timers/promises';
import { parseBookFields, parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { isUnconditional, toCondition, type BookQuery } from '../../query/query.ts';
import { Calls } from '../calls.ts';
import { expectBook } from '../expect.ts';
import { createPage, type Page } from '../page.ts';
import type { BookStore, Part } from '../store.ts';
import { closeEnvironment, openEnvironment, type EmbeddedEnvironment } from './environment.ts';
import { countBooks, findBooks } from './finder.ts';
import { Indexer } from './indexer.ts';
import { decodeBook, encodeBook } from './record.ts';
import { Snapshot } from './snapshot.ts';
import { run } from './work.ts';

/**
 * Opens a folder as the embedded store: one LMDB environment with databases for the books, for what they are found
 * by, and for the counter. Several processes may have it open at once.
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
  readonly #indexer: Indexer;

  constructor(environment: EmbeddedEnvironment, description: string) {
    this.#environment = environment;
    this.description = description;
    this.#calls = new Calls(description);
    this.#indexer = new Indexer(() => this.#calls.run(() => this.#index(), unwritable));
    this.#indexer.wake();
  }

  create(fields: BookFields): Promise<Book> {
    return this.#write(() => {
      const valid = parseBookFields(fields);
      const book = { id: this.#environment.takeId(), ...valid };
      this.#environment.books.putSync(book.id, encodeBook(book));
      this.#environment.meta.touch();
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

  find(query: BookQuery, part: Part): Promise<Page> {
    const condition = toCondition(query);
    return this.#ask((snapshot) => run(findBooks(snapshot, condition, part)));
  }

  count(query: BookQuery): Promise<number> {
    const condition = toCondition(query);
    if (isUnconditional(condition)) return this.#read(() => this.#environment.bookCount);
    return this.#ask((snapshot) => run(countBooks(snapshot, condition)));
  }

  version(): Promise<string> {
    return this.#read(() => `${this.#environment.meta.version}.${this.#environment.bookCount}`);
  }

  update(id: number, patch: BookPatch, expected?: Book): Promise<Book | undefined> {
    return this.#write(() => {
      const text = this.#environment.books.get(id);
      if (text === undefined) return undefined;
      const book = this.#decode(id, text);
      expectBook(expected, book);
      const updated = { ...book, ...parseBookPatch(patch) };
      const updatedText = encodeBook(updated);
      if (updatedText === text) return updated;
      this.#environment.indexWriter.noteChange(id, text);
      this.#environment.books.putSync(id, updatedText);
      this.#environment.meta.touch();
      return updated;
    });
  }

  delete(id: number, expected?: Book): Promise<void> {
    return this.#write(() => {
      const text = this.#environment.books.get(id);
      expectBook(expected, text === undefined ? undefined : decodeBook(id, text));
      if (text === undefined) return;
      this.#environment.indexWriter.noteChange(id, text);
      this.#environment.books.removeSync(id);
      this.#environment.meta.touch();
    });
  }

  close(): Promise<void> {
    this.#indexer.close();
    return this.#calls.close(() => closeEnvironment(this.#environment));
  }

  /** LMDB keeps one snapshot for a whole turn of the event loop; a new one shows what other processes wrote. */
  // eslint-disable-next-line @typescript-eslint/require-await -- what it throws must become a rejection.
  async #read<T>(action: () => T): Promise<T> {
    this.#calls.assertOpen();
    this.#environment.root.resetReadTxn();
    return action();
  }

  /** Reads over several turns of the event loop, all of it as it was at the beginning. */
  #ask<T>(begin: (snapshot: Snapshot) => Promise<T>): Promise<T> {
    const { root } = this.#environment;
    return this.#calls.run(async () => {
      root.resetReadTxn();
      const transaction = root.useReadTransaction();
      try {
        return await begin(await run(Snapshot.open(this.#environment, transaction)));
      } finally {
        transaction.done();
      }
    }, unreadable);
  }

  /**
   * Runs `action` inside a write transaction; resolves once that is on disk. All that waits at the same moment
   * shares one commit. `action` throws, if at all, before its first put.
   */
  async #write<T>(action: () => T): Promise<T> {
    const result = await this.#calls.run(() => this.#environment.root.transaction(action), unwritable);
    this.#indexer.wake();
    return result;
  }

  /** A step of the index, in a write transaction, if there is something to do. */
  async #index(): Promise<number> {
    this.#environment.root.resetReadTxn();
    if (this.#environment.indexWriter.isUpToDate) return 0;
    return this.#environment.root.transaction(() => this.#environment.indexWriter.step());
  }

  /** What another process left in the file is not trusted to be a book. */
  #decode(id: number, text: string): Book {
    const book = decodeBook(id, text);
    if (book) return book;
    throw new ShelflistError('store_damaged', {
      message: `record ${id} of ${this.description} is not a book`,
    });
  }
}

async function unwritable(error: unknown): Promise<ShelflistError> {
  const cause = await commitError(error);
  return new ShelflistError('unavailable', { message: 'the store cannot write now', cause });
}

function unreadable(cause: unknown): ShelflistError {
  return new ShelflistError('unavailable', { message: 'the store cannot be read now', cause });
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
