// Connects with the promised guarantees, and describes connection and errors without secrets.
import { setTimeout } from 'node:timers/promises';
import { MongoClient, type MongoClientOptions, type Document } from 'mongodb';
import { ShelflistError } from '../../catalogue/errors.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { hasServerCode, openDatabase, promisedOptions, type Database } from './schema.ts';
import { PrimaryTerm } from './primary-term.ts';
import { createScrubber, redactMongoUrl } from './address.ts';
import { explainStart, unauthorized } from './start-advice.ts';

/** The deadlines of a start, which ends within 5 s whatever the server does. */
const connectMs = 4500;
/** How long a report waits for the members of a replica set, in milliseconds. */
const maxAskMs = 1500;

/** A connected client, and its descriptions without secrets. */
export interface Connection extends Database {
  /** Scheme, hosts and database; contains no secret. */
  readonly description: string;
  /** Removes secrets from an error of the driver. */
  readonly scrub: (error: unknown) => Error;
  /** Makes the error of a call that the server did not answer. */
  readonly unavailable: (cause: unknown) => ShelflistError;
  /** Makes reads current after a failover. */
  readonly term: PrimaryTerm;
  /** The members of the replica set that do not answer. Waits until each has been asked. */
  readonly findUnreachable: () => Promise<readonly string[]>;
  /** Makes another client of the same server without a socket timeout, for work of hours. It is not connected yet. */
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
 * Connects and runs `begin`, within 5 s in all.
 *
 * @throws {ShelflistError} `store_unusable`; its message contains no secret.
 */
export async function connect<T>(url: string, begin: (connection: Connection) => Promise<T>): Promise<T> {
  const scrubText = createScrubber(url);
  const scrub = (error: unknown) => scrubError(error, scrubText);
  const description = redactMongoUrl(url);
  const servers = new Map<string, Document | Error>();
  let client: MongoClient | undefined;
  const unusable = (error: unknown) => {
    if (error instanceof ShelflistError)
      return new ShelflistError('store_unusable', {
        message: `cannot use the database ${description}: ${error.message}`,
      });
    const reason = explainStart({ error, client, servers, scrub: scrubText });
    return new ShelflistError('store_unusable', {
      message: `cannot use the database ${description}: ${reason}`,
    });
  };
  try {
    client = new MongoClient(url, options);
  } catch (error) {
    throw unusable(error);
  }
  // The driver leaves unsuitable servers out of its descriptions.
  client.on('serverHeartbeatSucceeded', ({ connectionId, reply }) => servers.set(connectionId, reply));
  client.on('serverHeartbeatFailed', ({ connectionId, failure }) => servers.set(connectionId, failure));
  let members: readonly string[] = [];
  client.on('topologyDescriptionChanged', ({ newDescription }) => {
    members = [...newDescription.servers.keys()];
  });
  const name = databaseName(url, client);
  const database = openDatabase(client, name);
  const connection = {
    ...database,
    term: new PrimaryTerm(database),
    description,
    scrub,
    unavailable: (cause: unknown) =>
      new ShelflistError('unavailable', { message: `${description} does not answer`, cause: scrub(cause) }),
    async findUnreachable() {
      const end = performance.now() + maxAskMs;
      while (performance.now() < end && members.some((each) => !servers.has(each))) await setTimeout(20);
      return members.filter((each) => !servers.has(each) || servers.get(each) instanceof Error);
    },
    createPatientDatabase: () =>
      openDatabase(new MongoClient(url, { ...options, socketTimeoutMS: 0, maxPoolSize: 2 }), name),
  };
  try {
    return await withTimeout(
      connectMs,
      client.connect().then(() => retryElections(() => begin(connection))),
    );
  } catch (error) {
    await disconnect(client);
    throw unusable(error);
  }
}

/** The error codes of a server that has just become the primary, or no longer is. */
const electionCodes = [91, 189, 10107, 11600, 11602, 13435];

/** Retries a start, which may coincide with an election. A start is idempotent. */
async function retryElections<T>(begin: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await begin();
    } catch (error) {
      if (attempt === 5 || !hasServerCode(error, ...electionCodes)) throw error;
      await setTimeout(200);
    }
  }
}

/** Closes a client, without waiting for a server that does not answer. */
export async function disconnect(client: MongoClient): Promise<void> {
  await withTimeout(500, client.close(true)).catch(() => undefined);
}

/** The database in a URL, as the driver parses it. Without one, the driver uses `test`, and this store `shelflist`. */
function databaseName(url: string, { options: { dbName } }: MongoClient): string {
  // The driver refuses `/` and `?` in credentials, so the first one ends the hosts.
  const isNamed = /^[^/]*\/\/[^/?#]*\/[^?#]/.test(url);
  return dbName === 'test' && !isNamed ? 'shelflist' : dbName;
}

/** The kind and the scrubbed message of an error, without any object of the driver. */
function scrubError(error: unknown, scrubText: (message: string) => string): Error {
  if (!(error instanceof Error)) return new Error('unknown reason');
  // When the server denies a command, its message contains the command, with the texts of books.
  const isRefused = hasServerCode(error, unauthorized);
  const copy = new Error(
    isRefused ? 'the server denies its user the necessary rights' : scrubText(error.message),
  );
  copy.name = error.name;
  return copy;
}
