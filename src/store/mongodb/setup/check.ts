import { MongoServerError, type CollectionInfo, type Document } from 'mongodb';
import { exampleBook, isId } from '../../../catalogue/book.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import { ChangeStream } from '../version/change-stream.ts';
import { bookCounter } from '../write/counter.ts';
import { hasCode, type Database } from '../documents.ts';
import { indexEntry } from '../write/entry.ts';
import { newRevision } from '../write/history.ts';

/** Refuses servers that are not a replica set. @throws {ShelflistError} */
export async function checkServer({ client }: Database): Promise<void> {
  const { setName, msg } = await client.db('admin').command({ hello: 1 });
  if (msg === 'isdbgrid')
    throw refusal('this is a sharded cluster, on which reads are not current; connect to a replica set');
  if (setName === undefined)
    throw refusal('it is not a replica set; start mongod with --replSet rs0 and run rs.initiate() once');
}

/** Creates missing collections, and refuses those on which the store cannot keep its guarantees. */
export async function prepareCollections(database: Database): Promise<void> {
  const { db, books, counters } = database;
  const names = [books.collectionName, counters.collectionName];
  const found = (await db.listCollections({ name: { $in: names } }).toArray()) as CollectionInfo[];
  for (const name of names) {
    const info = found.find((collection) => collection.name === name);
    if (info === undefined) await createCollection(database, name);
    else await checkCollection(database, info);
  }
  // In MongoDB's order of types, numbers come before the usual types of a foreign _id.
  const highest = await books.findOne({}, { sort: { _id: -1 }, projection: { _id: 1 } });
  if (highest !== null && !isId(highest._id))
    throw refusal('its collection "books" has an _id that is not a whole number; name another database');
  const counter = await counters.findOne(bookCounter);
  const isNumber = counter === null || counter.seq === 0 || isId(counter.seq);
  if (!isNumber) throw refusal('its counter of ids is not a number; name another database');
}

async function checkCollection(database: Database, info: CollectionInfo): Promise<void> {
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
            : undefined;
  if (kind !== undefined)
    throw refusal(`"${name}" is ${kind}; name another database, or copy it into a plain collection`);
  if (validator !== undefined) await tryInsert(database, name);
}

/** Checks a validator with documents like ours, in a transaction that is rolled back. */
async function tryInsert({ client, db, books }: Database, name: string): Promise<void> {
  const [batch, at] = ['a batch', new Date()];
  const state = { ...exampleBook, rev: newRevision(), at, change: 'deleted', batch };
  const [first, second] = [-1, -2] as never[];
  const samples: Document[] =
    name === books.collectionName
      ? [
          {
            _id: first,
            ...exampleBook,
            index: indexEntry(exampleBook),
            rev: newRevision(),
            creation: { batch, at },
          },
          { _id: second, ...exampleBook, rev: newRevision(), deletedAt: at, history: [state] },
        ]
      : [{ _id: first, seq: 1 }];
  const session = client.startSession();
  try {
    session.startTransaction();
    await db.collection(name).insertMany(samples, { session });
  } catch (error) {
    const validationFailure = 121;
    if (!hasCode(error, validationFailure)) throw error;
    throw refusal(`the validator of "${name}" refuses the documents of this version; loosen it with collMod`);
  } finally {
    await session.abortTransaction().catch(() => undefined);
    await session.endSession();
  }
}

/** Opens a change stream once: without it, no listing has a version. */
export async function checkChangeStream(database: Database): Promise<void> {
  try {
    const stream = await ChangeStream.open(database);
    await stream.close();
  } catch (error) {
    const unauthorized = 13;
    if (!hasCode(error, unauthorized)) throw error;
    throw refusal('the user may not read the change stream of "books"; grant it the role readWrite');
  }
}

async function createCollection({ db }: Database, name: string): Promise<void> {
  try {
    await db.createCollection(name);
  } catch (error) {
    const namespaceExists = 48; // Another service that starts at the same moment created it.
    if (!(error instanceof MongoServerError) || error.code !== namespaceExists) throw error;
  }
}

function refusal(message: string): ShelflistError {
  return new ShelflistError('store_unusable', { message });
}
