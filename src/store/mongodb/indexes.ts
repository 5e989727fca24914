// The indexes: which there are, which are missing, and their building.
import type { CreateIndexesOptions, Document, IndexDescription } from 'mongodb';
import { isDeepStrictEqual } from 'node:util';
import { ShelflistError } from '../../catalogue/errors.ts';
import { newestFirst } from './batches.ts';
import { indexedMembers } from './index-entry.ts';
import { hasServerCode, tombstones, type Database } from './schema.ts';

/** A collection of any documents. */
type IndexedCollection = Pick<
  Database['books'],
  'collectionName' | 'namespace' | 'dropIndex' | 'createIndexes'
>;

export type Index = IndexDescription & CreateIndexesOptions & { readonly name: string };

const prefix = 'shelflist_';

export const repeatIndexes: readonly Index[] = [{ name: `${prefix}expiry`, key: { at: 1 } }];

/** The order of the list of batches, and those that were not used for a long time. */
export const batchIndexes: readonly Index[] = [
  { name: `${prefix}newest`, key: newestFirst },
  { name: `${prefix}used`, key: { usedAt: 1, at: 1 } },
];

/** Partial indexes: only the index for tombstones contains tombstones. */
export const bookIndexes: readonly Index[] = [
  partial('words', { 'index.words': 1 }, { 'index.words': { $exists: true } }),
  ...indexedMembers.map((name) =>
    partial(name, { [`index.${name}`]: 1, _id: 1 }, { [`index.${name}`]: { $exists: true } }),
  ),
  partial('same', { 'index.same': 1 }, { 'index.same': { $exists: true } }),
  // Used by the backfill; `null` matches a missing field. After the backfill, it contains only records that are not books.
  partial('backfill', { rev: 1, _id: 1 }, { rev: null }),
  // Covers only tombstones of this store: another program may use the field name for something else.
  partial('trash', { deletedAt: -1, _id: -1 }, tombstones),
  ...['creation', 'history'].map((name) =>
    partial(`${name}_batch`, { [`${name}.batch`]: 1, _id: 1 }, { [`${name}.batch`]: { $exists: true } }),
  ),
];

/** Those that earlier formats had. */
const formerIndexes = ['order0', 'order1'].map((what) => prefix + what);

function partial(what: string, key: Record<string, 1 | -1>, partialFilterExpression: Document): Index {
  return { name: prefix + what, key, partialFilterExpression };
}

/**
 * Returns the indexes that are missing or still being built. Drops those of earlier versions that expire documents.
 *
 * @throws {ShelflistError} `store_unusable`: another index has the name of one of ours.
 */
export async function findMissing(
  database: Pick<Database, 'db'>,
  books: IndexedCollection,
  wanted: readonly Index[],
): Promise<Index[]> {
  const all = await listIndexes(database, books);
  // A user with the role readWrite may drop and create indexes, but not use `collMod`.
  for (const entry of all.filter(isExpiring)) await books.dropIndex(nameOf(entry) ?? '').catch(ignoreMissing);
  return missingOf(all, books, wanted);
}

/** As {@link findMissing}, but changes nothing. A collection that does not exist has none. */
export async function inspectIndexes(
  database: Pick<Database, 'db'>,
  books: IndexedCollection,
  wanted: readonly Index[],
): Promise<Index[]> {
  return missingOf(await listIndexes(database, books), books, wanted);
}

async function listIndexes({ db }: Pick<Database, 'db'>, books: IndexedCollection): Promise<Document[]> {
  const command = { listIndexes: books.collectionName, includeBuildUUIDs: true, cursor: { batchSize: 1000 } };
  const { cursor } = await db.command(command);
  return (cursor as Document).firstBatch as Document[];
}

/** Whether an index of an earlier version removes everything when the clock of the server jumps. */
function isExpiring(entry: Document): boolean {
  return nameOf(entry)?.startsWith(prefix) === true && 'expireAfterSeconds' in entry;
}

function missingOf(all: readonly Document[], books: IndexedCollection, wanted: readonly Index[]): Index[] {
  const missing: Index[] = [];
  for (const index of wanted) {
    const entry = all.find((each) => nameOf(each) === index.name && !isExpiring(each));
    if (entry === undefined) missing.push(index);
    else if ('buildUUID' in entry) missing.push(index);
    else if (!isDeepStrictEqual(keyOf(entry), keyOf(index))) throw foreign(index.name, books.namespace);
  }
  return missing;
}

/** Builds indexes; joins a build in progress. If a member is down, the majority builds them. */
export async function buildIndexes(books: IndexedCollection, missing: readonly Index[]): Promise<void> {
  if (missing.length === 0) return;
  try {
    await books.createIndexes([...missing], { commitQuorum: 'majority' });
  } catch (error) {
    const unauthorized = 13;
    if (!hasServerCode(error, unauthorized)) throw error;
    const names = missing.map(({ name }) => name).join(', ');
    throw new ShelflistError('store_unusable', {
      message: `the user may not create the indexes ${names}; grant it the role readWrite, or create them for it`,
    });
  }
}

/** Drops the indexes of earlier formats. */
export async function dropFormerIndexes(
  database: Pick<Database, 'db'>,
  books: IndexedCollection,
): Promise<void> {
  const names = new Set((await listIndexes(database, books)).map(nameOf));
  for (const name of formerIndexes) if (names.has(name)) await books.dropIndex(name).catch(ignoreMissing);
}

function nameOf(entry: Document): string | undefined {
  const { name } = specOf(entry) as { name?: unknown };
  return typeof name === 'string' ? name : undefined;
}

/** Another service that starts at the same moment has dropped it. */
function ignoreMissing(error: unknown): void {
  const indexNotFound = 27;
  if (!hasServerCode(error, indexNotFound)) throw error;
}

/** The properties by which an index is recognised. */
function keyOf(entry: Document): unknown {
  const { key, partialFilterExpression: filter } = specOf(entry);
  return { key: Object.entries(key as Document), filter: filter as unknown };
}

/** For an index being built, the description is one level deeper. */
function specOf(entry: Document): Document {
  return ('spec' in entry ? entry.spec : entry) as Document;
}

function foreign(name: string, namespace: string): ShelflistError {
  return new ShelflistError('store_unusable', {
    message: `${namespace} has another index named ${name}; drop it (db.books.dropIndex('${name}')) and start again`,
  });
}
