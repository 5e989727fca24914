import { Long, type ClientSession, type Document, type ResumeToken } from 'mongodb';
import { isId } from '../../book.ts';
import { promisedOptions, type Database } from './documents.ts';

/** What a batch of events says. */
export interface Batch {
  /** The last event, if there is one. */
  readonly last: ResumeToken | undefined;
  /** The books concerned; `undefined`: it may be any book (the collection was dropped, for one). */
  readonly ids: readonly number[] | undefined;
  /** Where the stream can be resumed. */
  readonly position: ResumeToken;
  /** Whether this was everything there is. */
  readonly isCurrent: boolean;
}

/** Events per batch. */
export const batchSize = 2000;

/** The events of single books; others concern the whole collection. */
const bookEvents = ['insert', 'update', 'replace', 'delete'];

/**
 * The change stream of the books, by plain commands: the driver's own cursor does not tell where a batch ends, and a batch
 * that is not full is everything there is. A write is acknowledged after the majority has it, so the next batch
 * contains it.
 */
export class ChangeStream {
  readonly #database: Database;
  readonly #session: ClientSession;
  readonly #cursor: Long;
  /** The position where it begins. */
  readonly start: ResumeToken;

  private constructor(database: Database, session: ClientSession, cursor: Document) {
    this.#database = database;
    this.#session = session;
    this.#cursor = Long.fromValue(cursor.id as number | Long);
    this.start = cursor.postBatchResumeToken as ResumeToken;
  }

  /** Begins after a position, or now. */
  static async open(database: Database, after?: ResumeToken): Promise<ChangeStream> {
    const { client, db, books, counters } = database;
    const session = client.startSession({ causalConsistency: false });
    try {
      const $changeStream = after === undefined ? {} : { resumeAfter: after };
      const { cursor, operationTime } = await db.command(
        {
          aggregate: books.collectionName,
          pipeline: [{ $changeStream }, { $project: { operationType: 1, 'documentKey._id': 1 } }],
          cursor: { batchSize: 0 },
          readConcern: promisedOptions.readConcern,
        },
        { session },
      );
      // It begins after the last write of this server, which no read shows until the majority has it. Without this wait its
      // book would come into the listings without an event.
      const readConcern = { level: 'majority', afterClusterTime: operationTime as unknown };
      const wait = {
        find: counters.collectionName,
        limit: 1,
        singleBatch: true,
        maxTimeMS: 4000,
        readConcern,
      };
      await db.command(wait, { session });
      return new ChangeStream(database, session, cursor as Document);
    } catch (error) {
      await session.endSession();
      throw error;
    }
  }

  /** What has happened since the last batch. */
  async next(): Promise<Batch> {
    const { db, books } = this.#database;
    const { cursor } = await db.command(
      { getMore: this.#cursor, collection: books.collectionName, batchSize, maxTimeMS: 1 },
      { session: this.#session },
    );
    const { nextBatch, postBatchResumeToken, id } = cursor as Document;
    if (Number(id) === 0) throw new Error('the change stream has ended');
    const events = nextBatch as Document[];
    const isKnown = events.every(({ operationType }) => bookEvents.includes(operationType as string));
    const ids = events.map(({ documentKey }) => (documentKey as Document | undefined)?._id as unknown);
    return {
      last: events.at(-1)?._id as ResumeToken | undefined,
      ids: isKnown ? ids.filter(isId) : undefined,
      position: postBatchResumeToken as ResumeToken,
      isCurrent: events.length < batchSize,
    };
  }

  /** Ends it on the server too, if that answers. */
  async close(): Promise<void> {
    const { db, books } = this.#database;
    const command = { killCursors: books.collectionName, cursors: [this.#cursor] };
    await db.command(command, { session: this.#session }).catch(() => undefined);
    await this.#session.endSession();
  }
}
