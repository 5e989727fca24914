import type { MongoClient } from 'mongodb';
import { parseBookFields, parseBookPatch, type Book, type BookFields, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { BookQuery } from '../../query/query.ts';
import { Calls } from '../calls.ts';
import { within } from '../deadline.ts';
import { gather } from '../gather.ts';
import type { StoreReport } from '../driver.ts';
import { allIds } from '../ids.ts';
import type { Page } from '../page.ts';
import type { BookStore, Changes, PageRequest } from '../store.ts';
import type { MongoAddress } from './address.ts';
import { changeBook, removeBook } from './change.ts';
import { NotedChanges } from './changes.ts';
import { connect } from './connection.ts';
import { createBooks, type Created } from './create.ts';
import { countBooks } from './count.ts';
import { findBooks } from './find.ts';
import { getBooks } from './get.ts';
import { Indexer } from './indexer.ts';
import { readPage } from './list.ts';
import { openDatabase, prepareDatabase, readIds, scrubbed, type Collections } from './prepare.ts';
import type { Reading } from './reading.ts';
import { createDecode, refuseTooLarge, type Decode } from './record.ts';
import { Turns } from './turns.ts';
import { Unindexed } from './unindexed.ts';
import { Unsettled } from './unsettled.ts';
import { Version } from './version.ts';

/** A request is answered within 5 s, whatever the server does; PUT is a look-up and an update, a page has a version. */
const deadlineMs = { lookup: 2000, afterLookup: 2500, other: 4500 };
/** A new database has its indexes by then; on a large collection they come later. */
const indexWaitMs = 500;
/** So many books are read together: each may have megabytes, and all wait for the last of them. */
const maxBooksAtOnce = 100;
/** So many pages of lists are read at once. */
const maxPagesAtOnce = 2;

/**
 * Connects to MongoDB and prepares the database: a collection `books` with integer `_id`s, a collection
 * `counters` with the last id given. Preparing is idempotent; several services may do it at once.
 *
 * @throws {ShelflistError} `store_unusable` within 5 s; its message names no credentials.
 */
export async function openMongoStore(url: string): Promise<BookStore> {
  const end = new AbortController();
  try {
    return await connect(url, async (client, address) => {
      const database = openDatabase(client, address.database);
      await prepareDatabase(database);
      const store = new MongoStore(client, database, address, end);
      await store.prepare();
      return store;
    });
  } catch (error) {
    end.abort();
    throw error;
  }
}

/** The ids of a database, if it has any; nothing in it is changed. @throws {ShelflistError} `store_unusable` */
export function inspectMongo(url: string): Promise<StoreReport | undefined> {
  return connect(url, async (client, address) => {
    try {
      return await readIds(openDatabase(client, address.database));
    } finally {
      await client.close();
    }
  });
}

class MongoStore implements BookStore {
  readonly description: string;
  readonly #address: MongoAddress;
  readonly #client: MongoClient;
  readonly #collections: Collections;
  readonly #calls: Calls;
  readonly #decode: Decode;
  readonly #createTogether: (fields: BookFields) => Promise<Created>;
  readonly #getTogether: (id: number) => Promise<Readonly<Book> | undefined>;
  readonly #pageTurns = new Turns(maxPagesAtOnce);
  readonly #version: Version;
  readonly #changes: NotedChanges;
  readonly #indexer: Indexer;
  readonly #unindexed: Unindexed;
  readonly #unsettled = new Unsettled(deadlineMs.afterLookup);
  readonly #end: AbortController;

  /** @param end Ends what goes on in the background. */
  constructor(client: MongoClient, collections: Collections, address: MongoAddress, end: AbortController) {
    this.#end = end;
    this.description = address.description;
    this.#calls = new Calls(address.description);
    this.#address = address;
    this.#client = client;
    this.#collections = collections;
    this.#decode = createDecode(address.description);
    const { lookup, other } = deadlineMs;
    this.#version = new Version(collections, { change: other, read: lookup }, end.signal);
    this.#changes = new NotedChanges(this.#version);
    this.#indexer = new Indexer(collections, end.signal);
    this.#unindexed = new Unindexed(this.#version);
    this.#createTogether = gather((all) => createBooks(collections, this.#version, all), {
      deadlineMs: other,
    });
    this.#getTogether = gather((ids) => getBooks(collections, this.#decode, ids), {
      deadlineMs: lookup,
      maxAtOnce: maxBooksAtOnce,
    });
  }

  /** What was put there while no store was open has no index entry, and the version knows nothing of it. */
  async prepare(): Promise<void> {
    const wait = within(indexWaitMs, this.#indexer.prepare()).catch(() => undefined);
    await Promise.all([wait, this.#version.change()]);
    this.#indexer.notice();
  }

  create(fields: BookFields): Promise<Book> {
    return this.#call(deadlineMs.other, async () => {
      const valid = parseBookFields(fields);
      refuseTooLarge(valid); // Before it is gathered: it would take its neighbours down with it.
      const { book, isVersioned } = await this.#indexer.after(this.#createTogether(valid));
      await isVersioned;
      return book;
    });
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#call(deadlineMs.lookup, () => this.#getTogether(id));
  }

  async *list({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    for (let start = first; ;) {
      const range = { first: start, last };
      const { books, isLast } = await this.#ask((reading) => readPage(reading, this.#pageTurns, range));
      if (books.length > 0) yield books;
      if (isLast) return; // Even if books were added meanwhile: a list ends, however fast others write.
      start = (books.at(-1)?.id ?? last) + 1;
    }
  }

  find(query: BookQuery, part: PageRequest): Promise<Page> {
    return this.#ask((reading) => findBooks(reading, this.#unindexed, query, part));
  }

  count(query: BookQuery): Promise<number> {
    return this.#ask((reading) => countBooks(reading, this.#unindexed, query));
  }

  version(): Promise<string> {
    return this.#call(deadlineMs.lookup, () => this.#version.read());
  }

  changes(since: string): Promise<Changes> {
    return this.#call(deadlineMs.lookup, () => this.#changes.since(since));
  }

  update(id: number, patch: BookPatch, expected?: Book): Promise<Book | undefined> {
    return this.#call(deadlineMs.afterLookup, async () => {
      const $set = parseBookPatch(patch);
      refuseTooLarge($set);
      const document = await this.#unsettled.write(id, () =>
        this.#indexer.after(changeBook(this.#collections, this.#version, id, $set, expected)),
      );
      return document === null ? undefined : this.#decode(document);
    });
  }

  delete(id: number, expected?: Book): Promise<void> {
    return this.#call(deadlineMs.afterLookup, () =>
      this.#unsettled.write(id, () => removeBook(this.#collections, this.#version, id, expected)),
    );
  }

  close(): Promise<void> {
    this.#end.abort();
    return this.#calls.close(() => this.#client.close());
  }

  /** One deadline and one translation of errors for every call. */
  #call<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
    return this.#calls.run(
      () => within(milliseconds, action()),
      (error) =>
        new ShelflistError('unavailable', {
          message: `${this.description} does not answer`,
          cause: scrubbed(error, this.#address),
        }),
    );
  }

  /** What is read for an answer is read no longer than somebody waits for it. */
  #ask<T>(action: (reading: Reading) => Promise<T>): Promise<T> {
    const maxTimeMS = deadlineMs.afterLookup;
    const collections = this.#collections;
    return this.#call(maxTimeMS, () =>
      action({
        collections,
        decode: this.#decode,
        limits: { maxTimeMS, signal: AbortSignal.timeout(maxTimeMS) },
      }),
    );
  }
}
