// The format of the documents: its number, how an older database gets the newest one, and why a newer one is refused.
import type { Document } from 'mongodb';
import { version } from '../../../package.json';
import { ShelflistError, type ErrorCode } from '../../catalogue/errors.ts';
import type { FieldName } from '../../catalogue/fields.ts';
import type { Logger } from '../../lib/logger.ts';
import { bookCounter, noteGiven, retryCollisions } from './counter.ts';
import type { CounterDocument, Database } from './schema.ts';

/** The number of the format, and the release that wrote it. A database without a mark is older than format 3. */
interface FormatMark extends CounterDocument {
  /** A later format may record it elsewhere. */
  readonly release?: string;
  /**
   * The format to which a later release is migrating. It sets this before a step that running services of this release would
   * break, and waits until they have noticed.
   */
  readonly migrating?: number;
}

const formatId = { _id: 'format' };
/** Marks a database into which a catalogue is copied. */
export const copyId = { _id: 'copy' };

/** How often a service looks at the format and the counter of its database, and a migration logs, in milliseconds. */
const checkMs = 5000;

interface Migration {
  /** The format that the database has afterwards. */
  readonly to: number;
  /** May be run again: a process that is killed leaves the mark of the earlier format. */
  readonly run: (database: Database) => Promise<void>;
}

/** The steps from format 1, in order. Format 2 added the collection of idempotency keys, which every start creates. */
const migrations: readonly Migration[] = [
  { to: 3, run: noteBatches },
  { to: 4, run: keepArticles },
];

/**
 * The format in which each field of a book appears. A new field needs a step to it: without the field, an older document is not a
 * book.
 *
 * @lintignore Only the compiler reads it: it asks for the format of a new field.
 */
export const fieldFormats: Readonly<Record<FieldName, number>> = { title: 1, author: 1, year: 1 };

/** The format of new databases. */
export const newestFormat = migrations.at(-1)?.to ?? 1;

/**
 * The format of a database; marks a new one with the newest.
 *
 * @throws {ShelflistError} As {@link checkFormat}.
 */
export async function readFormat(database: Database): Promise<number> {
  const mark = await checkFormat(database);
  if (mark !== undefined) return mark.seq;
  if ((await database.books.findOne({}, { projection: { _id: 1 } })) !== null) return 1;
  await markFormat(database);
  return newestFormat;
}

/**
 * Migrates a database to the newest format. Services of formats 1 and 2, which have no mark, do not notice.
 *
 * @param database Without a timeout: a step may take minutes.
 * @param logger Gets warnings, which the default level shows.
 */
export async function migrate(database: Database, logger: Logger | undefined): Promise<void> {
  const from = await readFormat(database);
  const begun = performance.now();
  let step = from;
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - begun) / 1000);
    logger?.warn({ to: step, seconds }, 'still migrating the database');
  }, checkMs);
  try {
    logger?.warn({ from, to: newestFormat }, 'migrating the database to a newer format');
    for (const { to, run } of migrations) {
      if (to <= from) continue;
      step = to;
      await run(database);
    }
    await markFormat(database);
  } finally {
    clearInterval(timer);
  }
  logger?.warn({ format: newestFormat }, 'migrated the database');
}

/**
 * Reads the mark of a database, if it has one.
 *
 * @throws {ShelflistError} `store_unusable`: a copy into it is not complete; it has, or gets, the format of a newer release.
 */
export async function checkFormat(database: Database): Promise<FormatMark | undefined> {
  if ((await database.counters.findOne(copyId)) !== null)
    throw new ShelflistError('store_unusable', {
      message: 'a copy into it is not complete; repeat `shelflist copy`, or name another database',
    });
  const mark = await readMark(database);
  if (mark !== undefined) refuseNewer(mark, 'store_unusable');
  return mark;
}

/** Marks a database as one of the newest format. */
export async function markFormat({ counters }: Database): Promise<void> {
  const release: Partial<FormatMark> = { release: version };
  const update = { $max: { seq: newestFormat }, $set: release };
  await retryCollisions(() => counters.updateOne(formatId, update, { upsert: true }));
}

/** Polls whether a newer release migrates the database of this service, and which ids other services gave. */
export class FormatGuard {
  #newer: ShelflistError | undefined;

