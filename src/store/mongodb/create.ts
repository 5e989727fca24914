// Inserts books together; with an idempotency key, in one transaction with it.
import {
  MongoBulkWriteError,
  MongoError,
  MongoServerError,
  ReadConcern,
  WriteConcern,
  type ClientSession,
  type TransactionOptions,
} from 'mongodb';
import type { Book, BookFields } from '../../catalogue/book.ts';
import type { SortRules } from '../../catalogue/sort-keys.ts';
import type { CallResult } from '../../lib/coalesce.ts';
import { liftCounter, maxAttempts, takeIds } from './counter.ts';
import {
  isIdCollision,
  type BookDocument,
  type Database,
  checkSize,
  hasServerCode,
  promisedOptions,
  newRevision,
} from './schema.ts';
import { indexEntry } from './index-entry.ts';
import { setTimeout } from 'node:timers/promises';
import { ShelflistError } from '../../catalogue/errors.ts';
import { broken } from '../contract/assertions.ts';
import { checkDigest, idempotencyKeyMs, type NewBooks } from '../contract/create.ts';
import type { Attribution } from '../contract/history.ts';
import type { HistoryClock } from '../contract/history-clock.ts';
import type { Created, CreateManyOptions, IdempotencyKey } from '../contract/store.ts';

/** A book to create, and where it comes from. */
export interface NewBook extends Attribution {
  readonly fields: BookFields;
}

/**
 * Creates books together, in two round trips: one step of the counter for all their ids, one unordered insert. Ids are in
 * the order of the books. An id that is taken raises the counter, and its book is tried again.
 */
export async function createBooks(
  database: Database,
  all: readonly NewBook[],
): Promise<readonly CallResult<Book>[]> {
  const results: CallResult<Book>[] = [];
  let left = all.map((book, index) => ({ ...book, index }));
  for (let attempt = 1; left.length > 0; attempt++) {
    const firstId = await takeIds(database, left.length);
    const books = left.map(({ fields }, i): Book => ({ id: firstId + i, ...fields }));
    const refusals = await insert(database, books, left);
    const taken: typeof left = [];
    books.forEach((book, i) => {
      const [each, refusal] = [left[i], refusals.get(i)];
      if (each === undefined) return;
      if (refusal === undefined) results[each.index] = { value: book };
      else if (refusal.isTaken && attempt < maxAttempts) taken.push(each);
      else results[each.index] = { error: new Error(refusal.message) };
    });
    left = taken;
    if (left.length > 0) await liftCounter(database);
  }
  return results;
}

interface Refusal {
  /** Another document has this id. */
  readonly isTaken: boolean;
  readonly message: string;
}

function newDocument(
  { id, ...fields }: Book,
  rules: SortRules,
  { batch, user, at }: Attribution & { readonly at: Date },
): BookDocument {
  return {
    _id: id,
    ...fields,
    index: indexEntry(fields, rules),
    ...newRevision({ user }),
    ...(batch !== undefined && { creation: { batch, at } }),
  };
}

/** Inserts books; returns the refusals by position. Rejects when it is not known which books are stored. */
async function insert(
  { books, clock, order }: Database,
  all: readonly Book[],
  origins: readonly Attribution[],
): Promise<ReadonlyMap<number, Refusal>> {
  const at = clock.stamp();
  const documents = all.map((book, i) =>
    newDocument(book, order.rules, { batch: origins[i]?.batch, user: origins[i]?.user, at }),
  );
  try {
    const { insertedCount } = await books.insertMany(documents, { ordered: false });
    checkInserted(documents.length, insertedCount);
    return new Map();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    // The driver also reports a broken connection as a bulk write error; then it has no errors of single writes.
    if (errors.length === 0 || error.result.getWriteConcernError()) throw error;
    checkInserted(documents.length - errors.length, error.insertedCount);
    return new Map(
      errors.map(({ index, code, errmsg: message = '' }) => {
        return [index, { isTaken: isIdCollision(code, message), message }];
      }),
    );
  }
}

