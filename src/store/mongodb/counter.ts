// Allocates ids from one counter, and raises it past restored books.
import { MongoServerError, type Filter } from 'mongodb';
import { isId } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { broken } from '../contract/assertions.ts';
import { anyId, isIdCollision, type BookDocument, type CounterDocument, type Database } from './schema.ts';

export const bookCounter = { _id: 'books' };

/** The number of attempts after collisions, including the first attempt. */
export const maxAttempts = 5;

/**
 * Allocates ids in one step, and returns the first of them. It waits for the majority, like all writes: otherwise the next
 * primary could give the same ids to another service.
 *
 * If another program has removed the counter or set it back, it is raised past all ids that this process knows to be given, even if their
 * books are gone. It knows those that it was given, and the counter at its start and every 5 s (`FormatGuard`). Unknown are later ids
 * of other services and, after a restart, all ids above the counter. Such an id is given again if its document is gone, too.
 *
 * @throws {ShelflistError} `store_damaged`: the counter is not a number, or another program sets it back again and again.
 */
export async function takeIds(database: Database, count: number): Promise<number> {
  const options = { returnDocument: 'after', projection: { seq: 1 } } as const;
  for (let attempt = 1; ; attempt++) {
    const given = database.given.highestId; // Concurrent calls can be answered in any order.
    const counter = await database.counters.findOneAndUpdate(bookCounter, { $inc: { seq: count } }, options);
    const last = counter?.seq ?? 0; // Startup created the counter: if it is missing, it was lost since.
    const first = last - count + 1;
    const isBehind = counter === null || first <= given; // It can even be below 0.
    if (!isBehind && !(isId(first) && isId(last)))
      throw new ShelflistError('store_damaged', { message: 'the counter of ids is not a number' });
    if (!isBehind) {
      noteGiven(database, counter);
      return first;
    }
    if (attempt === maxAttempts)
      throw broken(`ids up to ${given} were given, but the counter of ids is at ${last}`);
    await liftCounter(database);
  }
}

/**
 * Raises the counter past every id in the collection, tombstones included, and every id that this process knows to be given: books
 * can have been restored, or removed.
 */
export async function liftCounter(database: Database): Promise<void> {
  const seq = Math.max(await highestId(database), database.given.highestId);
  const options = { returnDocument: 'after', upsert: true, projection: { seq: 1 } } as const;
  const lift = () => database.counters.findOneAndUpdate(bookCounter, { $max: { seq } }, options);
  noteGiven(database, await retryCollisions(lift));
}

/** Notes that all ids up to a counter are given, by this or another service. */
export function noteGiven({ given }: Database, counter: CounterDocument | null | undefined): void {
  if (isId(counter?.seq)) given.highestId = Math.max(given.highestId, counter.seq);
}

/** The highest id of the documents that match; 0 when there is none. */
export async function highestId({ books }: Database, filter: Filter<BookDocument> = {}): Promise<number> {
  const options = { sort: { _id: -1 }, projection: { _id: 1 }, maxTimeMS: 4000 } as const;
  const highest = await books.findOne({ $and: [{ _id: anyId }, filter] }, options);
  return Math.ceil(highest?._id ?? 0);
}

/** Two concurrent first upserts of one document collide. */
export async function retryCollisions<T>(action: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action();
    } catch (error) {
      const isCollision = error instanceof MongoServerError && isIdCollision(error.code, error.message);
      if (!isCollision || attempt === maxAttempts) throw error;
    }
  }
}
