import type { ClientSession } from 'mongodb';
import type { Database } from '../documents.ts';

/** The time limit on the server. */
const maxTimeMS = 4000;

/**
 * Waits until the majority has every write up to a time of the server: no read shows these writes before.
 *
 * @param operationTime As the server sent it with another response.
 */
export async function waitUntilCommitted(
  { db, counters }: Pick<Database, 'db' | 'counters'>,
  session: ClientSession,
  operationTime: unknown,
): Promise<void> {
  const readConcern = { level: 'majority', afterClusterTime: operationTime };
  await db.command(
    { find: counters.collectionName, limit: 1, singleBatch: true, maxTimeMS, readConcern },
    { session },
  );
}
