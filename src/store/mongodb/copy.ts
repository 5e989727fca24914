// Reads a whole catalogue with its log from a database, and writes one to an empty database.
import type { ClientSession } from 'mongodb';
import { fieldsOf, type BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { defaultRules } from '../../catalogue/sort-keys.ts';
import type { BookRecord, CopySource, CopyTarget } from '../contract/copy.ts';
import { batchCounter, oldestFirst } from './batches.ts';
import { isTombstone, maxStateBytes, maxStates } from './change.ts';
import { connect, disconnect, type Connection } from './connection.ts';
import { bookCounter, highestId } from './counter.ts';
import { creatorOf, entriesOf, stateBefore, type LoggedState } from './document-log.ts';
import { indexEntry } from './index-entry.ts';
import { bookIndexes, buildIndexes } from './indexes.ts';
import { copyId, markFormat, newestFormat, noteBatches, readFormat } from './migrations.ts';
import { anyId, checkSize, decodeBook, hasServerCode, newRevision, textBytes } from './schema.ts';
import type { BookDocument, Database, HistoryEntry } from './schema.ts';
import { checkServer, prepareCollections } from './setup.ts';

const recordsAtOnce = 500;

/** Opens a database, as of now; a service may go on writing. @throws {ShelflistError} `store_unusable` */
export function openSource(url: string): Promise<CopySource> {
  return openAs(url, async (connection) => {
    await checkServer(connection);
    if ((await readFormat(connection)) < newestFormat)
      throw refused('it has an older format; start a service on it once, which migrates it');
  });
}

/** Opens it after a check. */
async function openAs(url: string, check: (connection: Connection) => Promise<unknown>): Promise<CopySource> {
  const { patient, name } = await connect(url, async (connection) => {
    await check(connection);
    await disconnect(connection.client);
    return { patient: connection.createPatientDatabase(), name: connection.description };
  });
  const { client, books, counters, batches } = patient;
  const session = client.startSession({ snapshot: true });
  const read = async (_id: string) =>
    (await counters.findOne({ _id }, { session, readConcern: snapshot }))?.seq;
  const lastId = (await read(bookCounter._id)) ?? 0;
  const clock = (await read('history_clock')) ?? Date.now();
  const options = { session, readConcern: snapshot, sort: oldestFirst, projection: { _id: 1 } } as const;
  const noted = await batches.find({}, options).toArray();
  return {
    head: { lastId, clock, batches: noted.map(({ _id }) => _id) },
    count: await books.estimatedDocumentCount(),
    records: () => readRecords(patient, session, name),
    async close() {
      await session.endSession();
      await disconnect(client);
    },
  };
}

const snapshot = { level: 'snapshot' } as const;

async function* readRecords(
  { books }: Database,
  session: ClientSession,
  name: string,
): AsyncGenerator<BookRecord[]> {
  const options = { session, readConcern: snapshot, batchSize: recordsAtOnce, sort: { _id: 1 } } as const;
  const cursor = books.find({ _id: anyId }, options);
  try {
    while (await cursor.hasNext()) {
      yield cursor.readBufferedDocuments().flatMap((document) => recordOf(document, name) ?? []);
    }
  } finally {
    await cursor.close();
  }
}

function recordOf(document: BookDocument, name: string): BookRecord | undefined {
  const { history } = document as { history?: unknown };
  const historyLength = Array.isArray(history) ? history.length : 0;
  const state: LoggedState = { ...document, historyLength, isRevisionLogged: false };
  const book = isTombstone(state) ? undefined : decodeBook(document);
  const changes = entriesOf(state).map((entry) => {
    const before = stateBefore(state, entry);
    const { change: kind, at, batch } = entry;
    return { kind, at: at.getTime(), batch, before: before && fieldsOf(before) };
  });
  if (book === undefined && !isTombstone(state))
    throw refused(`record ${document._id} of ${name} is not a book; \`shelflist doctor\` says what to do`);
  const last = changes.at(-1);
  if (book === undefined && (last?.kind !== 'deleted' || last.before === undefined)) return undefined;
  const batch = creatorOf(state);
  const at = document.creation?.at;
  const creation = batch !== undefined && at instanceof Date ? { batch, at: at.getTime() } : undefined;
  return { id: document._id, fields: book && fieldsOf(book), creation, changes };
}

/** Refuses a database that {@link openTarget} refuses. @throws {ShelflistError} `store_unusable` */
export function checkTarget(url: string): Promise<void> {
  return connect(url, async (connection) => {
    await refuseCatalogue(connection);
    await disconnect(connection.client);
  });
}

async function refuseCatalogue(connection: Connection): Promise<void> {
  await checkServer(connection);
  const { counters, books } = connection;
  const isBegun = (await counters.findOne(copyId)) !== null;
  if (!isBegun && ((await books.findOne({})) !== null || (await counters.findOne({})) !== null))
    throw refused('it has a catalogue already; name an empty database');
}

/** Opens an empty database for a copy, or one with an incomplete copy. @throws {ShelflistError} `store_unusable` */
export async function openTarget(url: string): Promise<CopyTarget> {
  const { database, after } = await connect(url, async (connection) => {
    await refuseCatalogue(connection);
    await prepareCollections(connection);
    await connection.counters.updateOne(copyId, { $set: { seq: 0 } }, { upsert: true });
    const last = await highestId(connection);
    const patient = connection.createPatientDatabase();
    await disconnect(connection.client);
    return { database: patient, after: last };
  });
  const { books, counters, batches, client, order } = database;
  return {
    after,
    limit: limitRecord,
    async write(records) {
      // In order: after a kill, the copy continues after the highest id.
      await books.insertMany(records.map(documentOf), { ordered: true }).catch((error: unknown) => {
        if (!hasServerCode(error, 11000)) throw error;
        throw refused('another copy writes into the same database; wait for its end, and repeat this one');
      });
    },
    async finish({ lastId, clock, batches: names }) {
      await counters.updateOne(bookCounter, { $max: { seq: lastId } }, { upsert: true });
      await counters.updateOne({ _id: 'history_clock' }, { $max: { seq: clock } }, { upsert: true });
      await order.choose({}, () => Promise.resolve(true)); // Its entries follow the default rules.
      await buildIndexes(books, bookIndexes);
      await noteBatches(database);
      for (let i = 0; i < names.length; i += recordsAtOnce)
        await batches.bulkWrite(names.slice(i, i + recordsAtOnce).map((_id, k) => numbering(_id, i + k + 1)));
      await counters.updateOne(batchCounter, { $max: { seq: names.length } }, { upsert: true });
      await markFormat(database);
    },
    read: () => openAs(url, () => Promise.resolve()), // It is still marked as incomplete.
    async release() {
      await counters.deleteOne(copyId);
    },
    close: () => disconnect(client),
  };
}

function numbering(_id: string, seq: number) {
  return { updateOne: { filter: { _id }, update: { $set: { seq } } } };
}

/** Drops changes beyond the limit of a document, and states that are too large. */
function limitRecord(record: BookRecord): BookRecord {
  const kept = record.changes.slice(1 - 2 * maxStates);
  const changes = kept.map((change, i) => {
    const isLast = i === kept.length - 1 && record.fields === undefined; // A tombstone has this state itself.
    const isTooLarge = change.before !== undefined && textBytes(change.before) > maxStateBytes && !isLast;
    return isTooLarge ? { ...change, before: undefined } : change;
  });
  return { ...record, changes };
}

function documentOf({ id, fields, creation, changes }: BookRecord): BookDocument {
  const own: BookFields | undefined = fields ?? changes.at(-1)?.before;
  if (own === undefined) throw new Error(`record ${id} has no fields`);
  checkSize(own);
  const deletedAt = fields === undefined ? changes.at(-1)?.at : undefined;
  return {
    _id: id,
    ...own,
    ...newRevision(),
    ...(deletedAt === undefined
      ? { index: indexEntry(own, defaultRules) }
      : { deletedAt: new Date(deletedAt) }),
    ...(creation && { creation: { batch: creation.batch, at: new Date(creation.at) } }),
    ...(changes.length > 0 && { history: changes.map(entryOf) }),
  };
}

function entryOf({ kind, at, batch, before }: BookRecord['changes'][number]): HistoryEntry {
  const isLost = before === undefined ? kind !== 'reverted' : textBytes(before) > maxStateBytes;
  return {
    rev: newRevision().rev,
    at: new Date(at),
    change: kind,
    ...(batch !== undefined && { batch }),
    ...(isLost ? { isLost } : before),
  };
}

function refused(message: string): ShelflistError {
  return new ShelflistError('store_unusable', { message });
}