  /** @param signal Ends it. */
  constructor(database: Database, signal: AbortSignal) {
    const timer = setInterval(() => {
      pollMarks(database)
        .then(
          ({ mark, counter }) => {
            noteGiven(database, counter);
            if (mark !== undefined) refuseNewer(mark, 'unavailable');
          },
          () => undefined, // The database is gone: the log has the failures of requests.
        )
        .catch((error: unknown) => {
          this.#newer = error as ShelflistError;
        });
    }, checkMs);
    timer.unref();
    signal.addEventListener('abort', () => {
      clearInterval(timer);
    });
  }

  /** @throws {ShelflistError} `unavailable`: this release must not use the database any more. */
  check(): void {
    if (this.#newer !== undefined) throw this.#newer;
  }
}

async function readMark({ counters }: Database): Promise<FormatMark | undefined> {
  return (await counters.findOne<FormatMark>(formatId)) ?? undefined;
}

/** Reads the mark and the counter of ids in one command. Its comment tells it from those of requests, in the server's profile. */
async function pollMarks({
  counters,
}: Database): Promise<Record<'mark' | 'counter', FormatMark | undefined>> {
  const ofBoth = { _id: { $in: [formatId._id, bookCounter._id] } };
  const found = await counters.find<FormatMark>(ofBoth, { comment: 'poll' }).toArray();
  const byId = new Map(found.map((each) => [each._id, each]));
  return { mark: byId.get(formatId._id), counter: byId.get(bookCounter._id) };
}

function refuseNewer({ seq, migrating = 0, release = '' }: FormatMark, code: ErrorCode): void {
  const format = Math.max(seq, migrating);
  if (format <= newestFormat) return;
  const writer = /^[\w.+-]{1,50}$/.test(release) ? release : 'of a later release';
  throw new ShelflistError(code, {
    message:
      `shelflist ${writer} wrote the database in format ${format}, and this is ${version}, which knows formats up to ` +
      `${newestFormat}; use that release or a later one`,
  });
}

/** Records each batch that still has a change. */
export async function noteBatches({ books, batches }: Database): Promise<void> {
  const into = batches.collectionName;
  await books
    .aggregate([
      { $match: { 'creation.batch': { $type: 'string' } } },
      { $group: { _id: '$creation.batch', at: { $min: '$creation.at' }, created: { $sum: 1 } } },
      { $merge: { into } },
    ])
    .toArray();
  const earlier = [{ $set: { at: { $min: ['$at', '$$new.at'] } } }];
  await books
    .aggregate([
      { $match: { 'history.batch': { $type: 'string' } } },
      { $project: { history: { $cond: [{ $isArray: '$history' }, '$history', []] } } },
      { $unwind: '$history' },
      { $match: { 'history.batch': { $type: 'string' } } },
      { $group: { _id: '$history.batch', at: { $min: '$history.at' } } },
      { $addFields: { created: { $literal: 0 } } },
      { $merge: { into, whenMatched: earlier } },
    ])
    .toArray();
}

/**
 * Moves the articles of the order by title to the rules of both orders. The entries are made again afterwards, and once more
 * those that a service of format 3 writes until it notices the new format.
 *
 * Rules that are there stay: an earlier attempt or another service has moved the articles, and may have made the entries. The
 * former document stays, too: a running service of format 3 fails without it.
 */
async function keepArticles({ counters }: Database): Promise<void> {
  const former = await counters.findOne({ _id: 'title_order' });
  const { articles, next } = Object((former as Document | null)?.order) as Partial<Record<string, unknown>>;
  const { articles: wanted = articles ?? [] } = Object(next) as Partial<Record<string, unknown>>;
  const rules = JSON.stringify({ articles: wanted, names: 'family' });
  const first = { $literal: { rules, seq: 0, version: '', isPlain: true } };
  const hasNone = { $eq: [{ $type: '$rules' }, 'missing'] };
  const update = [{ $replaceWith: { $mergeObjects: ['$$ROOT', { $cond: [hasNone, first, {}] }] } }];
  await retryCollisions(() => counters.updateOne({ _id: 'books.folding' }, update, { upsert: true }));
}
