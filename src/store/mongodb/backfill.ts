import { toBook, type Book } from '../../book.ts';
import { anyId, bookProjection, live, type Database } from './documents.ts';
import { indexEntry } from './entry.ts';
import { newRevision } from './history.ts';

/** Documents read and written together. */
const batchSize = 500;
/** Batches under way at once: while one is written, the next is read and folded. */
const maxAtOnce = 4;

/** Callbacks of the backfill. */
export interface BackfillProgress {
  /** Documents were given their index entries. */
  onIndexed(count: number): void;
  /** A document is not a book. */
  onDamaged(id: number): void;
}

/**
 * Adds index entries of this version to the documents without one: those of other programs and of earlier versions. An
 * index finds these documents, so it continues after a restart where it stopped. Several services may run it at once.
 */
export async function backfill(
  database: Database,
  progress: BackfillProgress,
  signal: AbortSignal,
): Promise<void> {
  const batches = readBatches(database, progress, signal);
  const work = async () => {
    for (let step = await batches.next(); step.done !== true; step = await batches.next())
      progress.onIndexed(await write(database, step.value));
  };
  await Promise.all(Array.from({ length: maxAtOnce }, work));
}

/** Each batch is a separate query, so that no cursor stays open for long. */
async function* readBatches(
  { books }: Database,
  progress: BackfillProgress,
  signal: AbortSignal,
): AsyncGenerator<Book[], void> {
  const options = { sort: { _id: 1 }, limit: batchSize, batchSize, projection: bookProjection } as const;
  for (let last = 0; !signal.aborted;) {
    const place = { ...anyId, $gt: last };
    const documents = await books.find({ ...live, rev: null, _id: place }, options).toArray();
    const all = documents.flatMap((document) => {
      const book = toBook({ ...document, id: document._id });
      if (book === undefined) progress.onDamaged(document._id);
      return book ?? [];
    });
    if (all.length > 0) yield all;
    last = documents.at(-1)?._id ?? Infinity;
    if (documents.length < batchSize) return;
  }
}

/** Updates a document only if it has not changed since the entry was made. */
async function write({ db, books }: Database, all: readonly Book[]): Promise<number> {
  const updates = all.map(({ id, ...fields }) => ({
    q: { ...live, _id: id, rev: null, ...fields },
    u: { $set: { index: indexEntry(fields), rev: newRevision() }, $unset: { indexed: 1 } },
  }));
  const writeConcern = { w: 'majority', wtimeout: 4000 };
  const command = { update: books.collectionName, updates, ordered: false, writeConcern };
  const { nModified } = await db.command(command);
  return Number(nModified);
}
