import { MongoNetworkError, MongoServerError, type ResumeToken } from 'mongodb';
import { isId } from '../../../catalogue/book.ts';
import type { ChangeEvent } from '../../../catalogue/changes.ts';
import type { ChangeEvents } from '../../events.ts';
import type { Database } from '../documents.ts';
import { ChangeStream, StreamEnded } from './change-stream.ts';
import { eventProjection, kindOf } from './event-kind.ts';
import { formatToken, isLater, parseToken } from './event-token.ts';

/** The maximum number of open streams that wait for the next call with their position. */
const maxIdle = 4;
/** The maximum time of a call that finds events, none of which is about a book. */
const maxReadMs = 1000;

/**
 * Reads events about books from the change stream. A position is a resume token, so every service and every restart knows it,
 * as long as the oplog of the server reaches back to it.
 */
export class EventReader {
  readonly #database: Database;
  /** Open streams by their position, oldest first: a caller that reads on needs one round trip. */
  readonly #idle = new Map<string, ChangeStream>();
  #isClosed = false;

  constructor(database: Database) {
    this.#database = database;
  }

  async read(since: string | undefined): Promise<ChangeEvents> {
    if (since === undefined) return this.#begin([]);
    const after = parseToken(since);
    if (after === undefined) return this.#begin(undefined);
    const idle = this.#idle.get(since);
    this.#idle.delete(since);
    if (idle !== undefined) {
      try {
        return await this.#drain(idle);
      } catch {
        // The server may have closed the stream. It is resumed below.
      }
    }
    return this.#resume(after);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const streams = [...this.#idle.values()];
    this.#idle.clear();
    await Promise.all(streams.map((stream) => stream.close()));
  }

  /** The current position. @param events `undefined` instead of events that cannot be read. */
  async #begin(events: [] | undefined): Promise<ChangeEvents> {
    const stream = await ChangeStream.open(this.#database, undefined, eventProjection);
    const position = formatToken(stream.start);
    this.#keep(position, stream);
    return { events, position, isCurrent: true };
  }

  async #resume(after: ResumeToken): Promise<ChangeEvents> {
    // Opened first: it shows that the server answers, so that a later error is due to the token.
    const end = await ChangeStream.open(this.#database, undefined, eventProjection);
    const unknown: ChangeEvents = { events: undefined, position: formatToken(end.start), isCurrent: true };
    if (!isLater(after, end.start)) {
      try {
        const events = await this.#drain(await ChangeStream.open(this.#database, after, eventProjection));
        void end.close();
        return events;
      } catch (error) {
        if (!isRefusal(error)) {
          void end.close();
          throw error;
        }
      }
    }
    this.#keep(unknown.position, end);
    return unknown;
  }

  /** Reads until there are events about books, or none at all. Closes a stream that fails. */
  async #drain(stream: ChangeStream): Promise<ChangeEvents> {
    const end = performance.now() + maxReadMs;
    try {
      for (;;) {
        const { documents, ids, position: token, isCurrent } = await stream.next();
        if (ids === undefined) {
          void stream.close();
          return await this.#begin(undefined);
        }
        const events = documents.flatMap((document): ChangeEvent[] => {
          const id: unknown = (document.documentKey as { _id?: unknown } | undefined)?._id;
          const change = kindOf(document);
          return isId(id) && change !== undefined
            ? [{ position: formatToken(document._id), id, change }]
            : [];
        });
        if (events.length === 0 && !isCurrent && performance.now() < end) continue;
        const position = formatToken(token);
        this.#keep(position, stream);
        return { events, position, isCurrent };
      }
    } catch (error) {
      void stream.close();
      throw error;
    }
  }

  #keep(position: string, stream: ChangeStream): void {
    const [oldest] = this.#idle.keys();
    const replaced = this.#idle.get(position);
    if (replaced !== undefined) void replaced.close();
    this.#idle.set(position, stream);
    if (oldest === undefined || this.#idle.size <= maxIdle) {
      if (this.#isClosed) void this.close();
      return;
    }
    void this.#idle.get(oldest)?.close();
    this.#idle.delete(oldest);
  }
}

/** Whether the stream cannot be read from a position, now or later; not because of the network or an election. */
function isRefusal(error: unknown): boolean {
  if (error instanceof StreamEnded) return true;
  if (!(error instanceof MongoServerError) || error instanceof MongoNetworkError) return false;
  return !['ResumableChangeStreamError', 'RetryableWriteError', 'TransientTransactionError'].some((label) =>
    error.hasErrorLabel(label),
  );
}
