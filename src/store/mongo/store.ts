import { MongoClient } from 'mongodb';
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
import { within } from '../deadline.ts';
import { gather } from '../gather.ts';
import type { StoreIds } from '../ids.ts';
import { parseMongoAddress, type MongoAddress } from './address.ts';
import { createBooks } from './create.ts';
import {
  openDatabase,
  prepareDatabase,
  promisedOptions,
  readIds,
  scrubbed,
  unusableDatabase,
  type BookDocument,
  type Collections,
} from './prepare.ts';
import { createPage, type Page } from '../page.ts';
import type { BookStore } from '../store.ts';

/** A request is answered within 5 s, whatever the server does; PUT is a look-up and an update. */
const deadlineMs = { lookup: 2000, update: 2500, other: 4500 };
/** MongoDB's records have at most 16 MiB. */
const maxTextBytes = 15 * 1024 * 1024;

/**
 * Connects to MongoDB and prepares the database: a collection `books` with integer `_id`s, a collection
 * `counters` with the last id given. Preparing is idempotent; several services may do it at once.
 *
 * @throws {ShelflistError} `store_unusable` within 5 s; its message names no credentials.
 */
export function openMongoStore(url: string): Promise<BookStore> {
  return connect(url, async (client, address) => {
    const database = openDatabase(client, address.database);
    await prepareDatabase(database);
    return new MongoStore(client, database, address);
  });
}

/** The ids of a database, if it has any; nothing in it is changed. @throws {ShelflistError} `store_unusable` */
export function inspectMongo(url: string): Promise<StoreIds | undefined> {
  return connect(url, async (client, address) => {
    try {
      return await readIds(openDatabase(client, address.database));
    } finally {
      await client.close();
    }
  });
}

/** Connects, and does what comes first, within 5 s in all. */
async function connect<T>(
  url: string,
  begin: (client: MongoClient, address: MongoAddress) => Promise<T>,
): Promise<T> {
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
    return await within(
      deadlineMs.other,
      client.connect().then(() => begin(client, address)),
    );
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
  readonly #calls: Calls;
  readonly #createTogether: (fields: BookFields) => Promise<Book>;

  constructor(client: MongoClient, collections: Collections, address: MongoAddress) {
    this.description = address.description;
    this.#calls = new Calls(address.description);
    this.#address = address;
    this.#client = client;
    this.#collections = collections;
    this.#createTogether = gather((all) => createBooks(collections, all), {
      deadlineMs: deadlineMs.other,
    });
  }

  create(fields: BookFields): Promise<Book> {
    return this.#call(deadlineMs.other, () => {
      const valid = parseBookFields(fields);
      refuseTooLarge(valid); // Before it is gathered: it would take its neighbours down with it.
      return this.#createTogether(valid);
    });
  }

  get(id: number): Promise<Book | undefined> {
    return this.#call(deadlineMs.lookup, async () =>
      this.#decode(await this.#collections.books.findOne({ _id: id })),
    );
  }

  async *list(): AsyncIterable<readonly Book[]> {
    for (let last = 0; ;) {
      const after = last;
      const { books, isLast } = await this.#call(deadlineMs.lookup, () => this.#page(after));
      if (books.length > 0) yield books;
      if (isLast) return;
      last = books.at(-1)?.id ?? Infinity;
    }
  }

  /** Each page is a query of its own: a slow reader holds no cursor on the server. */
  async #page(after: number): Promise<Page> {
    const page = createPage();
    const options = { sort: { _id: 1 }, limit: page.maxBooks, batchSize: page.maxBooks } as const;
    for await (const document of this.#collections.books.find({ _id: { $gt: after } }, options)) {
      page.add(this.#toBook(document));
      if (page.isFull) break;
    }
    return { books: page.books, isLast: !page.isFull };
  }

  update(id: number, patch: BookPatch): Promise<Book | undefined> {
    return this.#call(deadlineMs.update, async () => {
      const $set = parseBookPatch(patch);
      refuseTooLarge($set);
      const { books } = this.#collections;
      if (Object.keys($set).length === 0) return this.#decode(await books.findOne({ _id: id })); // No empty $set.
      return this.#decode(await books.findOneAndUpdate({ _id: id }, { $set }, { returnDocument: 'after' }));
    });
  }

  async delete(id: number): Promise<void> {
    await this.#call(deadlineMs.other, () => this.#collections.books.deleteOne({ _id: id }));
  }

  close(): Promise<void> {
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

function refuseTooLarge({ title = '', author = '' }: BookPatch): void {
  if (Buffer.byteLength(title) + Buffer.byteLength(author) <= maxTextBytes) return;
  throw new ShelflistError('invalid_input', {
    message: 'the book has more than the 15 MiB that MongoDB can hold',
  });
}
