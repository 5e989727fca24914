// Examines a database for `shelflist doctor`, without changing it.
import type { Filter } from 'mongodb';
import { isId } from '../../catalogue/book.ts';
import { fieldNames, fields, mapFields } from '../../catalogue/fields.ts';
import { describeClock } from '../contract/history-clock.ts';
import type { StoreReport } from '../contract/driver.ts';
import { latestChange } from './prune.ts';
import { connect, type Connection } from './connection.ts';
import { bookCounter, highestId } from './counter.ts';
import { checkFormat } from './migrations.ts';
import { findLogged, findObstacles } from './obstacles.ts';
import { anyId, hasServerCode, live, maxTimeExpired, type BookDocument, type Database } from './schema.ts';
import { checkCollections, checkServer } from './setup.ts';

const maxDamaged = 100;
const maxScanMs = 2500;

/** Examines a database without changing it. @throws {ShelflistError} `store_unusable` */
export function inspectMongo(url: string): Promise<StoreReport | undefined> {
  return connect(url, async (connection) => {
    try {
      return await readReport(connection);
    } finally {
      await connection.client.close();
    }
  });
}

async function readReport(database: Connection): Promise<StoreReport | undefined> {
  await checkServer(database);
  const collections = await checkCollections(database);
  await checkFormat(database);
  const counter = await database.counters.findOne(bookCounter);
  const highest = await highestId(database, live);
  if (counter === null && highest === 0) return undefined;
  const lastId = isId(counter?.seq) ? counter.seq : 0;
  const isThere = collections.includes(database.books.collectionName);
  const hindrances = isThere ? await findObstacles(database) : [];
  const clockProblem = describeClock(await latestChange(database));
  const [damaged, logged] = await Promise.all([findDamaged(database), findLogged(database, maxScanMs)]);
  const obstacles = [...hindrances, ...logged];
  return {
    lastId,
    highestId: highest,
    damaged,
    problems: [],
    ...(obstacles.length > 0 && { obstacles }),
    ...(clockProblem !== undefined && { clockProblem }),
  };
}

/** The documents that are not books: by a scan; if that takes too long, only those that were never indexed. */
async function findDamaged(database: Database): Promise<readonly number[]> {
  try {
    return await readDamaged(database, {});
  } catch (error) {
    if (!hasServerCode(error, maxTimeExpired)) throw error;
    return readDamaged(database, { rev: null });
  }
}

async function readDamaged({ books }: Database, filter: Filter<BookDocument>): Promise<number[]> {
  const integer = {
    bsonType: ['int', 'long', 'double'],
    minimum: Number.MIN_SAFE_INTEGER,
    maximum: Number.MAX_SAFE_INTEGER,
    multipleOf: 1,
  };
  const properties = mapFields(fieldNames, (name) =>
    fields[name].type === 'text' ? { bsonType: 'string' } : integer,
  );
  const $jsonSchema = { required: fieldNames, properties: { _id: integer, ...properties } };
  const isDamaged = { $and: [{ _id: anyId }, live, filter, { $nor: [{ $jsonSchema }] }] };
  const options = {
    projection: { _id: 1 },
    sort: { _id: 1 },
    limit: maxDamaged,
    maxTimeMS: maxScanMs,
  } as const;
  return (await books.find(isDamaged, options).toArray()).map(({ _id }) => _id);
}
