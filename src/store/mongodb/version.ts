import { createHash } from 'node:crypto';
import type { Document, ResumeToken } from 'mongodb';
import { within } from '../deadline.ts';
import { share } from '../gather.ts';
import { toRanges } from '../ids.ts';
import type { Changes } from '../store.ts';
import { batchSize, ChangeStream } from './change-stream.ts';
import type { Database } from './documents.ts';
import { StreamMark, type Mark } from './stream-mark.ts';
import { VersionSteps } from './version-steps.ts';

/** More events, or more time, are not worth reading: everything may have changed. */
const maxEvents = 20_000;
const maxDrainMs = 1000;
/** Of several services that start at once, one sets the mark. */
const maxAttempts = 5;

/** Where the change stream is. */
interface Place extends Mark {
  readonly stream: ChangeStream;
  /** The books changed on the way there; `undefined`: it may be any book. */
  readonly ids: readonly number[] | undefined;
}

/**
 * The version of the books, derived from their change stream: it names the last event. No writer has to set it, so it
 * can neither be forgotten nor come too late, and all services that have seen the same event have the same version.
 */
export class Version {
  readonly #database: Database;
  readonly #drain: () => Promise<Place>;
  readonly #mark: StreamMark;
  readonly #steps = new VersionSteps();
  #place: Place | undefined;
  /** Of a drain that was given up on, nothing counts. */
  #turn = 0;

  /** @param deadlineMs The deadline of one answer. */
  constructor(database: Database, deadlineMs: number) {
    this.#database = database;
    this.#mark = new StreamMark(database);
    this.#drain = share(() => this.#advance(), { deadlineMs });
  }

  /** Has every write that was acknowledged before the call. */
  async read(): Promise<string> {
    return (await this.#drain()).version;
  }

  async changes(since: string): Promise<Changes> {
    const { version } = await this.#drain();
    const ids = this.#steps.between(since, version);
    return { version, ids: ids && toRanges(ids) };
  }

  /** Ends the stream on the server, which keeps it for half an hour otherwise; waits half a second for that. */
  async close(): Promise<void> {
    const stream = this.#place?.stream;
    this.#place = undefined;
    if (stream) await within(500, stream.close()).catch(() => undefined);
  }

  async #advance(): Promise<Place> {
    const turn = ++this.#turn;
    const isOvertaken = () => turn !== this.#turn;
    const before = this.#place;
    this.#place = undefined;
    const place = (before && (await this.#goOn(before, isOvertaken))) ?? (await this.#begin());
    if (isOvertaken()) {
      void place.stream.close();
      throw new Error('a later call took over');
    }
    this.#steps.add(place.version, place.ids);
    this.#mark.follow(place, place.ids?.length ?? 0);
    return (this.#place = place);
  }

  /** Reads on, or resumes a stream that broke; `undefined` if neither works. */
  async #goOn({ stream, ...last }: Place, isOvertaken: () => boolean): Promise<Place | undefined> {
    try {
      return await drain(stream, last);
    } catch {
      if (isOvertaken()) return undefined;
    }
    return this.#resume(last);
  }

  /** Begins at the mark that services share, so that they agree; else now, and sets the mark. */
  async #begin(): Promise<Place> {
    for (let attempt = 1; attempt <= maxAttempts; attempt++) {
      const stream = await ChangeStream.open(this.#database);
      const now = { position: stream.start, version: versionOf(stream.start) };
      const mark = await this.#mark.read();
      const shared = mark && isBefore(mark.position, now.position) && (await this.#resume(mark));
      if (shared) void stream.close();
      const place = shared || (await drain(stream, now));
      if (place === undefined) continue;
      if (shared || (await this.#mark.replace(mark, place))) return { ...place, ids: undefined };
      void stream.close();
    }
    throw new Error('the change stream does not catch up');
  }

  async #resume(last: Mark): Promise<Place | undefined> {
    try {
      return await drain(await ChangeStream.open(this.#database, last.position), last);
    } catch {
      return undefined;
    }
  }
}

/** Resume tokens are in the order of time. A mark that was restored on another server may be in its future. */
function isBefore(a: ResumeToken, b: ResumeToken): boolean {
  return String((a as Document)._data) <= String((b as Document)._data);
}

/** Reads everything there is; `undefined` when it is too much. A stream that fails is closed. */
async function drain(stream: ChangeStream, last: Mark): Promise<Place | undefined> {
  const end = performance.now() + maxDrainMs;
  let { version } = last;
  let ids: number[] | undefined = [];
  try {
    for (let count = 0; count < maxEvents && performance.now() < end; count += batchSize) {
      const batch = await stream.next();
      if (batch.last !== undefined) version = versionOf(batch.last);
      ids = ids && batch.ids && [...ids, ...batch.ids];
      if (batch.isCurrent) return { stream, position: batch.position, version, ids };
    }
  } catch (error) {
    void stream.close();
    throw error;
  }
  void stream.close();
  return undefined;
}

/** A text of fixed length for a resume token. */
function versionOf(token: ResumeToken): string {
  return createHash('sha256').update(JSON.stringify(token)).digest('base64url').slice(0, 16);
}
