import { isDeepStrictEqual } from 'node:util';
import { foldingVersion } from '../../../catalogue/words/folding-version.ts';
import { sameVersion } from '../../same.ts';
import type { CounterDocument, Database } from '../documents.ts';
import { retryCollisions } from '../write/counter.ts';
import { indexEntry } from '../write/entry.ts';
import { readBatches, writeEntries, type BackfillProgress } from './backfill.ts';

/** The folding of the index entries. `seq` is the last id whose entry was made again with it. */
interface FoldingMark extends CounterDocument {
  version: string;
}

/** The rules by which index entries are made. */
export const version = `${foldingVersion}.${sameVersion}`;
const markId = { _id: 'books.folding' };
const allDone = Number.MAX_SAFE_INTEGER;

/**
 * Makes the index entries again if the last ones were made with another version of folding. Until then, searches use the old
 * ones. It continues after a restart where it stopped; several services may run it at once.
 */
export async function refold(
  database: Database,
  progress: BackfillProgress,
  signal: AbortSignal,
): Promise<void> {
  const { counters } = database;
  const mark = (await counters.findOne(markId)) as FoldingMark | null;
  const start = mark?.version === version ? mark.seq : 0;
  if (start === allDone) return;
  const begun: Partial<FoldingMark> = { version, seq: start };
  await retryCollisions(() => counters.updateOne(markId, { $set: begun }, { upsert: true }));
  for await (const all of readBatches(database, {}, progress, signal, start)) {
    const outdated = all.filter(({ book, index }) => !isDeepStrictEqual(index, indexEntry(book)));
    if (outdated.length > 0) progress.onIndexed(await writeEntries(database, outdated));
    const seq = all.at(-1)?.book.id ?? 0;
    // Stops if a service with another version has begun.
    const { matchedCount } = await counters.updateOne({ ...markId, version }, { $max: { seq } });
    if (matchedCount === 0) return;
  }
  if (!signal.aborted) await counters.updateOne({ ...markId, version }, { $set: { seq: allDone } });
}
