// Connects with the promised guarantees, and describes connection and errors without secrets.
import { setTimeout } from 'node:timers/promises';
import { MongoClient, MongoServerSelectionError, type MongoClientOptions } from 'mongodb';
import { ShelflistError } from '../../catalogue/errors.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { hasServerCode, openDatabase, promisedOptions, type Database } from './schema.ts';
import { PrimaryTerm } from './primary-term.ts';
import { createScrubber } from './address.ts';

/** The deadlines of a start, which ends within 5 s whatever the server does. */
const connectMs = 4500;

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
  let client: MongoClient;
  try {
    client = new MongoClient(url, options);
  } catch (error) {
    throw unusable('the database in DATABASE_URL', error, scrub(error).message);
  }
  const name = databaseName(url, client);
  const description = describe(client, name);
  const database = openDatabase(client, name);
  const connection = {
    ...database,
    term: new PrimaryTerm(database),
    description,
    scrub,
    unavailable: (cause: unknown) =>
      new ShelflistError('unavailable', { message: `${description} does not answer`, cause: scrub(cause) }),
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
    throw unusable(`the database ${description}`, error, scrub(error).message);
  }
}

/** Whether a server was found that waits to become a member of a replica set. */
function isUninitiated(error: unknown): boolean {
  if (!(error instanceof MongoServerSelectionError)) return false;
  return [...(error.reason?.servers.values() ?? [])].some(({ type }) => type === 'RSGhost');
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

function describe({ options: { hosts, srvHost } }: MongoClient, name: string): string {
  const place = srvHost ?? hosts.join(',');
  return `mongodb${srvHost === undefined ? '' : '+srv'}://${place}/${name}`;
}

/** The kind and the scrubbed message of an error, without any object of the driver. */
function scrubError(error: unknown, scrubText: (message: string) => string): Error {
  if (!(error instanceof Error)) return new Error('unknown reason');
  const copy = new Error(scrubText(error.message));
  copy.name = error.name;
  return copy;
}

function unusable(what: string, error: unknown, reason: string): ShelflistError {
  if (isUninitiated(error))
    throw new ShelflistError('store_unusable', {
      message: `cannot use ${what}: its replica set is not initiated; run rs.initiate() once in mongosh`,
    });
  const authenticationFailed = 18;
  const advice =
    error instanceof ShelflistError
      ? ''
      : hasServerCode(error, authenticationFailed)
        ? '; correct the user or the password in DATABASE_URL'
        : '; start it, or correct DATABASE_URL (host, port)';
  return new ShelflistError('store_unusable', {
    message: `cannot use ${what}: ${reason.replace(/\.$/, '')}${advice}`,
  });
}
