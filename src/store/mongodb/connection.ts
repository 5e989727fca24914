import { MongoClient, type MongoClientOptions } from 'mongodb';
import { ShelflistError } from '../../errors.ts';
import { within } from '../deadline.ts';
import { openDatabase, promisedOptions, type Database } from './documents.ts';
import { createScrubber } from './redact.ts';

/** A start is over within 5 s, whatever the server does. */
const connectMs = 4500;

/** A connected client, and what may be said of it. */
export interface Connection extends Database {
  /** Scheme, hosts and database: no secret. */
  readonly description: string;
  /** An error of the driver as it may be logged. */
  readonly scrub: (error: unknown) => Error;
  /** Another client of the same server without a socket timeout, for what may take hours. Not connected yet. */
  readonly createPatientDatabase: () => Database;
}

const options: MongoClientOptions = {
  appName: 'shelflist',
  // `timeoutMS` has no effect since driver 7.8 (and was unsafe before): each stage has its own limit.
  serverSelectionTimeoutMS: 4000,
  connectTimeoutMS: 4000,
  socketTimeoutMS: 5000,
  waitQueueTimeoutMS: 4000,
  retryWrites: true,
  retryReads: true,
  ...promisedOptions,
};

/**
 * Connects, and begins to use the connection, within 5 s in all.
 *
 * @throws {ShelflistError} `store_unusable`; its message contains no secret.
 */
export async function connect<T>(url: string, begin: (connection: Connection) => Promise<T>): Promise<T> {
  const scrubText = createScrubber(url);
  const scrub = (error: unknown) => scrubError(error, scrubText);
  let client: MongoClient;
  try {
    client = new MongoClient(url, options);
  } catch (error) {
    throw unusable('the database in DATABASE_URL', error, scrub(error).message);
  }
  const name = databaseName(url, client);
  const description = describe(client, name);
  const connection = {
    ...openDatabase(client, name),
    description,
    scrub,
    createPatientDatabase: () =>
      openDatabase(new MongoClient(url, { ...options, socketTimeoutMS: 0, maxPoolSize: 2 }), name),
  };
  try {
    return await within(
      connectMs,
      client.connect().then(() => begin(connection)),
    );
  } catch (error) {
    await disconnect(client);
    throw unusable(`the database ${description}`, error, scrub(error).message);
  }
}

/** Closes a client, without waiting for a server that does not answer. */
export async function disconnect(client: MongoClient): Promise<void> {
  await within(500, client.close(true)).catch(() => undefined);
}

/** As the driver has it. What the driver calls `test` may also be a URL without a database: then it is `shelflist`. */
function databaseName(url: string, { options: { dbName } }: MongoClient): string {
  // The driver refuses a `/` or `?` in the credentials: the first one ends the hosts.
  const isNamed = /^[^/]*\/\/[^/?#]*\/[^?#]/.test(url);
  return dbName === 'test' && !isNamed ? 'shelflist' : dbName;
}

function describe({ options: { hosts, srvHost } }: MongoClient, name: string): string {
  const place = srvHost === undefined ? hosts.join(',') : srvHost;
  return `mongodb${srvHost === undefined ? '' : '+srv'}://${place}/${name}`;
}

/** Its kind and its scrubbed message, and no object of the driver's. */
function scrubError(error: unknown, scrubText: (message: string) => string): Error {
  if (!(error instanceof Error)) return new Error('unknown reason');
  const copy = new Error(scrubText(error.message));
  copy.name = error.name;
  return copy;
}

function unusable(what: string, error: unknown, reason: string): ShelflistError {
  const advice =
    error instanceof ShelflistError
      ? ''
      : '. Is it running, and is DATABASE_URL right (host, port, user, password)?';
  return new ShelflistError('store_unusable', { message: `cannot use ${what}: ${reason}${advice}` });
}
