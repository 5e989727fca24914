import { parseBookFields, parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { isUnconditional, toCondition, type BookQuery } from '../../query/query.ts';
import { Calls } from '../calls.ts';
import { within } from '../deadline.ts';
import { gather } from '../gather.ts';
import { allIds } from '../ids.ts';
import { checkPageRequest, type Page } from '../page.ts';
import type { BookStore, Changes, PageRequest } from '../store.ts';
import { changeBook, readStates, removeBook, type Changing, type State } from './change.ts';
import { disconnect, type Connection } from './connection.ts';
import { countBooks, TotalCount } from './count.ts';
import { createBooks } from './create.ts';
import { checkSize } from './documents.ts';
import { findBooks } from './find.ts';
import { getBooks } from './get.ts';
import { readPage } from './list.ts';
import type { Maintenance } from './maintenance.ts';
import type { Reading } from './reading.ts';
import { Version } from './version.ts';

/** A request is answered within 5 s, whatever the server does; PUT is a lookup and an update, a page has a version. */
const deadlineMs = { lookup: 2000, afterLookup: 2500, other: 4500 };
/** Books read together: each may have megabytes, and all wait for the last of them. */
const maxBooksAtOnce = 100;
/** Pages of lists read at once: a few are each read in time, all of them at once would not be. */
const maxPagesAtOnce = 2;

/** A database that is prepared. */
export class MongoStore implements BookStore {
  readonly description: string;
  readonly #connection: Connection;
  readonly #maintenance: Maintenance;
  readonly #end: AbortController;
  readonly #calls: Calls;
  readonly #version: Version;
  readonly #total: TotalCount;
  readonly #pages = new Semaphore(maxPagesAtOnce);
  readonly #createTogether: (fields: BookFields) => Promise<Book>;
  readonly #getTogether: (id: number) => Promise<Readonly<Book> | undefined>;
  readonly #readState: (id: number) => Promise<State | undefined>;

  /** @param end Ends what goes on in the background. */
  constructor(connection: Connection, maintenance: Maintenance, end: AbortController) {
    const { lookup, other } = deadlineMs;
    const atOnce = { deadlineMs: lookup, maxAtOnce: maxBooksAtOnce };
    this.description = connection.description;
    this.#connection = connection;
    this.#maintenance = maintenance;
    this.#end = end;
    this.#calls = new Calls(connection.description);
    this.#version = new Version(connection, lookup);
    this.#total = new TotalCount(this.#version);
    this.#createTogether = gather((all) => createBooks(connection, all), { deadlineMs: other });
    this.#getTogether = gather((ids) => getBooks(connection, ids), atOnce);
    this.#readState = gather((ids) => readStates(connection, ids), atOnce);
  }

  create(fields: BookFields): Promise<Book> {
    return this.#call(deadlineMs.other, () => {
      const valid = parseBookFields(fields);
      checkSize(valid); // Before it is gathered: it would take its neighbours down with it.
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

  find(query: BookQuery, request: PageRequest): Promise<Page> {
    return this.#read((reading) => findBooks(reading, query, checkPageRequest(request)), request?.signal);
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

  /** One deadline and one translation of errors for every call. */
  #call<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
    return this.#calls.run(
      async () => within(milliseconds, action()),
      (error) =>
        new ShelflistError('unavailable', {
          message: `${this.description} does not answer`,
          cause: this.#connection.scrub(error),
        }),
    );
  }

  #change<T>(action: (changing: Changing) => Promise<T>): Promise<T> {
    const signal = AbortSignal.timeout(deadlineMs.afterLookup);
    const { books } = this.#connection;
    return this.#call(deadlineMs.afterLookup, () => action({ books, read: this.#readState, signal }));
  }

  /** Nothing is read on after the deadline, or when nobody waits for the answer any more. */
  #read<T>(action: (reading: Reading) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const maxTimeMS = deadlineMs.afterLookup;
    const deadline = AbortSignal.timeout(maxTimeMS);
    return this.#call(maxTimeMS, async () =>
      action({
        database: this.#connection,
        maxTimeMS,
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        onDamaged: (id) => {
          this.#maintenance.onDamaged(id);
        },
      }),
    );
  }
}
