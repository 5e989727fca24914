// The change stream of the books, read in batches with plain commands.
import { Long, type ClientSession, type Document, type ResumeToken } from 'mongodb';
import { maxEvents } from '../contract/events.ts';
import { promisedOptions, type Database } from './schema.ts';
import { waitUntilCommitted } from './primary-term.ts';

export interface Batch {
  /** The last event; `undefined` when there is none. */
  readonly last: ResumeToken;
  /** The events, as the projection shows them. */
  readonly documents: readonly Document[];
  /** Whether each event is about one book. Others concern the whole collection: it was dropped, for example. */
  readonly areBookEvents: boolean;
  /** The position from which the stream can be resumed. */
  readonly position: ResumeToken;
  /** Whether the stream has no further events now. */
  readonly isCurrent: boolean;
}

/** The stream has ended for good: the collection was dropped or renamed. */
export class StreamEnded extends Error {
  constructor() {
    super('the change stream has ended');
  }
}

const batchSize = maxEvents;

const idsOnly: Document = { operationType: 1, 'documentKey._id': 1 };

const updatedFields = { $objectToArray: { $ifNull: ['$updateDescription.updatedFields', {}] } };

/** Leaves out updates of the revision, or of a key of the order by title, alone: these books are the same as before. */
const $match: Document = {
  $expr: {
    $not: {
      $and: [
        { $eq: ['$updateDescription.removedFields', []] },
        {
          $in: [
            { $map: { input: updatedFields, in: '$$this.k' } },
            [['rev'], ['index.order0'], ['index.order1']],
          ],
        },
      ],
    },
  },
};

/** The types of events about single books. */
const bookEvents = ['insert', 'update', 'replace', 'delete'];

/**
 * The change stream of the books, read with plain commands. The driver's cursor does not show where a batch ends, and a
 * batch that is not full is the end of the stream. A write is acknowledged after the majority has it, so the next batch
 * contains it.
 */
export class ChangeStream {
  readonly #database: Database;
  readonly #session: ClientSession;
  readonly #cursor: Long;
  /** The position where it began. */
  readonly start: ResumeToken;

  private constructor(database: Database, session: ClientSession, cursor: Document) {
    this.#database = database;
    this.#session = session;
    this.#cursor = Long.fromValue(cursor.id as number | Long);
    this.start = cursor.postBatchResumeToken as ResumeToken;
  }

  /**
   * Opens the stream after a position, or at its current end.
   *
   * @param $project What the server sends of each event.
   */
  static async open(database: Database, after?: ResumeToken, $project = idsOnly): Promise<ChangeStream> {
    const { client, db, books } = database;
    const session = client.startSession({ causalConsistency: false });
    let stream: ChangeStream | undefined;
    try {
      const $changeStream = after === undefined ? {} : { resumeAfter: after };
      const { cursor, operationTime } = await db.command(
        {
          aggregate: books.collectionName,
          pipeline: [{ $changeStream }, { $match }, { $project }],
          cursor: { batchSize: 0 },
          readConcern: promisedOptions.readConcern,
        },
        { session },
      );
      stream = new ChangeStream(database, session, cursor as Document);
      // The stream begins after the last write of this server, which no read shows until the majority has it. Without this
      // wait, the book of that write would appear in listings without an event.
      await waitUntilCommitted(database, session, operationTime);
      return stream;
    } catch (error) {
      void (stream === undefined ? session.endSession() : stream.close());
      throw error;
    }
  }

  /** The events since the last batch. */
  async next(): Promise<Batch> {
    const { db, books } = this.#database;
    const { cursor } = await db.command(
      { getMore: this.#cursor, collection: books.collectionName, batchSize, maxTimeMS: 1 },
      { session: this.#session },
    );
    const { nextBatch, postBatchResumeToken, id } = cursor as Document;
    if (Number(id) === 0) throw new StreamEnded();
    const events = nextBatch as Document[];
    return {
      last: events.at(-1)?._id as ResumeToken,
      documents: events,
      areBookEvents: events.every(({ operationType }) => bookEvents.includes(operationType as string)),
      position: postBatchResumeToken as ResumeToken,
      isCurrent: events.length < batchSize,
    };
  }

  /** Closes the stream, on the server too if it answers. */
  async close(): Promise<void> {
    const { db, books } = this.#database;
    const command = { killCursors: books.collectionName, cursors: [this.#cursor] };
    await db.command(command, { session: this.#session }).catch(() => undefined);
    await this.#session.endSession();
  }
}
