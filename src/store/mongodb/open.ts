// Opens a store: connects, checks the server, prepares collections and indexes.
import type { BookStore, StoreOptions } from '../contract/store.ts';
import { checkChangeStream, checkServer, prepareCollections } from './setup.ts';
import { CollectionGuard } from './collection-guard.ts';
import { connect, disconnect, type Connection } from './connection.ts';
import { liftCounter } from './counter.ts';
import { Maintenance } from './maintenance.ts';
import { migrate, newestFormat, readFormat } from './migrations.ts';
import type { Database } from './schema.ts';
import { MongoStore } from './store.ts';

/**
 * Connects to a replica set and prepares the database: a collection `books` with integer `_id`s, a collection `counters`
 * with the last id allocated, and the indexes. Preparing is idempotent; several services may do it at once.
 *
 * Documents of other programs and of earlier versions get their index entries in the background. Until then, `list`
 * and `get` find them; searches that need an index do not. A program that changes a document should remove its `rev`: the
 * next start then indexes it again.
 *
 * @throws {ShelflistError} `store_unusable` within 5 s; its message contains no secret.
 */
export async function openMongoStore(url: string, options: StoreOptions): Promise<BookStore> {
  const end = new AbortController();
  try {
    const open = () => connect(url, (connection) => begin(connection, options, end));
    const opened = await open();
    if (!('patient' in opened)) return opened.store;
    try {
      await migrate(opened.patient, options.logger);
    } finally {
      await disconnect(opened.patient.client);
    }
    const again = await open();
    if ('patient' in again) throw new Error('the database has an older format again');
    return again.store;
  } catch (error) {
    end.abort();
    throw error;
  }
}

/** Prepares a database within the deadline of a start; one of an older format is left to a patient client. */
async function begin(
  connection: Connection,
  options: StoreOptions,
  end: AbortController,
): Promise<{ store: BookStore } | { patient: Database }> {
  await checkServer(connection);
  await prepareCollections(connection);
  if ((await readFormat(connection)) < newestFormat) {
    await disconnect(connection.client);
    return { patient: connection.createPatientDatabase() };
  }
  await Promise.all([checkChangeStream(connection), liftCounter(connection)]);
  const isEmpty = async () => (await connection.books.findOne({}, { projection: { _id: 1 } })) === null;
  await connection.order.choose(options, isEmpty);
  const collections = await CollectionGuard.open(connection, connection.description);
  const maintenance = new Maintenance(connection, collections, options, end.signal);
  await maintenance.start();
  const onDamaged = (id: number) => {
    maintenance.onDamaged(id);
  };
  return { store: new MongoStore(connection, collections, options, onDamaged, end) };
}
