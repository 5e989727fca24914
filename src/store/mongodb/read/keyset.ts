import type { Filter, Sort } from 'mongodb';
import { continueRange, keyInOrder, rangesOf, type KeyRange } from '../../../catalogue/article-order.ts';
import { comparePositions, type OrderKey, type KeysetPosition } from '../../../catalogue/keyset-position.ts';
import { matchesEverything, type BookFilter } from '../../../catalogue/query.ts';
import { createPage } from '../../page.ts';
import { anyId, bookProjection, live, type BookDocument } from '../documents.ts';
import { indexedFields } from '../write/entry.ts';
import { candidates } from './filter.ts';
import { readBatches, type Read, type Reading } from './reading.ts';

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
  const terms = matchesEverything(filter) && isById ? [live] : candidates(filter);

  async function* read(place: Filter<BookDocument>, order: Sort): AsyncGenerator<Candidate> {
    const options = { sort: order, limit: batchSize, batchSize, projection };
    for await (const batch of readBatches(reading, { $and: [place, ...terms] }, options)) {
      for (const { document, book } of batch) {
        const key = isById ? document._id : document.index?.[sort];
        if (key !== undefined) yield { document, book, key, id: document._id };
      }
    }
  }

  /** Reads the rest of a group with equal keys. Its ids ascend in both sort directions. */
  const equal = (key: OrderKey, id: number) => read({ [field]: key, _id: { $gt: id } }, { _id: 1 });

  const beyond = (last: KeysetPosition | undefined) => {
    const from = last !== undefined && !isDescending ? { $gt: last.key } : range && { $gte: range.from };
    const below = last !== undefined && isDescending ? { $lt: last.key } : endOf(range);
    const place = { ...from, ...below };
    const anywhere = isById ? anyId : { $exists: true };
    return read(
      { [field]: isById ? { ...anyId, ...place } : isEmpty(place) ? anywhere : place },
      isById ? { _id: direction } : { [field]: direction, _id: direction },
    );
  };

  for (let last = after; ;) {
    if (last !== undefined && !isById) {
      let count = 0;
      for await (const candidate of equal(last.key, last.id)) {
        yield candidate;
        last = candidate;
        count++;
      }
      if (count === batchSize) continue;
    }
    const group: { unread?: KeysetPosition } = {};
    const found = isDescending && !isById ? turnGroups(beyond(last), batchSize, group) : beyond(last);
    let count = 0;
    for await (const candidate of found) {
      yield candidate;
      last = candidate;
      count++;
    }
    if (group.unread !== undefined) last = group.unread;
    else if (count < batchSize) return;
  }
}

function endOf(range: KeyRange | undefined): { $lt?: string } {
  return range?.below === undefined ? {} : { $lt: range.below };
}

function isEmpty(place: object): boolean {
  return Object.keys(place).length === 0;
}

/**
 * Reverses each group of equal keys: the index is walked backwards, so ids descend within a group. If the last group may be
 * incomplete, it is not yielded, and must be read again from its beginning.
 *
 * @param rest Receives where that group begins.
 */
async function* turnGroups(
  candidates: AsyncGenerator<Candidate>,
  batchSize: number,
  rest: { unread?: KeysetPosition },
): AsyncGenerator<Candidate> {
  let group: Candidate[] = [];
  let held = createPage(batchSize);
  let count = 0;
  for await (const candidate of candidates) {
    count++;
    if (group[0] !== undefined && group[0].key !== candidate.key) {
      yield* group.reverse();
      group = [];
      held = createPage(batchSize);
    }
    group.push(candidate);
    if (candidate.book !== undefined) held.add(candidate.book);
    if (held.isFull) break;
  }
  const [first] = group;
  const mayGoOn = first !== undefined && (count === batchSize || held.isFull);
  if (mayGoOn) rest.unread = { key: first.key, id: 0 };
  else yield* group.reverse();
}
