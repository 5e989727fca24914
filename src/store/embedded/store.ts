import { setImmediate } from 'node:timers/promises';
import { parseBookFields, parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { isUnconditional, toCondition, type BookQuery } from '../../query/query.ts';
import { Calls } from '../calls.ts';
import { within } from '../deadline.ts';
import { expectBook } from '../expect.ts';
import { allIds } from '../ids.ts';
import { createPage, type Page } from '../page.ts';
import { changedBetween } from '../recent.ts';
import type { BookStore, Changes, PageRequest } from '../store.ts';
import type { Commit } from './commit.ts';
import { closeEnvironment, openEnvironment, type EmbeddedEnvironment } from './environment.ts';
import { countBooks, findBooks } from './finder.ts';
import { Indexer } from './indexer.ts';
import { Reader } from './reader.ts';
import { decodeBook, encodeBook, ReadBooks } from './record.ts';
import { Snapshot } from './snapshot.ts';
import { run } from './work.ts';
import { stuckMs, Writer } from './writer.ts';

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
  readonly #reader: Reader;
  readonly #readBooks = new ReadBooks();
  readonly #writer: Writer;

  constructor(environment: EmbeddedEnvironment, description: string) {
    this.#environment = environment;
    this.description = description;
    this.#calls = new Calls(description);
    this.#indexer = new Indexer(() => this.#calls.run(() => this.#index(), unwritable));
    this.#indexer.wake();
    this.#reader = new Reader(() => {
      environment.root.resetReadTxn();
    });
    this.#writer = new Writer(environment);
  }

  async create(fields: BookFields): Promise<Book> {
    const valid = parseBookFields(fields);
    const create = (commit: Commit) => {
      const book = { id: commit.takeId(), ...valid };
      commit.change(book.id, 1);
      this.#environment.books.putSync(book.id, encodeBook(book));
      return book;
    };
    return this.#write(create, 1);
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#read(() => {
      const text = this.#environment.books.get(id);
      if (text === undefined) return undefined;
      return this.#readBooks.decode(id, text) ?? this.#damaged(id);
    });
  }

  async *list({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    for (let start = first; ;) {
      const from = start;
      const { books, isLast } = await this.#read(() => this.#page(from, last));
      if (books.length > 0) yield books;
      if (isLast) return; // Even if books were added meanwhile: a list ends, however fast others write.
      start = (books.at(-1)?.id ?? last) + 1;
    }
  }

  #page(start: number, last: number): Page {
    const page = createPage();
    const range = { start, end: last + 1, limit: page.maxBooks };
    for (const { key, value } of this.#environment.books.getRange(range)) {
      page.add(this.#decode(key, value));
      if (page.isFull) break;
    }
    return { books: page.books, isLast: !page.isFull };
  }

  find(query: BookQuery, part: PageRequest): Promise<Page> {
    const condition = toCondition(query);
    return this.#ask((snapshot) => run(findBooks(snapshot, condition, part)));
  }

  count(query: BookQuery): Promise<number> {
    const condition = toCondition(query);
    if (isUnconditional(condition)) return this.#read(() => this.#environment.bookCount);
    return this.#ask((snapshot) => run(countBooks(snapshot, condition)));
  }

  version(): Promise<string> {
    return this.#read(() => this.#environment.meta.version);
  }

  changes(since: string): Promise<Changes> {
    return this.#read(() => {
      const { version, recent } = this.#environment.meta;
      return { version, ids: changedBetween(recent, since, version) };
    });
  }

  update(id: number, patch: BookPatch, expected?: Book): Promise<Book | undefined> {
    return this.#write((commit) => {
      const text = this.#environment.books.get(id);
      if (text === undefined) return undefined;
      const book = this.#decode(id, text);
      expectBook(expected, book);
      const updated = { ...book, ...parseBookPatch(patch) };
      const updatedText = encodeBook(updated);
      if (updatedText === text) return updated;
      commit.change(id, 0);
      this.#environment.indexWriter.noteChange(id, text);
      this.#environment.books.putSync(id, updatedText);
      return updated;
    });
  }

  delete(id: number, expected?: Book): Promise<void> {
    return this.#write((commit) => {
      const text = this.#environment.books.get(id);
      expectBook(expected, text === undefined ? undefined : decodeBook(id, text));
      if (text === undefined) return;
      commit.change(id, -1);
      this.#environment.indexWriter.noteChange(id, text);
      this.#environment.books.removeSync(id);
    });
  }

  close(): Promise<void> {
    this.#indexer.close();
    this.#reader.flush();
    return this.#calls.close(() => closeEnvironment(this.#environment));
  }

  /** LMDB keeps one snapshot for a whole turn of the event loop and longer; a new one shows what other processes wrote. */
  #read<T>(action: () => T): Promise<T> {
    const { tooLate } = this.#calls;
    return tooLate === undefined ? this.#reader.read(action) : Promise.reject(tooLate);
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

  /** As {@link Writer.write}, while the store is open. */
  async #write<T>(action: (commit: Commit) => T, creates?: number): Promise<T> {
    const result = await this.#calls.run(() => this.#writer.write(action, creates), unwritable);
    this.#indexer.wake();
    return result;
  }

  /** A step of the index, in a write transaction, if there is something to do. */
  async #index(): Promise<number> {
    this.#environment.root.resetReadTxn();
    if (this.#environment.indexWriter.isUpToDate) return 0;
    return within(
      stuckMs,
      this.#environment.root.transaction(() => this.#environment.indexWriter.step()),
    );
  }

  /** What another process left in the file is not trusted to be a book. */
  #decode(id: number, text: string): Book {
    return decodeBook(id, text) ?? this.#damaged(id);
  }

  #damaged(id: number): never {
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
