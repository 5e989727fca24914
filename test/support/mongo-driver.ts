import { setTimeout } from 'node:timers/promises';
import { MongoClient, type Db } from 'mongodb';
import type { Scope } from './temp.ts';

/** The driver itself, on the database of a URL, which is dropped at the end. */
export async function openDriver(scope: Scope, url: string): Promise<Db> {
  const client = await new MongoClient(url).connect();
  scope.after(async () => {
    await client.db().dropDatabase();
    await client.close();
  });
  return client.db();
}

/** Waits until every book has its index entry. */
export async function indexed(db: Db): Promise<void> {
  const deadline = Date.now() + 60_000;
  while ((await db.collection('books').findOne({ indexed: null })) !== null) {
    if (Date.now() > deadline) throw new Error('the books were not indexed within a minute');
    await setTimeout(5);
  }
}

/** The names of all members, at any depth. */
export function keysOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(keysOf);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...keysOf(each)]);
}
