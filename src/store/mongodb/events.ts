// Events: the changes after a position, from the change stream. A position is a resume token.
import { MongoNetworkError, MongoServerError, type ResumeToken, type Document, Binary } from 'mongodb';
import { isId } from '../../catalogue/book.ts';
import type { ChangeEvent, ChangeKind } from '../../catalogue/changes.ts';
import { isUserName } from '../../catalogue/user.ts';
import type { ChangeEvents } from '../contract/events.ts';
import type { Database } from './schema.ts';
import { ChangeStream, StreamEnded } from './change-stream.ts';
import { fieldNames } from '../../catalogue/fields.ts';

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
        const { documents, areBookEvents, position: token, isCurrent } = await stream.next();
        if (!areBookEvents) {
          void stream.close();
          return await this.#begin(undefined);
        }
        const events = documents.flatMap((document): ChangeEvent[] => {
          const id: unknown = (document.documentKey as { _id?: unknown } | undefined)?._id;
          const change = kindOf(document);
          return isId(id) && change !== undefined
            ? [{ position: formatToken(document._id), id, change, ...userOf(document) }]
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

const updated = '$updateDescription.updatedFields';
const present = (path: string): Document => ({ $ne: [{ $type: path }, 'missing'] });

/** What the server sends of an event: no field of a book, and nothing of the history. */
const eventProjection: Document = {
  operationType: 1,
  'documentKey._id': 1,
  /** `deletedAt` after an insert or replacement; as an update sets it; and whether an update removes it. */
  storedDeletedAt: '$fullDocument.deletedAt',
  deletedAt: `${updated}.deletedAt`,
  isRestored: { $in: ['deletedAt', { $ifNull: ['$updateDescription.removedFields', []] }] },
  /** The revision and the user, after an insert, and as an update sets them. */
  storedRev: '$fullDocument.rev',
  rev: `${updated}.rev`,
  storedBy: '$fullDocument.by',
  by: `${updated}.by`,
  isChanged: { $or: fieldNames.map((name) => present(`${updated}.${name}`)) },
  /** The kinds of the entries that it adds to the history: `history.3`, or all of `history`. */
  kinds: {
    $map: {
      input: {
        $filter: {
          input: { $objectToArray: { $ifNull: [updated, {}] } },
          as: 'field',
          cond: { $in: [{ $arrayElemAt: [{ $split: ['$$field.k', '.'] }, 0] }, ['history']] },
        },
      },
      as: 'field',
      in: '$$field.v.change',
    },
  },
};

/** The user of an event, if its writer named one. */
function userOf(document: Document): Pick<ChangeEvent, 'user'> {
  // What another program replaces or restores may still name the user of an earlier change, of another revision.
  const isNew = document.operationType === 'insert';
  const named: unknown = isNew ? document.storedBy : document.by;
  const revision: unknown = isNew ? document.storedRev : document.rev;
  const start = `${String(revision)} `;
  const user = typeof named === 'string' && named.startsWith(start) ? named.slice(start.length) : undefined;
  return isUserName(user) ? { user } : {};
}

/**
 * The kind of an event about a book; `undefined` if the book is the same as before: a program has only indexed it, for
 * example.
 */
function kindOf(event: Document): ChangeKind | undefined {
  const { operationType, deletedAt, isRestored, isChanged, kinds } = event;
  const isTombstone = (event.storedDeletedAt ?? null) !== null;
  switch (operationType) {
    case 'insert':
      return isTombstone ? undefined : 'created';
    case 'replace':
      return isTombstone ? 'deleted' : 'updated';
    case 'delete':
      return 'deleted';
    default:
      if ((deletedAt ?? null) !== null) return 'deleted';
      if (isRestored === true || deletedAt === null) return 'reverted';
      if (isChanged !== true) return undefined;
      return [kinds].flat(2).at(-1) === 'reverted' ? 'reverted' : 'updated';
  }
}

/**
 * A resume token as a position: its bytes, then those of `_typeBits` if it has any. The server writes the first ones in
 * hexadecimal.
 */
export function formatToken(token: ResumeToken): string {
  const { _data: data, _typeBits: typeBits } = token as Document;
  const text = Buffer.from(String(data), 'hex').toString('base64url');
  return typeBits instanceof Binary ? `${text}.${Buffer.from(typeBits.buffer).toString('base64url')}` : text;
}

/** The resume token of a position; `undefined` for a text that is not one. The server decides whether it knows the token. */
export function parseToken(position: string): Document | undefined {
  const [data = '', typeBits] = position.split('.');
  const token = {
    _data: Buffer.from(data, 'base64url').toString('hex').toUpperCase(),
    ...(typeBits !== undefined && { _typeBits: new Binary(Buffer.from(typeBits, 'base64url')) }),
  };
  return timestampOf(token) !== undefined && formatToken(token) === position ? token : undefined;
}

/** Whether a token is of a later time than another. Events of one time have several tokens, which this does not compare. */
function isLater(token: ResumeToken, than: ResumeToken): boolean {
  return (timestampOf(token) ?? '') > (timestampOf(than) ?? '');
}

/** The timestamp with which a token begins: the type 0x82, then seconds and a counter, 4 bytes each. */
function timestampOf(token: ResumeToken): string | undefined {
  return /^82[0-9A-F]{16}/.exec(String((token as Document)._data))?.[0];
}
