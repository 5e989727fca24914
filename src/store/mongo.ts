import { MongoClient } from 'mongodb';
import { toBook, type Book, type BookFields, type BookPatch } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { within } from './deadline.ts';
import { gather } from './gather.ts';
import { parseMongoAddress, type MongoAddress } from './mongo-address.ts';
import { createBooks } from './mongo-create.ts';
import {
  openDatabase,
  prepareDatabase,
  promisedOptions,
  scrubbed,
  unusableDatabase,
  type BookDocument,
  type Collections,
} from './mongo-prepare.ts';
import type { BookStore } from './store.ts';

/** Every call gives up after this long; the service promises an answer within 5 s. */
const deadlineMs = 4500;
/** Books that one query of a listing asks for. */
const pageLength = 1000;

/**
 * Connects to MongoDB and prepares the database: a collection `books` with integer `_id`s, a collection
 * `counters` with the last id given. Preparing is idempotent; several services may do it at once.
 *
 * @throws {ShelflistError} `store_unusable` within 5 s; its message names no credentials.
 */
export async function openMongoStore(url: string): Promise<BookStore> {
  const address = parseMongoAddress(url);
  let client: MongoClient;
  try {
    client = new MongoClient(url, {
      appName: 'shelflist',
      // `timeoutMS` has no effect since driver 7.8 (and was unsafe before): each stage has its own limit.
      serverSelectionTimeoutMS: 4000,
      connectTimeoutMS: 4000,
      socketTimeoutMS: 5000,
      waitQueueTimeoutMS: 4000,
      retryWrites: true,
      retryReads: true,
      ...promisedOptions,
    });
  } catch (error) {
    throw unusableDatabase(address, error);
  }
  try {
    const database = openDatabase(client, address.database);
    await within(
      deadlineMs,
      client.connect().then(() => prepareDatabase(database)),
    );
    return new MongoStore(client, database, address);
  } catch (error) {
    await within(500, client.close(true)).catch(() => undefined);
    throw unusableDatabase(address, error);
  }
}

class MongoStore implements BookStore {
  readonly description: string;
  readonly #address: MongoAddress;
  readonly #client: MongoClient;
  readonly #collections: Collections;
  readonly #underWay = new Set<Promise<unknown>>();
  readonly #createTogether: (fields: BookFields) => Promise<Book>;
  #closing: Promise<void> | undefined;

  constructor(client: MongoClient, collections: Collections, address: MongoAddress) {
    this.description = address.description;
    this.#address = address;
    this.#client = client;
    this.#collections = collections;
    this.#createTogether = gather((all) => createBooks(collections, all), { deadlineMs });
  }

  create(fields: BookFields): Promise<Book> {
    return this.#call(() => this.#createTogether(fields));
  }

  get(id: number): Promise<Book | undefined> {
    return this.#call(async () => this.#decode(await this.#collections.books.findOne({ _id: id })));
  }

  async *list(): AsyncIterable<readonly Book[]> {
    // Each page is a query of its own: a slow reader holds no cursor on the server.
    for (let last = 0; ;) {
      const after = last;
      const documents = await this.#call(() =>
        this.#collections.books
          .find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit: pageLength })
          .toArray(),
      );
      const page = documents.map((document) => this.#toBook(document));
      if (page.length > 0) yield page;
      if (page.length < pageLength) return;
      last = page.at(-1)?.id ?? Infinity;
    }
  }

  update(id: number, patch: BookPatch): Promise<Book | undefined> {
    if (Object.keys(patch).length === 0) return this.get(id); // MongoDB refuses an empty $set.
    return this.#call(async () =>
      this.#decode(
        await this.#collections.books.findOneAndUpdate(
          { _id: id },
          { $set: patch },
          { returnDocument: 'after' },
        ),
      ),
    );
  }

  async delete(id: number): Promise<void> {
    await this.#call(() => this.#collections.books.deleteOne({ _id: id }));
  }

  close(): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(() => this.#client.close());
    return this.#closing;
  }

  /** One deadline and one translation of errors for every call. */
  async #call<T>(action: () => Promise<T>): Promise<T> {
    if (this.#closing) throw new ShelflistError('store_closed', { message: `${this.description} is closed` });
    const result = within(deadlineMs, action());
    this.#underWay.add(result);
    try {
      return await result;
    } catch (error) {
      if (error instanceof ShelflistError) throw error;
      throw new ShelflistError('unavailable', {
        message: `${this.description} does not answer`,
        cause: scrubbed(error, this.#address),
      });
    } finally {
      this.#underWay.delete(result);
    }
  }

  #decode(document: BookDocument | null): Book | undefined {
    return document === null ? undefined : this.#toBook(document);
  }

  /** What another process left in the collection is not trusted to be a book. */
  #toBook({ _id, ...fields }: BookDocument): Book {
    const book = toBook({ ...fields, id: _id });
    if (book) return book;
    throw new ShelflistError('store_damaged', {
      message: `record ${_id} of ${this.description} is not a book`,
    });
  }
}
