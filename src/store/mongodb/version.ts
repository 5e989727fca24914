// The version of the catalogue, derived from the change stream and shared by all services.
import { createHash } from 'node:crypto';
import type { Document, ResumeToken } from 'mongodb';
import { withTimeout } from '../../lib/timeout.ts';
import { coalesce } from '../../lib/coalesce.ts';
import type { CollectionGuard } from './collection-guard.ts';
import { ChangeStream } from './change-stream.ts';
import { maxCollectMs, type Database, hasServerCode } from './schema.ts';

/** Limits of a drain. Beyond them, a new stream begins. */
const maxEvents = 20_000;
const maxDrainMs = 1000;
/** The number of attempts to set the resume point: several services may start at once. */
const maxAttempts = 5;

/** The position in the change stream. */
interface StreamPosition extends ResumePoint {
  readonly stream: ChangeStream;
  /** The number of events that were read to get there. */
  readonly events: number;
}

/**
 * The version of the books, derived from their change stream: it names the last event. No writer sets it, so it
 * cannot be missing or late. All services that have seen the same event have the same version.
 */
export class Version {
  readonly #database: Database;
  readonly #collections: CollectionGuard;
  readonly #drain: () => Promise<StreamPosition>;
  readonly #resumePoint: SharedResumePoint;
  #place: StreamPosition | undefined;
  /** The number of the current drain. Results of earlier drains, which have timed out, are ignored. */
  #drainNumber = 0;

  /** @param deadlineMs The deadline of one answer. */
  constructor(database: Database, collections: CollectionGuard, deadlineMs: number) {
    this.#database = database;
    this.#collections = collections;
    this.#resumePoint = new SharedResumePoint(database);
    this.#drain = coalesce(() => this.#advance(), { deadlineMs, maxCollectMs });
  }

  /** Covers every write acknowledged before the call. */
  async read(): Promise<string> {
    return (await this.#drain()).version;
  }

  /** Closes the stream on the server, which otherwise keeps it for half an hour; waits at most half a second. */
  async close(): Promise<void> {
    const stream = this.#place?.stream;
    this.#place = undefined;
    if (stream) await withTimeout(500, stream.close()).catch(() => undefined);
  }

  async #advance(): Promise<StreamPosition> {
    const drain = ++this.#drainNumber;
    const isOvertaken = () => drain !== this.#drainNumber;
    const before = this.#place;
    this.#place = undefined;
    const place = (before && (await this.#goOn(before, isOvertaken))) ?? (await this.#begin());
    if (isOvertaken()) {
      void place.stream.close();
      throw new Error('superseded by a later call');
    }
    this.#resumePoint.follow(place);
    return (this.#place = place);
  }

  /** Reads on, or resumes a broken stream; `undefined` if neither works. */
  async #goOn(
    { stream, ...last }: StreamPosition,
    isOvertaken: () => boolean,
  ): Promise<StreamPosition | undefined> {
    try {
      return await drain(stream, last);
    } catch {
      if (isOvertaken()) return undefined;
    }
    return this.#resume(last);
  }

  /** Begins at the shared resume point, so that services agree. Without one, begins at the end of the stream and sets it. */
  async #begin(): Promise<StreamPosition> {
    // The stream ends when the books are renamed or dropped; the resume point would create missing counters.
    await this.#collections.check();
    let future: string | undefined;
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const stream = await ChangeStream.open(this.#database);
      const now = { position: stream.start, version: versionOf(stream.start) };
      const point = await this.#resumePoint.read();
      const isPast = point !== undefined && isBefore(point.position, now.position);
      if (point !== undefined && !isPast && point.version !== future) {
        // Another service may have set it after this stream began: a new stream shows that.
        future = point.version;
        void stream.close();
        continue;
      }
      const shared = isPast ? await this.#resume(point) : undefined;
      if (shared) void stream.close();
      const place = shared ?? (await drain(stream, now));
      if (place === undefined) continue;
      if (shared !== undefined || (await this.#resumePoint.replace(point, place))) return place;
      void stream.close();
    }
    throw new Error('the change stream does not catch up');
  }

  async #resume(last: ResumePoint): Promise<StreamPosition | undefined> {
    try {
      return await drain(await ChangeStream.open(this.#database, last.position), last);
    } catch {
      return undefined;
    }
  }
}

/** Resume tokens are ordered by time. A resume point restored on another server may lie in its future. */
function isBefore(a: ResumeToken, b: ResumeToken): boolean {
  return String((a as Document)._data) <= String((b as Document)._data);
}

/** Reads to the end of the stream; `undefined` when that exceeds the limits. Closes a stream that fails. */
async function drain(stream: ChangeStream, last: ResumePoint): Promise<StreamPosition | undefined> {
  const end = performance.now() + maxDrainMs;
  let { version } = last;
  try {
    for (let events = 0; events < maxEvents && performance.now() < end;) {
      const { last: event, documents, position, isCurrent } = await stream.next();
      if (event !== undefined) version = versionOf(event);
      events += documents.length;
      if (isCurrent) return { stream, position, version, events };
    }
  } catch (error) {
    void stream.close();
    throw error;
  }
  void stream.close();
  return undefined;
}

/** Converts a resume token to a text of fixed length. */
function versionOf(token: ResumeToken): string {
  return createHash('sha256').update(JSON.stringify(token)).digest('base64url').slice(0, 16);
}

/** A position in the change stream, and the version of the books there. */
interface ResumePoint {
  readonly position: ResumeToken;
  readonly version: string;
}

/** The resume point is moved after this many events or this much time. Services that start read on from it. */
const moveAfter = { events: 1000, milliseconds: 300_000 };

const documentId = 'books.stream';

/**
 * The position where starting services begin to read the change stream. It gives all of them the same version even if
 * nothing has been written since. Writes do not depend on it: a lost or outdated resume point is simply replaced.
 */
class SharedResumePoint {
  readonly #counters: Database['counters'];
  #events = 0;
  #movedAt = performance.now();

  constructor({ counters }: Database) {
    this.#counters = counters;
  }

  async read(): Promise<ResumePoint | undefined> {
    const found: Document | null = await this.#counters.findOne({ _id: documentId });
    if (found === null) return undefined;
    const { position, version } = found;
    if (typeof position === 'object' && position !== null && typeof version === 'string')
      return { position, version };
    await this.#counters.deleteOne({ _id: documentId }); // Another program wrote it.
    return undefined;
  }

  /** Replaces the resume point; returns `false` when another service was faster. */
  async replace(old: ResumePoint | undefined, { position, version }: ResumePoint): Promise<boolean> {
    try {
      const filter = { _id: documentId, version: old?.version ?? null };
      const { matchedCount, upsertedCount } = await this.#counters.updateOne(
        filter,
        { $set: { position, version } },
        { upsert: true },
      );
      return matchedCount + upsertedCount > 0;
    } catch (error) {
      const duplicateKey = 11000;
      if (hasServerCode(error, duplicateKey)) return false;
      throw error;
    }
  }

  /** Moves the resume point in the background, from time to time. */
  follow({ position, version, events }: StreamPosition): void {
    this.#events += events;
    const now = performance.now();
    if (this.#events < moveAfter.events && now - this.#movedAt < moveAfter.milliseconds) return;
    this.#events = 0;
    this.#movedAt = now;
    this.#counters.updateOne({ _id: documentId }, { $set: { position, version } }).catch(() => undefined);
  }
}
