// Walks candidates in the order of a query, from a keyset position; merges ranges if it ignores articles.
import type { Filter, Sort } from 'mongodb';
import { continueRange, keyInOrder, rangesOf, type KeyRange } from '../../catalogue/article-order.ts';
import { comparePositions, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import { matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import { anyId, bookProjection, live, type BookDocument } from './schema.ts';
import { indexedFields } from './index-entry.ts';
import { candidates } from './filter.ts';
import { readDocuments, type Read, type Reading } from './reading.ts';

/** A document, and its position in the index. */
export interface Candidate extends KeysetPosition, Read {}

const projection = {
  ...bookProjection,
  ...Object.fromEntries(indexedFields.map((name) => [`index.${name}`, 1])),
};

/** A page takes a part of each of its ranges, so these are read in smaller batches. */
const minRangeBatch = 64;

/**
 * Walks the candidates of a filter in its order, from a keyset position. An order that ignores articles merges walks of
 * several ranges of the index.
 */
export async function* walkInOrder(
  reading: Reading,
  filter: BookFilter,
  after: KeysetPosition | undefined,
  batchSize: number,
): AsyncGenerator<Candidate, void> {
  const { articles, isDescending } = filter;
  if (articles.length === 0) return yield* walk(reading, filter, after, batchSize);
  const rangeBatch = Math.min(batchSize, Math.max(minRangeBatch, Math.ceil(batchSize / 4)));
  const sequences = rangesOf(articles, isDescending).map(async function* (ranges) {
    for (const range of ranges) {
      const place = continueRange(range, isDescending, after);
      if (place === undefined) continue;
      for await (const candidate of walk(reading, filter, place.after, rangeBatch, range))
        yield { ...candidate, key: keyInOrder(range, candidate.key) };
    }
  });
  try {
    const heads = await Promise.all(sequences.map((sequence) => sequence.next()));
    for (;;) {
      let first: { candidate: Candidate; index: number } | undefined;
      for (const [index, { value, done }] of heads.entries()) {
        if (done === true) continue;
        if (first === undefined || comparePositions(filter, value, first.candidate) < 0)
          first = { candidate: value, index };
      }
      const next = first && sequences[first.index];
      if (first === undefined || next === undefined) return;
      yield first.candidate;
      heads[first.index] = await next.next();
    }
  } finally {
    await Promise.all(sequences.map((sequence) => sequence.return()));
  }
}

/**
 * Walks the candidates of a filter by their keys, in a range of these if there is one. Each batch is a separate query, so
 * that no cursor stays open.
 */
export async function* walk(
  reading: Reading,
  filter: BookFilter,
  after: KeysetPosition | undefined,
  batchSize: number,
  range?: KeyRange,
): AsyncGenerator<Candidate, void> {
  const { sort, isDescending } = filter;
  const direction = isDescending ? -1 : 1;
  const isById = sort === 'id';
  const field = isById ? '_id' : `index.${sort}`;
  const order: Sort = isById ? { _id: direction } : { [field]: direction, _id: direction };
  const terms = matchesEverything(filter) && isById ? [live] : candidates(filter);

  async function* read(place: Filter<BookDocument>): AsyncGenerator<Candidate> {
    const options = { sort: order, limit: batchSize, batchSize, projection };
    for await (const batch of readDocuments(reading, { $and: [place, ...terms] }, options)) {
      for (const { document, book } of batch) {
        const key = isById ? document._id : document.index?.[sort];
        if (key !== undefined) yield { document, book, key, id: document._id };
      }
    }
  }

  const beyond = isDescending ? '$lt' : '$gt';
  /** The parts of the index after a position: the remaining ids with its key, then the keys beyond it. */
  const placesAfter = (last: KeysetPosition | undefined): Filter<BookDocument>[] => {
    const keys = {
      ...(range !== undefined && (last === undefined || isDescending) && { $gte: range.from }),
      ...(range?.below !== undefined && { $lt: range.below }),
      ...(last !== undefined && { [beyond]: last.key }),
    };
    if (isById) return [{ [field]: { ...anyId, ...keys } }];
    if (last !== undefined) return [{ [field]: last.key, _id: { [beyond]: last.id } }, { [field]: keys }];
    return [{ [field]: range === undefined ? { $exists: true } : keys }];
  };

  for (let last = after, isLast = false; !isLast;) {
    for (const place of placesAfter(last)) {
      let count = 0;
      for await (const candidate of read(place)) {
        yield candidate;
        last = candidate;
        count++;
      }
      isLast = count < batchSize;
      if (!isLast) break;
    }
  }
}
