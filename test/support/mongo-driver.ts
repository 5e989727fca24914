import { setTimeout } from 'node:timers/promises';
import { MongoClient, type Db, type Document } from 'mongodb';
import type { Scope } from './temp.ts';

/** The driver itself, on the database of a URL, which is dropped at the end. */
export async function openDriver(scope: Scope, url: string): Promise<Db> {
  const client = await new MongoClient(url).connect();
  scope.after(async () => {
    try {
      await client.db().dropDatabase();
    } finally {
      await client.close(); // An open client keeps the process alive.
    }
  });
  return client.db();
}

/** Inserts documents as another program does. */
export async function insertRaw(db: Db, documents: readonly Document[], collection = 'books'): Promise<void> {
  await db.collection(collection).insertMany([...documents]);
}

/** Waits until every book has its index entry. */
export async function indexed(db: Db): Promise<void> {
  const waiting = {
    rev: null,
    title: { $type: 'string' },
    author: { $type: 'string' },
    year: { $gte: -Infinity },
  };
  const books = db.collection('books', { readConcern: { level: 'majority' } });
  await until(async () => (await books.findOne(waiting)) === null, 'the books are indexed');
}

/** Waits up to a minute until a condition holds. */
export async function until(isSo: () => Promise<boolean> | boolean, what: string): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`not within a minute: ${what}`);
    await setTimeout(5);
  }
}

/** A fail point that makes commands of shelflist fail on the server, or take long. */
export interface FailPoint {
  failCommands: string[];
  namespace?: string;
  closeConnection?: true;
  blockConnection?: true;
  blockTimeMS?: number;
  errorCode?: number;
}

/** Makes the next commands fail; `undefined` ends it. */
export async function failCommands(db: Db, times: number, data?: FailPoint): Promise<void> {
  const mode = data === undefined ? 'off' : { times };
  const command = { configureFailPoint: 'failCommand', mode, data: { ...data, appName: 'shelflist' } };
  await db.client.db('admin').command(command);
}

/** Waits until the server has finished every write of shelflist, including abandoned ones. */
export async function writesEnded(db: Db): Promise<void> {
  const writes = {
    $or: ['update', 'findAndModify', 'delete', 'insert'].map((name) => ({
      [`command.${name}`]: { $exists: true },
    })),
  };
  const pipeline = [{ $currentOp: {} }, { $match: { appName: 'shelflist', active: true, ...writes } }];
  const admin = db.client.db('admin');
  await until(async () => (await admin.aggregate(pipeline).toArray()).length === 0, 'no write is in flight');
}

/** The names of all members, at any depth. */
export function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...keysOf(each)]);
}
