// Opens a store: connects, checks the server, prepares collections and indexes.
import type { BookStore, StoreOptions } from '../contract/store.ts';
import { checkChangeStream, checkServer, prepareCollections } from './setup.ts';
import { connect } from './connection.ts';
import { liftCounter } from './counter.ts';
import { Maintenance } from './maintenance.ts';
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
    return await connect(url, async (connection) => {
      await checkServer(connection);
      await prepareCollections(connection);
      await checkChangeStream(connection);
      await liftCounter(connection);
      const maintenance = new Maintenance(connection, options, end.signal);
      await maintenance.start();
      return new MongoStore(
        connection,
        options,
        (id) => {
          maintenance.onDamaged(id);
        },
        end,
      );
    });
  } catch (error) {
    end.abort();
    throw error;
  }
}
