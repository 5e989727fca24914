import { parseBookFields, parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { isUnconditional, toCondition, type BookQuery } from '../../query/query.ts';
import { Calls } from '../calls.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { createBatcher } from '../../lib/batcher.ts';
import { allIds } from '../ids.ts';
import { checkPageRequest, type Page, type PageRequest } from '../page.ts';
import type { BookStore, Changes } from '../store.ts';
import { changeBook, readStates, removeBook, type Changing, type State } from './change.ts';
import { disconnect, type Connection } from './connection.ts';
import { countBooks, TotalCount } from './count.ts';
import { createBooks } from './create.ts';
import { checkSize } from './documents.ts';
import { findBooks } from './find.ts';
import { getBooks } from './get.ts';
import { readPage } from './list.ts';
import type { Reading } from './reading.ts';
import { Version } from './version.ts';

/** Requests are answered within 5 s, whatever the server does. PUT is a lookup and an update; a page needs a version too. */
const deadlineMs = { lookup: 2000, afterLookup: 2500, other: 4500 };
/** The number of books read together. Each may have several megabytes. */
const maxBooksAtOnce = 100;
/** The number of list pages read at once. With many at once, all would miss their deadlines. */
const maxPagesAtOnce = 2;

/** A store on a prepared database. */
export class MongoStore implements BookStore {
  readonly description: string;
  readonly #connection: Connection;
  readonly #onDamaged: (id: number) => void;
  readonly #end: AbortController;
  readonly #calls: Calls;
  readonly #version: Version;
  readonly #total: TotalCount;
  readonly #pages = new Semaphore(maxPagesAtOnce);
  readonly #createTogether: (fields: BookFields) => Promise<Book>;
  readonly #getTogether: (id: number) => Promise<Readonly<Book> | undefined>;
  readonly #readState: (id: number) => Promise<State | undefined>;

  /**
   * @param onDamaged Receives the ids of documents that are not books.
   * @param end Stops the background work.
   */
  constructor(connection: Connection, onDamaged: (id: number) => void, end: AbortController) {
    const { lookup, other } = deadlineMs;
    const atOnce = { deadlineMs: lookup, maxAtOnce: maxBooksAtOnce };
    this.description = connection.description;
    this.#connection = connection;
    this.#onDamaged = onDamaged;
    this.#end = end;
    this.#calls = new Calls(connection.description);
    this.#version = new Version(connection, lookup);
    this.#total = new TotalCount(this.#version);
    this.#createTogether = createBatcher((all) => createBooks(connection, all), { deadlineMs: other });
    this.#getTogether = createBatcher((ids) => getBooks(connection, ids), atOnce);
    this.#readState = createBatcher((ids) => readStates(connection, ids), atOnce);
  }

  create(fields: BookFields): Promise<Book> {
    return this.#call(deadlineMs.other, () => {
      const valid = parseBookFields(fields);
      checkSize(valid); // Before batching: a book that is too large would make its whole batch fail.
      return this.#createTogether(valid);
    });
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#call(deadlineMs.lookup, () => this.#getTogether(id));
  }

  async *list({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    for (let start = first; start <= last;) {
      const range = { first: start, last };
      const page = await this.#read((reading) =>
        this.#pages.run(() => readPage(reading, range), reading.signal),
      );
      if (page.books.length > 0) yield page.books;
      if (page.next === undefined) return;
      start = page.next;
    }
  }

  async find(query: BookQuery, request: PageRequest): Promise<Page> {
    const page = checkPageRequest(request);
    return this.#read((reading) => findBooks(reading, query, page), page.signal);
  }

  count(query: BookQuery, signal?: AbortSignal): Promise<number> {
    return this.#read((reading) => {
      const condition = toCondition(query);
      return isUnconditional(condition) ? this.#total.get(reading) : countBooks(reading, condition);
    }, signal);
  }

  version(): Promise<string> {
    return this.#call(deadlineMs.lookup, () => this.#version.read());
  }

  changes(since: string): Promise<Changes> {
    return this.#call(deadlineMs.lookup, () => this.#version.changes(since));
  }

  update(id: number, patch: BookPatch, expected?: Book): Promise<Book | undefined> {
    return this.#change((changing) => {
      const valid = parseBookPatch(patch);
      checkSize(valid);
      return changeBook(changing, id, valid, expected);
    });
  }

  delete(id: number, expected?: Book): Promise<void> {
    return this.#change((changing) => removeBook(changing, id, expected));
  }

  close(): Promise<void> {
    this.#end.abort();
    return this.#calls.close(async () => {
      await this.#version.close();
      await disconnect(this.#connection.client);
    });
  }

  /** Runs a call with its deadline, and translates its errors. */
  #call<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
    return this.#calls.run(async () => withTimeout(milliseconds, action()), this.#connection.unavailable);
  }

  #change<T>(action: (changing: Changing) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(deadlineMs.afterLookup);
    const { books } = this.#connection;
    return this.#call(deadlineMs.afterLookup, () => action({ books, read: this.#readState, signal }));
  }

  /** Runs a read, which stops at its deadline or when the answer is no longer needed. */
  #read<T>(action: (reading: Reading) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const maxTimeMS = deadlineMs.afterLookup;
    const deadline = AbortSignal.timeout(maxTimeMS);
    return this.#call(maxTimeMS, async () =>
      action({
        database: this.#connection,
        maxTimeMS,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        onDamaged: this.#onDamaged,
      }),
    );
  }
}
