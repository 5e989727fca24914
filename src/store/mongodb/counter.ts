// Allocates ids from one counter, and raises it past restored books.
import { MongoServerError, type Filter } from 'mongodb';
import { isId } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { anyId, isIdCollision, type BookDocument, type Database } from './schema.ts';

export const bookCounter = { _id: 'books' };

/** The number of attempts after collisions, including the first attempt. */
export const maxAttempts = 5;

/**
 * Allocates ids in one step, and returns the first of them. It waits for the majority, like all writes: otherwise the next
 * primary might give the same ids to another service.
 */
export async function takeIds(database: Database, count: number): Promise<number> {
  const options = { returnDocument: 'after', projection: { seq: 1 } } as const;
  const take = () => database.counters.findOneAndUpdate(bookCounter, { $inc: { seq: count } }, options);
  let counter = await take();
  if (counter === null) {
    await liftCounter(database); // Startup created it, so it has been lost since.
    counter = await take();
  }
  const first = (counter?.seq ?? 0) - count + 1;
  if (isId(first) && isId(counter?.seq)) return first;
  throw new ShelflistError('store_damaged', { message: 'the counter of ids is not a number' });
}

/** Raises the counter past every id in the collection, tombstones included: books may have been restored. */
export async function liftCounter(database: Database): Promise<void> {
  const seq = await highestId(database);
  await retryCollisions(() => database.counters.updateOne(bookCounter, { $max: { seq } }, { upsert: true }));
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