/** Checks that the server has stored each book that it did not refuse. @throws {ShelflistError} `store_damaged` */
function checkInserted(sent: number, stored: number): void {
  if (stored === sent) return;
  throw broken(`${sent} books were sent, but the server stored ${stored}`, 'some may be stored');
}

/** How long a call waits for another one with its key. A killed process may hold a key for a minute. */
const maxWaitMs = 2000;
const pauseMs = 20;

const { w, journal, wtimeoutMS } = promisedOptions.writeConcern;
const transactionOptions: TransactionOptions = {
  writeConcern: new WriteConcern(w, wtimeoutMS, journal),
  readConcern: new ReadConcern('local'),
  readPreference: 'primary',
};

/** The neighbouring calls in flight: see `CreateManyOptions`. */
type Turn = Pick<CreateManyOptions, 'after' | 'onPrepared'>;

/** As `BookStore.createMany`. */
export async function createMany(database: Database, all: NewBooks, turn: Turn = {}): Promise<Created> {
  for (const fields of all.books) checkSize(fields);
  const { books, batch, user, idempotencyKey: repeat } = all;
  if (repeat !== undefined) return createOnce(database, all, repeat, turn);
  await turn.after;
  const results = await createBooks(
    database,
    books.map((fields) => ({ fields, batch, user })),
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
async function createOnce(
  database: Database,
  all: NewBooks,
  repeat: IdempotencyKey,
  { after, onPrepared }: Turn,
): Promise<Created> {
  const count = all.books.length;
  const end = performance.now() + maxWaitMs;
  let first: number | undefined;
  for (let collisions = 0; ;) {
    const stored = await findRepeat(database, repeat);
    if (stored !== undefined) return stored;
    first ??= count === 0 ? 1 : await takeIds(database, count);
    onPrepared?.();
    const outcome = await tryToStore(database, all, repeat, { first, after });
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
async function findRepeat(
  { repeats, clock }: Database,
  repeat: IdempotencyKey,
): Promise<Created | undefined> {
  const { key, former } = repeat;
  const found = await repeats.findOne({
    $or: [{ _id: key }, ...(former ? [{ _id: { $in: [...former.keys] }, digest: former.digest }] : [])],
    at: { $gte: oldestKey(clock) },
  });
  if (found === null) return undefined;
  if (found._id === key) checkDigest(repeat, found.digest);
  return { ids: idsFrom(found.first, found.count), batch: found.batch ?? undefined, isReplay: true };
}

/** `taken`: another program has stored a book under one of the ids. `raced`: another call with the key is ahead. */
async function tryToStore(
  { client, books, repeats, clock, order }: Database,
  all: NewBooks,
  { key, digest }: IdempotencyKey,
  { first, after }: Pick<Turn, 'after'> & { readonly first: number },
): Promise<'stored' | 'taken' | 'raced'> {
  const session = client.startSession({ causalConsistency: false });
  try {
    session.startTransaction(transactionOptions);
    const at = clock.stamp();
    const { batch, user, books: fields } = all;
    const documents = fields.map((each, i) =>
      newDocument({ id: first + i, ...each }, order.rules, { batch, user, at }),
    );
    try {
      if (documents.length > 0)
        checkInserted(documents.length, (await books.insertMany(documents, { session })).insertedCount);
    } catch (error) {
      if (isCollision(error)) return 'taken';
      throw error;
    }
    const before = await after; // The books are on the server, but they must not be stored before these.
    if (fields.length > 0 && (before?.ids.at(-1) ?? 0) >= first) return 'taken';
    const stored = { digest, first, count: fields.length, batch: batch ?? null, at };
    // Replaces a key that has expired but is not removed yet; a current one collides.
    await repeats.updateOne(
      { _id: key, at: { $lt: oldestKey(clock) } },
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
    hasServerCode(error, writeConflict) ||
    (error instanceof MongoError && error.hasErrorLabel('TransientTransactionError'))
  );
}

function oldestKey(clock: HistoryClock): Date {
  return new Date(clock.read() - idempotencyKeyMs);
}

function idsFrom(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => first + i);
}
