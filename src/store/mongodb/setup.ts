// Refuses servers and collections on which the store cannot keep its guarantees; creates what is missing.
import { MongoServerError, type CollectionInfo, type Document } from 'mongodb';
import { isId } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { ChangeStream } from './change-stream.ts';
import { listCollections } from './collection-guard.ts';
import { bookCounter } from './counter.ts';
import { catalogueCollections, hasServerCode, type Database } from './schema.ts';

/** Refuses servers that are not a replica set. @throws {ShelflistError} */
export async function checkServer({ client }: Database): Promise<void> {
  const { setName, msg, isreplicaset } = await client.db('admin').command({ hello: 1 });
  if (msg === 'isdbgrid')
    throw refusal('this is a sharded cluster, where reads may be stale; connect to a replica set');
  if (isreplicaset === true)
    throw refusal('its replica set is not initiated; run rs.initiate() once in mongosh');
  if (setName === undefined)
    throw refusal('it is not a replica set; start mongod with --replSet rs0 and run rs.initiate() once');
}

/** Creates missing collections, and refuses unsuitable ones. */
export async function prepareCollections(database: Database): Promise<void> {
  const found = await checkCollections(database);
  const missing = catalogueCollections(database).filter((name) => !found.includes(name));
  await Promise.all(missing.map((name) => createCollection(database, name)));
}

/**
 * Refuses collections on which the store cannot keep its guarantees; returns the names of those that exist.
 *
 * @throws {ShelflistError} `store_unusable`
 */
export async function checkCollections(database: Database): Promise<readonly string[]> {
  const { books, counters } = database;
  const found = await listCollections(database);
  for (const info of found) checkCollection(info);
  // In MongoDB's order of types, numbers come before the usual types of a foreign _id.
  const [highest, counter] = await Promise.all([
    books.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } }),
    counters.findOne(bookCounter),
  ]);
  if (highest !== null && !isId(highest._id))
    throw refusal('its collection "books" has an _id that is not a whole number; name another database');
  const isNumber = counter === null || Number.isSafeInteger(counter.seq); // Below 0, it is raised.
  if (!isNumber) throw refusal('its counter of ids is not a number; name another database');
  const names = found.map(({ name }) => name);
  // A new catalogue in its place would be destroyed when somebody renames it back or restores it.
  if (counter !== null && counter.seq > 0 && !names.includes(books.collectionName))
    throw refusal(
      `its collection "${books.collectionName}" is missing, but "${counters.collectionName}" says that ids up to ${counter.seq} were ` +
        'given; rename it back or restore it, or drop the database to begin a new catalogue',
    );
  return names;
}

function checkCollection(info: CollectionInfo): void {
  const { name, type = 'collection', options = {} } = info as CollectionInfo & { options?: Document };
  const { capped, clusteredIndex, collation, validator } = options;
  const kind =
    type !== 'collection'
      ? `a ${type}`
      : capped === true
        ? 'a capped collection'
        : clusteredIndex !== undefined
          ? 'a clustered collection'
          : collation !== undefined
            ? 'a collection with a collation'
            : Object.keys((validator ?? {}) as object).length > 0 // collMod leaves an empty one.
              ? 'a collection with a validator'
              : undefined;
  if (kind !== undefined)
    throw refusal(`"${name}" is ${kind}; name another database, or copy it into a plain collection`);
}

/** Opens a change stream once: without it, no listing has a version. */
export async function checkChangeStream(database: Database): Promise<void> {
  try {
    const stream = await ChangeStream.open(database);
    await stream.close();
  } catch (error) {
    const unauthorized = 13;
    if (!hasServerCode(error, unauthorized)) throw error;
    throw refusal('the user may not read the change stream of "books"; grant it the role readWrite');
  }
}

async function createCollection({ db }: Database, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    const namespaceExists = 48; // Another service that is starting created it.
    if (!(error instanceof MongoServerError) || error.code !== namespaceExists) throw error;
  }
}

function refusal(message: string): ShelflistError {
  return new ShelflistError('store_unusable', { message });
}
