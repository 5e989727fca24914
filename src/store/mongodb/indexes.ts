// The indexes: which there are, which are missing, and their building.
import type { CreateIndexesOptions, Document, IndexDescription } from 'mongodb';
import { isDeepStrictEqual } from 'node:util';
import { ShelflistError } from '../../catalogue/errors.ts';
import { repeatKeyMs } from '../contract/create.ts';
import { indexedFields } from './index-entry.ts';
import { hasServerCode, tombstones, type Database } from './schema.ts';

/** A collection of any documents. */
type IndexedCollection = Pick<
  Database['books'],
  'collectionName' | 'namespace' | 'dropIndex' | 'createIndexes'
>;

type Index = IndexDescription & CreateIndexesOptions & { readonly name: string };

/** Repeat keys expire. */
export const repeatIndexes: readonly Index[] = [
  { name: 'shelflist_expiry', key: { at: 1 }, expireAfterSeconds: repeatKeyMs / 1000 },
];

/** Partial indexes: only the index for tombstones contains tombstones. */
export function bookIndexes(historyDays: number): readonly Index[] {
  const expireAfterSeconds = Math.min(Math.round(historyDays * 86_400), 2 ** 31 - 1);
  return [
    partial('words', { 'index.words': 1 }, { 'index.words': { $exists: true } }),
    ...indexedFields.map((name) =>
      partial(name, { [`index.${name}`]: 1, _id: 1 }, { [`index.${name}`]: { $exists: true } }),
    ),
    partial('same', { 'index.same': 1 }, { 'index.same': { $exists: true } }),
    // Used by the backfill; `null` matches a missing field. After the backfill, it contains only records that are not books.
    partial('backfill', { rev: 1, _id: 1 }, { rev: null }),
    // Cover only tombstones of this store: another program may use the field name for something else. A TTL index has one key.
    { ...partial('deleted', { deletedAt: 1 }, tombstones), expireAfterSeconds },
    partial('trash', { deletedAt: -1, _id: -1 }, tombstones),
    ...['creation', 'history'].map((name) =>
      partial(`${name}_batch`, { [`${name}.batch`]: 1, _id: 1 }, { [`${name}.batch`]: { $exists: true } }),
    ),
  ];
}

function partial(what: string, key: Record<string, 1 | -1>, partialFilterExpression: Document): Index {
  return { name: `shelflist_${what}`, key, partialFilterExpression };
}

/**
 * Returns the indexes that are missing or still being built. Drops the tombstone index if it has another lifetime.
 *
 * @throws {ShelflistError} `store_unusable`: another index has the name of one of ours.
 */
export async function findMissing(
  { db }: Pick<Database, 'db'>,
  books: IndexedCollection,
  wanted: readonly Index[],
): Promise<Index[]> {
  const command = { listIndexes: books.collectionName, includeBuildUUIDs: true, cursor: { batchSize: 1000 } };
  const { cursor } = await db.command(command);
  const all = (cursor as Document).firstBatch as Document[];
  const missing: Index[] = [];
  for (const index of wanted) {
    const entry = all.find((each) => nameOf(each) === index.name);
    if (entry === undefined) missing.push(index);
    else if ('buildUUID' in entry) missing.push(index);
    else if (!isDeepStrictEqual(keyOf(entry), keyOf(index))) throw foreign(index.name, books.namespace);
    else if (entry.expireAfterSeconds !== index.expireAfterSeconds) {
      // A user with the role readWrite may drop and create indexes, but not use `collMod`.
      await books.dropIndex(index.name).catch(() => undefined);
      missing.push(index);
    }
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

function nameOf(entry: Document): unknown {
  return specOf(entry).name;
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
