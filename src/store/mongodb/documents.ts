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
import type { EarlierState } from './history.ts';

/** A book as it is stored: the id is the primary key. With `deletedAt` it is a tombstone: a deleted book. */
export interface BookDocument {
  _id: number;
  title: string;
  author: string;
  year: number;
  /** What the indexes know of it. A tombstone has none. */
  index?: IndexEntry;
  /** The revision: unique, and new with every change. A document of another program has none until it is indexed. */
  rev?: string | null;
  history?: EarlierState[];
  deletedAt?: Date | null;
}

/** The last id given. */
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
 * What the promises of the store need, whatever the URL says: writes that survive a failover and are in the journal,
 * and reads of what cannot be rolled back, from the primary, which alone is current.
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

/** What a book is read by. */
export const bookProjection = { title: 1, author: 1, year: 1 } as const;

/** A book from its document; `undefined` for what another program left there that is not a book. */
export function decodeBook({ _id, title, author, year }: BookDocument): Book | undefined {
  return toBook({ id: _id, title, author, year });
}

/** A document has at most 16 MiB: 1 for earlier states, 1 for the index entry. */
const maxTextBytes = 14 * 1024 * 1024;

/** @throws {ShelflistError} `invalid_input`: a document cannot hold it. */
export function checkSize({ title = '', author = '' }: BookPatch): void {
  if (Buffer.byteLength(title) + Buffer.byteLength(author) <= maxTextBytes) return;
  throw new ShelflistError('invalid_input', {
    message: 'the book is larger than 14 MiB, the most MongoDB can hold',
  });
}

/** Whether a write was refused because its `_id` is taken, and not because of an index that somebody added. */
export function isIdCollision(code: unknown, message: string): boolean {
  const duplicateKey = 11000;
  return code === duplicateKey && /^[^{]* index: _id_ /.test(message);
}

/** Whether the server refused a command for this reason. */
export function hasCode(error: unknown, ...codes: readonly number[]): boolean {
  return error instanceof MongoServerError && codes.includes(Number(error.code));
}
