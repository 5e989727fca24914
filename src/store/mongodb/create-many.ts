import { setTimeout } from 'node:timers/promises';
import {
  MongoError,
  MongoServerError,
  ReadConcern,
  WriteConcern,
  type ClientSession,
  type TransactionOptions,
} from 'mongodb';
import { ShelflistError } from '../../catalogue/errors.ts';
import { checkDigest, repeatKeyMs, type NewBooks } from '../create-many.ts';
import type { Created, RepeatKey } from '../store.ts';
import { checkSize, hasCode, isIdCollision, promisedOptions, type Database } from './documents.ts';
import { liftCounter, maxAttempts, takeIds } from './write/counter.ts';
import { createBooks, newDocument } from './write/create.ts';

/** How long a call waits for another one with its key. A killed process may hold a key for a minute. */
const maxWaitMs = 2000;
const pauseMs = 20;

const { w, journal, wtimeoutMS } = promisedOptions.writeConcern;
const transactionOptions: TransactionOptions = {
  writeConcern: new WriteConcern(w, wtimeoutMS, journal),
  readConcern: new ReadConcern('local'),
  readPreference: 'primary',
};

/** As `BookStore.createMany`. */
export async function createMany(database: Database, all: NewBooks): Promise<Created> {
  for (const fields of all.books) checkSize(fields);
  const { books, batch, repeat } = all;
  if (repeat !== undefined) return createOnce(database, all, repeat);
  const results = await createBooks(
    database,
    books.map((fields) => ({ fields, batch })),
  );
  const ids = results.map((result) => {
    if ('error' in result) throw result.error;
    return result.value.id;
  });
  return { ids, batch, isReplay: false };
}

/**
 * Stores the books and their key in one transaction. Ids are taken before it, and lost if it fails. The key comes last, so that
 * it is locked for one round trip only: the server keeps the transaction of a killed process for a minute.
 */
async function createOnce(database: Database, all: NewBooks, repeat: RepeatKey): Promise<Created> {
  const count = all.books.length;
  const end = performance.now() + maxWaitMs;
  let first: number | undefined;
  for (let collisions = 0; ;) {
    const stored = await findRepeat(database, repeat);
    if (stored !== undefined) return stored;
    first ??= count === 0 ? 1 : await takeIds(database, count);
    const outcome = await tryToStore(database, all, repeat, first);
    if (outcome === 'stored') return { ids: idsFrom(first, count), batch: all.batch, isReplay: false };
    if (outcome === 'taken') {
      if (++collisions === maxAttempts) throw new Error('the ids after the counter are taken');
      await liftCounter(database);
      first = undefined;
      continue;
    }
    if (performance.now() > end) throw new ShelflistError('request_in_progress');
    await setTimeout(pauseMs);
  }
}

/** What an earlier call with the key has stored. @throws {ShelflistError} `key_reused` */
async function findRepeat({ repeats }: Database, repeat: RepeatKey): Promise<Created | undefined> {
  const found = await repeats.findOne({ _id: repeat.key, at: { $gte: oldestKey() } });
  if (found === null) return undefined;
  checkDigest(repeat, found.digest);
  return { ids: idsFrom(found.first, found.count), batch: found.batch ?? undefined, isReplay: true };
}

/** `taken`: another program has stored a book under one of the ids. `raced`: another call with the key is ahead. */
async function tryToStore(
  { client, books, repeats }: Database,
  all: NewBooks,
  { key, digest }: RepeatKey,
  first: number,
): Promise<'stored' | 'taken' | 'raced'> {
  const session = client.startSession({ causalConsistency: false });
  try {
    session.startTransaction(transactionOptions);
    const at = new Date();
    const { batch, books: fields } = all;
    const documents = fields.map((each, i) => newDocument({ id: first + i, ...each }, batch, at));
    try {
      if (documents.length > 0) await books.insertMany(documents, { session });
    } catch (error) {
      if (isCollision(error)) return 'taken';
      throw error;
    }
    const stored = { digest, first, count: fields.length, batch: batch ?? null, at };
    // Replaces a key that has expired but is not removed yet; a current one collides.
    await repeats.updateOne(
      { _id: key, at: { $lt: oldestKey() } },
      { $set: stored },
      { upsert: true, session },
    );
    await session.commitTransaction();
    return 'stored';
  } catch (error) {
    if (isCollision(error) || isTransient(error)) return 'raced';
    throw error;
  } finally {
    await end(session);
  }
}

async function end(session: ClientSession): Promise<void> {
  if (session.inTransaction()) await session.abortTransaction().catch(() => undefined);
  await session.endSession();
}

function isCollision(error: unknown): boolean {
  return error instanceof MongoServerError && isIdCollision(error.code, error.message);
}

/** Whether the transaction was aborted for a reason that may pass: a write conflict, an election. */
function isTransient(error: unknown): boolean {
  const writeConflict = 112;
  return (
    hasCode(error, writeConflict) ||
    (error instanceof MongoError && error.hasErrorLabel('TransientTransactionError'))
  );
}

function oldestKey(): Date {
  return new Date(Date.now() - repeatKeyMs);
}

function idsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}
