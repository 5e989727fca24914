// The batches, from their notes, and from the histories of the books.
import { eachAtOnce } from '../../lib/semaphore.ts';
import {
  changeKinds,
  countKinds,
  notAPosition,
  type ChangeKind,
  type HistoryRequest,
} from '../contract/history.ts';
import type { ListedBatch, LoggedBatch } from '../contract/log.ts';
import { isKept, newestFirst } from './batches.ts';
import type { QueryContext } from './reading.ts';
import type { BatchDocument, Database } from './schema.ts';

/** The number of batches whose books are counted at once. */
const maxCounting = 4;

/** As `ReadableLog.batch`. */
export async function findBatch(
  { database, maxTimeMS }: QueryContext,
  batch: string,
): Promise<LoggedBatch | undefined> {
  const [note, isThere, changed] = await Promise.all([
    database.batches.findOne({ _id: batch }, { maxTimeMS }),
    isKept(database, batch),
    countChanges(database, [batch], maxTimeMS),
  ]);
  return note === null || !isThere ? undefined : toBatch(await withCreated(database, note), changed);
}

/**
 * As `ReadableLog.batches`. A position is the number of a batch; of one without a number, its time and the number of batches of
 * that time up to it.
 */
export async function listBatches(
  { database, maxTimeMS }: QueryContext,
  { limit, after }: HistoryRequest,
): Promise<readonly ListedBatch[]> {
  const [, time, skipped] =
    after === undefined ? [] : (/^([0-9]{1,16})(?:-([0-9]{1,6}))?$/.exec(after) ?? []);
  if (after !== undefined && time === undefined) throw notAPosition();
  const older =
    skipped === undefined
      ? { $or: [{ seq: { $lt: Number(time) } }, { seq: { $exists: false } }] }
      : { seq: { $exists: false }, at: { $lte: new Date(Number(time)) } };
  const notes = await database.batches
    .find(time === undefined ? {} : older)
    .sort(newestFirst)
    .skip(Number(skipped ?? 0))
    .limit(limit)
    .maxTimeMS(maxTimeMS)
    .toArray();
  const ids = notes.map(({ _id }) => _id);
  const changed = await countChanges(database, ids, maxTimeMS);
  const kept = new Map<BatchDocument, LoggedBatch>();
  await eachAtOnce(notes, maxCounting, async (note) => {
    const isSeen = note.created > 0 || changed.some(({ batch }) => batch === note._id);
    const batch = toBatch(isSeen ? note : await withCreated(database, note), changed);
    // The others changed nothing, or all is forgotten.
    if (changeKinds.some((kind) => batch[kind] > 0)) kept.set(note, batch);
  });
  const ofTime = new Map([[Number(time), Number(skipped ?? 0)]]);
  return notes.map((note) => {
    const at = note.at.getTime();
    if (note.seq === undefined) ofTime.set(at, (ofTime.get(at) ?? 0) + 1);
    return { position: String(note.seq ?? `${at}-${ofTime.get(at) ?? 0}`), batch: kept.get(note) };
  });
}

/** Counts the books that a batch created, if the process that created the first ones was killed before it noted them. */
async function withCreated({ books }: Database, note: BatchDocument): Promise<BatchDocument> {
  if (note.created > 0) return note;
  return {
    ...note,
    created: await books.countDocuments({ 'creation.batch': note._id }, { maxTimeMS: 2000 }),
  };
}

function toBatch({ _id: batch, at, created }: BatchDocument, changed: readonly ChangeCount[]): LoggedBatch {
  const groups = [{ change: 'created', count: created }, ...changed.filter((each) => each.batch === batch)];
  const countOf = (kind: ChangeKind) => Number(groups.find(({ change }) => change === kind)?.count ?? 0);
  return { batch, at, ...countKinds(countOf) };
}

interface ChangeCount {
  readonly batch?: unknown;
  readonly change?: unknown;
  readonly count?: unknown;
}

/** The numbers of changes of batches by kind, without creations. */
async function countChanges(
  { books }: Database,
  batches: readonly string[],
  maxTimeMS: number,
): Promise<ChangeCount[]> {
  const ofBatches = { 'history.batch': { $in: [...batches] } };
  const groups = await books
    .aggregate(
      [
        { $match: ofBatches },
        { $project: { history: { $cond: [{ $isArray: '$history' }, '$history', []] } } },
        { $unwind: '$history' },
        { $match: ofBatches },
        {
          $group: {
            _id: { batch: '$history.batch', change: '$history.change' },
            count: { $sum: 1 },
          },
        },
      ],
      { maxTimeMS },
    )
    .toArray();
  return groups.map(({ _id, count }) => ({ ...(_id as ChangeCount), count: count as unknown }));
}
