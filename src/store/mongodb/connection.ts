import { MongoClient } from 'mongodb';
import { within } from '../deadline.ts';
import { parseMongoAddress, type MongoAddress } from './address.ts';
import { promisedOptions, unusableDatabase } from './prepare.ts';

/** A start is over within 5 s, whatever the server does. */
const connectMs = 4500;

/**
 * Connects, and does what comes first, within 5 s in all.
 *
 * @throws {ShelflistError} `store_unusable`; its message names no credentials.
 */
export async function connect<T>(
  url: string,
  begin: (client: MongoClient, address: MongoAddress) => Promise<T>,
): Promise<T> {
  const address = parseMongoAddress(url);
  let client: MongoClient;
  try {
    client = new MongoClient(url, {
      appName: 'shelflist',
      // `timeoutMS` has no effect since driver 7.8 (and was unsafe before): each stage has its own limit.
      serverSelectionTimeoutMS: 4000,
      connectTimeoutMS: 4000,
      socketTimeoutMS: 5000,
      waitQueueTimeoutMS: 4000,
      retryWrites: true,
      retryReads: true,
      ...promisedOptions,
    });
  } catch (error) {
    throw unusableDatabase(address, error);
  }
  try {
    return await within(
      connectMs,
      client.connect().then(() => begin(client, address)),
    );
  } catch (error) {
    await within(500, client.close(true)).catch(() => undefined);
    throw unusableDatabase(address, error);
  }
}
