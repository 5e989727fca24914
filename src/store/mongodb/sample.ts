// Reads a sample of the books.
import type { Filter } from 'mongodb';
import { isEnough, sampleRounds, sampleSize } from '../contract/sample.ts';
import type { IdRange } from '../contract/ids.ts';
import { countOnServer } from './count.ts';
import { hasEntry } from './filter.ts';
import type { Reading } from './reading.ts';
import { anyId, type BookDocument } from './schema.ts';

/** What was found in a sample. */
export interface Sample<Found> {
  readonly found: Found[];
  /** The number of all books for each of these. */
  readonly factor: number;
}

/**
 * Reads books of a sample until there are enough; a small catalogue as a whole.
 *
 * @param read Reads the books that a filter of ids leaves.
 * @param wanted The number of books to find.
 */
export async function readSample<Found>(
  reading: Reading,
  read: (ids: Filter<BookDocument>) => Promise<readonly Found[]>,
  wanted: number,
  size = sampleSize,
): Promise<Sample<Found>> {
  const [count, all] = await Promise.all([countOnServer(reading, hasEntry, size + 1), idsOf(reading)]);
  if (count <= size) return { found: [...(await read({}))], factor: 1 };
  const found: Found[] = [];
  let [ids, factor] = [0, 1];
  for (const round of sampleRounds(all, size)) {
    // Takes half the time of ranges.
    const some = round.ranges.flatMap(idsIn);
    found.push(...(await read({ _id: { $in: some } })));
    factor = round.factor;
    ids += some.length;
    if (isEnough(ids, found.length, wanted, size)) break;
  }
  return { found, factor };
}

/** From the lowest to the highest id. */
export async function idsOf({ database: { books }, maxTimeMS }: Reading): Promise<IdRange> {
  const ends = ([1, -1] as const).map((direction) =>
    books
      .find({ _id: anyId }, { projection: { _id: 1 }, sort: { _id: direction }, limit: 1, maxTimeMS })
      .next(),
  );
  const [first, last] = await Promise.all(ends);
  return { first: Math.ceil(first?._id ?? 1), last: Math.floor(last?._id ?? 0) };
}

function idsIn({ first, last }: IdRange): number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}
