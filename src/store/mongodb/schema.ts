// The documents and collections, and the guarantees that every command asks for.
import { randomBytes } from 'node:crypto';
import {
  MongoServerError,
  ReadConcern,
  type Collection,
  type Db,
  type Filter,
  type MongoClient,
} from 'mongodb';
import { toBook, type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames, mapFields, textFields } from '../../catalogue/fields.ts';
import { HistoryClock } from '../contract/history-clock.ts';
import type { ChangeKind } from '../contract/history.ts';
import type { IndexEntry } from './index-entry.ts';
import { SharedOrder } from './order.ts';

/** How long requests are collected for one call of the driver, which costs ten times as much as a request. */
export const maxCollectMs = 2;

/** A change of a book after its creation, and the state before it: the fields, unless there was no book or it is lost. */
export interface HistoryEntry extends Readonly<Partial<BookFields>> {
  /** The revision of the state before; `null` when another program wrote it. */
  readonly rev: string | null;
  /** The time and the kind of the change. */
  readonly at: Date;
  readonly change: Exclude<ChangeKind, 'created'>;
  readonly batch?: string;
  /** The state was too large to keep, or not a book. */
  readonly isLost?: true;
}

/** The kinds of change that have an entry in a history. */
export const entryKinds: readonly unknown[] = [
  'updated',
  'deleted',
  'reverted',
] satisfies HistoryEntry['change'][];

/** A book as it is stored: the id is the primary key. With `deletedAt` it is a tombstone: a deleted book. */
export interface BookDocument extends BookFields {
  _id: number;
  /** Its index entry. A tombstone has none. */
  index?: IndexEntry;
  /** The revision: unique, and new with every change. A document of another program has none until it is indexed. */
  rev?: string | null;
  history?: HistoryEntry[];
  deletedAt?: Date | null;
  /** The revision and the user of the last change that named a user. With the revision, each change of a user changes it. */
  by?: string;
  /** The batch that created it. */
  creation?: { readonly batch: string; readonly at: Date };
}

/** The fields that every change of a document sets: its revision, and who made it. */
export function newRevision({ user }: { readonly user?: string | undefined } = {}): {
  rev: string;
  by?: string;
} {
  const rev = randomBytes(9).toString('base64url');
  return { rev, ...(user !== undefined && { by: `${rev} ${user}` }) };
}

/** The last id allocated, or the time of the history's clock. */
export interface CounterDocument {
  _id: string;
  seq: number;
}

/** An idempotency key, and the books that were stored under it. */
interface RepeatDocument {
  _id: string;
  digest: string;
  /** The id of the first book; those of the others follow. */
  first: number;
  count: number;
  batch: string | null;
  at: Date;
}

/** A batch, noted before its first change. The other numbers are those of the entries in the histories. */
export interface BatchDocument {
  _id: string;
  at: Date;
  /** When a change of it was last made, or found to be kept. */
  usedAt?: Date;
  /** Numbers them in their order. Those of an earlier version have none. */
  seq?: number;
  /** The number of books it created. */
  created: number;
}

export interface Database {
  readonly client: MongoClient;
  readonly db: Db;
  readonly books: Collection<BookDocument>;
  readonly counters: Collection<CounterDocument>;
  readonly repeats: Collection<RepeatDocument>;
  readonly clock: HistoryClock;
  readonly batches: Collection<BatchDocument>;
  readonly order: SharedOrder;
  /** The highest id that this process knows to be given, to it or to another; 0 before the first. */
  readonly given: { highestId: number };
}

/**
 * The guarantees of the store need these options, whatever the URL says: journaled writes that survive a failover, and
 * reads that cannot be rolled back. Reads use the primary, because only the primary is current.
 */
export const promisedOptions = {
  writeConcern: { w: 'majority', journal: true, wtimeoutMS: 4000 },
  readPreference: 'primary',
  readConcern: new ReadConcern('majority'),
} as const;

export function openDatabase(client: MongoClient, name: string): Database {
  const db = client.db(name, promisedOptions);
  const counters = db.collection<CounterDocument>('counters');
  return {
    client,
    db,
    books: db.collection('books'),
    counters,
    repeats: db.collection('repeat_keys'),
    clock: new HistoryClock(),
    batches: db.collection('batches'),
    order: new SharedOrder(counters),
    given: { highestId: 0 },
  };
}

/** The names of the collections of a catalogue. */
export function catalogueCollections({ books, counters, repeats, batches }: Database): string[] {
  return [books, counters, repeats, batches].map(({ collectionName }) => collectionName);
}

/** Ids are numbers: a document with another `_id` belongs to another program. */
export const anyId = { $gte: 1, $lte: Number.MAX_SAFE_INTEGER } as const;

export const live: Filter<BookDocument> = { deletedAt: null };

/** The tombstones of this store. */
export const tombstones: Filter<BookDocument> = { deletedAt: { $exists: true }, rev: { $type: 'string' } };

/** The fields that a book is read from. */
export const bookProjection = mapFields(fieldNames, () => 1 as const);

/** Reads a book from its document; `undefined` if another program stored something that is not a book. */
export function decodeBook(document: Pick<BookDocument, '_id'>): Book | undefined {
  return toBook({ ...document, id: document._id });
}

/** A document has at most 16 MiB, including 1 for earlier states and 1 for the index entry. */
const maxTextBytes = 14 * 1024 * 1024;

/** @throws {ShelflistError} `invalid_input`: the book is too large for a document. */
export function checkSize(patch: BookPatch): void {
  if (textBytes(patch) <= maxTextBytes) return;
  throw new ShelflistError('invalid_input', {
    message: 'the book is larger than 14 MiB, the most MongoDB can hold',
  });
}

/** The length of the texts of a book, in bytes of UTF-8. */
export function textBytes(fields: BookPatch): number {
  return textFields.reduce((sum, name) => sum + Buffer.byteLength(fields[name] ?? ''), 0);
}

/** Whether a write was refused because its `_id` is taken, not because of an index that somebody added. */
export function isIdCollision(code: unknown, message: string): boolean {
  const duplicateKey = 11000;
  return code === duplicateKey && /^[^{]* index: _id_ /.test(message);
}

/** Whether the server refused a command for this reason. */
export function hasServerCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof MongoServerError && codes.includes(Number(error.code));
}

/** The code of a query that exceeded its time. */
export const maxTimeExpired = 50;
