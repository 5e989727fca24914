// Makes the first read after a failover wait until the majority has every write.
import { coalesce } from '../../lib/coalesce.ts';
import { maxCollectMs, type Database } from './schema.ts';
import type { ClientSession } from 'mongodb';

/** The deadline of a confirmation. */
const deadlineMs = 2000;

/**
 * Makes reads current after a failover. A new primary has every write that a majority has, but learns only a moment later
 * that the majority has the last ones. Until then, majority reads leave these writes out. So the first read of a
 * primary's term waits until the majority has all that the primary has.
 */
export class PrimaryTerm {
  readonly #database: Database;
  readonly #confirmTogether: () => Promise<void>;
  /** The primary and its election; `undefined` before a primary is known. */
  #term: string | undefined;
  #confirmed: string | undefined;

  /** @param database Of a client that is not connected yet. */
  constructor(database: Database) {
    this.#database = database;
    this.#confirmTogether = coalesce(() => this.#confirm(), { deadlineMs, maxCollectMs });
    // The driver calls this before it sends anything to a new primary.
    database.client.on('serverDescriptionChanged', ({ newDescription: { type, address, electionId } }) => {
      if (type === 'RSPrimary') this.#term = `${address} ${electionId?.toHexString() ?? ''}`;
    });
  }

  /** Runs a read, and again if the primary changes meanwhile. */
  async read<T>(read: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.confirm();
      const term = this.#term;
      const result = await read();
      if (this.#term === term) return result;
    }
  }

  /** Waits until the majority has every write of the primary; returns at once if that is known of this term. */
  confirm(): Promise<void> | undefined {
    return this.#confirmed === this.#term ? undefined : this.#confirmTogether();
  }

  async #confirm(): Promise<void> {
    const term = this.#term;
    if (this.#confirmed === term) return;
    const { client, db, counters } = this.#database;
    await client.withSession({ causalConsistency: false }, async (session) => {
      // Its time is that of the last write that the primary has, committed or not.
      const { operationTime } = await db.command(
        { find: counters.collectionName, limit: 1, singleBatch: true, readConcern: { level: 'local' } },
        { session },
      );
      await waitUntilCommitted(this.#database, session, operationTime);
    });
    if (this.#term === term) this.#confirmed = term;
  }
}

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
