import { MongoServerError, type Collection, type Db, type MongoClient } from 'mongodb';
import { isId } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { StoreReport } from '../driver.ts';
import type { Write } from '../recent.ts';
import type { MongoAddress } from './address.ts';
import type { IndexEntry } from './entry.ts';

/** A book as it is stored: the id is the primary key. */
export interface BookDocument {
  _id: number;
  title: string;
  author: string;
  year: number;
  /** What the indexes know of it: something old, unless `indexed`. */
  index?: IndexEntry;
  indexed?: true | null;
}

/** What a book is read by: its index entry is of use to the server alone. */
export const bookProjection = { title: 1, author: 1, year: 1 } as const;

/** The last id given, under the name of its collection, the version of the books, and the writes that made the last ones. */
export interface CounterDocument {
  _id: string;
  seq: number;
  version?: string;
  recent?: Write[];
}

export interface Collections {
  books: Collection<BookDocument>;
  counters: Collection<CounterDocument>;
}

/** The counter of the books' ids. */
export const bookCounter = { _id: 'books' };

/**
 * What the store's promises need whatever the address says: writes that a failover keeps and that are in the
 * journal, and reads from the primary, which alone is current.
 */
export const promisedOptions = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 4000 },
  readPreference: 'primary',
} as const;

export interface Database extends Collections {
  db: Db;
}

export function openDatabase(client: MongoClient, name: string): Database {
  const db = client.db(name, promisedOptions);
  return {
    db,
    books: db.collection<BookDocument>('books'),
    counters: db.collection<CounterDocument>('counters'),
  };
}

/** Makes the collections where they are missing, refuses what is not ours, and lifts a counter that is behind. */
export async function prepareDatabase({ db, books, counters }: Database): Promise<void> {
  const names = [books.collectionName, counters.collectionName];
  const present = await db.listCollections({ name: { $in: names } }).toArray();
  for (const name of names) {
    const found = present.find((collection) => collection.name === name);
    if (found === undefined) await createCollection(db, name);
    else if (found.type !== 'collection')
      throw refusal(`"${name}" is a ${found.type ?? 'view'}, not a collection`);
  }
  // In MongoDB's order of types, numbers come before all that could stand there as a foreign _id.
  const highest = await books.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  if (highest !== null && !isId(highest._id)) throw refusal('its collection "books" holds something else');
  await liftCounter({ books, counters });
  const counter = await counters.findOne(bookCounter);
  if (counter?.seq !== 0 && !isId(counter?.seq)) throw refusal('its counter of ids is not a number');
}

function refusal(problem: string): ShelflistError {
  return new ShelflistError('store_unusable', { message: `${problem}; name another database` });
}

async function createCollection(db: Db, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    const namespaceExists = 48; // Another service, starting at the same moment, made it.
    if (!(error instanceof MongoServerError) || error.code !== namespaceExists) throw error;
  }
}

/** Lifts the counter past every book, if it is not: books were put back beside an older one. */
export async function liftCounter({ books, counters }: Collections): Promise<void> {
  const highest = await books.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  await retryingCollisions(() =>
    counters.updateOne(bookCounter, { $max: { seq: highest?._id ?? 0 } }, { upsert: true }),
  );
}

/** The ids of a database; `undefined` when no store was ever opened on it. */
export async function readIds({ books, counters }: Collections): Promise<StoreReport | undefined> {
  const [counter, highest] = await Promise.all([
    counters.findOne(bookCounter),
    books.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } }),
  ]);
  if (counter === null && highest === null) return undefined;
  return { lastId: counter?.seq ?? 0, highestId: highest?._id ?? 0, damaged: [], problems: [] };
}

/** How often a collision is answered with a new try, the first one included. */
export const maxAttempts = 5;

/** Tries `action` again, a few times, while it collides with another: two first upserts of one document do. */
export async function retryingCollisions<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      const collided = error instanceof MongoServerError && isCollision(error.code, error.message);
      if (!collided || attempt === maxAttempts) throw error;
    }
  }
}

/** Whether the server refused a write because its `_id` is taken, and not because of an index that somebody added. */
export function isCollision(code: unknown, message: string): boolean {
  const duplicateKey = 11000;
  return code === duplicateKey && /^[^{]* index: _id_ /.test(message);
}

/** A driver's error as it may be logged: its kind and its scrubbed message, no object of the driver's. */
export function scrubbed(error: unknown, address: MongoAddress): Error {
  if (!(error instanceof Error)) return new Error('unknown reason');
  const copy = new Error(address.scrub(error.message));
  copy.name = error.name;
  return copy;
}

/** The one form of "cannot use this database". */
export function unusableDatabase(address: MongoAddress, error: unknown): ShelflistError {
  const reason = scrubbed(error, address).message;
  const advice =
    error instanceof ShelflistError
      ? ''
      : '. Is it running, and is DATABASE_URL right (host, port, user, password)?';
  return new ShelflistError('store_unusable', {
    message: `cannot use the database ${address.description}: ${reason}${advice}`,
  });
}
