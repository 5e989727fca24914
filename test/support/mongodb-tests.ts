import { after } from 'node:test';
import { MongoClient, type Db, type MongoClientOptions } from 'mongodb';
import { openStore } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import type { QueryContext } from '../../src/store/mongodb/reading.ts';
import { openDatabase } from '../../src/store/mongodb/schema.ts';
import { openDriver } from './mongo-driver.ts';
import { newDatabaseUrl, startMongod, type TestMongod } from './mongod.ts';
import type { Scope } from './temp.ts';

/** A server for the tests of one file, and what they open on it. */
export interface MongodbTests {
  readonly mongod: TestMongod | { skip: string };
  /** The reason to skip the tests, if there is no server. */
  readonly skip: string | false;
  /** A new database, and the driver itself on it. */
  readonly database: (scope: Scope) => Promise<{ url: string; db: Db }>;
  /** A store, which is closed at the end of the scope. */
  readonly opened: (scope: Scope, url: string) => Promise<CompleteStore>;
  /** A store on a new database, another service's store of the same books, and the driver. */
  readonly openedTwice: (
    scope: Scope,
  ) => Promise<{ url: string; store: CompleteStore; other: CompleteStore; db: Db }>;
}

/**
 * Starts a server, which is stopped after the tests of the file.
 *
 * @param start Default: the server that all files share.
 */
export async function useMongod(
  start: () => Promise<TestMongod | { skip: string }> = startMongod,
): Promise<MongodbTests> {
  const mongod = await start();
  after(() => ('skip' in mongod ? undefined : mongod.stop()));
  const database = async (scope: Scope) => {
    const url = newDatabaseUrl(mongod);
    return { url, db: await openDriver(scope, url) };
  };
  const opened = async (scope: Scope, url: string) => {
    const store = await openStore(url);
    scope.after(() => store.close());
    return store;
  };
  return {
    mongod,
    skip: 'skip' in mongod ? mongod.skip : false,
    database,
    opened,
    async openedTwice(scope) {
      const { url, db } = await database(scope);
      const [store, other] = await Promise.all([opened(scope, url), opened(scope, url)]);
      return { url, store, other, db };
    },
  };
}

/**
 * What a query of the store needs, on a client of its own, which is closed at the end of the scope: for tests of single queries, and of the
 * commands that they send (`commandStarted`).
 */
export async function openReading(
  scope: Scope,
  url: string,
  { maxTimeMS = 10_000, ...options }: MongoClientOptions & { maxTimeMS?: number } = {},
): Promise<{ client: MongoClient; reading: QueryContext }> {
  const client = await new MongoClient(url, { monitorCommands: true, ...options }).connect();
  scope.after(() => client.close());
  const database = openDatabase(client, client.db().databaseName);
  const signal = AbortSignal.timeout(maxTimeMS);
  return { client, reading: { database, maxTimeMS, signal, onDamaged: () => undefined } };
}
