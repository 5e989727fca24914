import {
  MongoServerError,
  ReadConcern,
  type Collection,
  type Db,
  type Filter,
  type MongoClient,
} from 'mongodb';
import { toBook, type Book, type BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { IndexEntry } from './entry.ts';

/** The state of a book before a change. */
export interface EarlierState {
  /** The revision of this state; `null` when another program wrote it. */
  readonly rev: string | null;
  /** The time and the kind of the change that replaced it. */
  readonly at: Date;
  readonly change: 'updated' | 'deleted';
  readonly title: string;
  readonly author: string;
  readonly year: number;
}

/** A book as it is stored: the id is the primary key. With `deletedAt` it is a tombstone: a deleted book. */
export interface BookDocument {
  _id: number;
  title: string;
  author: string;
  year: number;
  /** Its index entry. A tombstone has none. */
  index?: IndexEntry;
  /** The revision: unique, and new with every change. A document of another program has none until it is indexed. */
  rev?: string | null;
  history?: EarlierState[];
  deletedAt?: Date | null;
}

/** The last id allocated. */
export interface CounterDocument {
  _id: string;
  seq: number;
}

export interface Database {
  readonly client: MongoClient;
  readonly db: Db;
  readonly books: Collection<BookDocument>;
  readonly counters: Collection<CounterDocument>;
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
  return { client, db, books: db.collection('books'), counters: db.collection('counters') };
}

/** Ids are numbers: a document with another `_id` belongs to another program. */
export const anyId = { $gte: 1, $lte: Number.MAX_SAFE_INTEGER } as const;

/** The documents that are not tombstones. */
export const live: Filter<BookDocument> = { deletedAt: null };

/** The fields that a book is read from. */
export const bookProjection = { title: 1, author: 1, year: 1 } as const;

/** Reads a book from its document; `undefined` if another program stored something that is not a book. */
export function decodeBook({ _id, title, author, year }: BookDocument): Book | undefined {
  return toBook({ id: _id, title, author, year });
}

/** A document has at most 16 MiB, including 1 for earlier states and 1 for the index entry. */
const maxTextBytes = 14 * 1024 * 1024;

/** @throws {ShelflistError} `invalid_input`: the book is too large for a document. */
export function checkSize({ title = '', author = '' }: BookPatch): void {
  if (Buffer.byteLength(title) + Buffer.byteLength(author) <= maxTextBytes) return;
  throw new ShelflistError('invalid_input', {
    message: 'the book is larger than 14 MiB, the most MongoDB can hold',
  });
}

/** Whether a write was refused because its `_id` is taken, not because of an index that somebody added. */
export function isIdCollision(code: unknown, message: string): boolean {
  const duplicateKey = 11000;
  return code === duplicateKey && /^[^{]* index: _id_ /.test(message);
}

/** Whether the server refused a command for this reason. */
export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof MongoServerError && codes.includes(Number(error.code));
}
