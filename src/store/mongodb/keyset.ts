import type { Filter, Sort } from 'mongodb';
import type { OrderKey, Position } from '../../query/position.ts';
import { isUnconditional, type Condition } from '../../query/query.ts';
import { createPage } from '../page.ts';
import { anyId, live, type BookDocument } from './documents.ts';
import { candidates } from './filter.ts';
import { readBatches, type Read, type Reading } from './reading.ts';

/** A document, and its position in the index. */
export interface Candidate extends Position, Read {}

const fields = { id: '_id', title: 'index.title', author: 'index.author', year: 'index.year' } as const;
const projection = { title: 1, author: 1, year: 1, 'index.title': 1, 'index.author': 1, 'index.year': 1 };

/**
 * Walks the candidates of a condition in its order, from a keyset position. Each batch is a separate query, so that no
 * cursor stays open.
 */
export async function* walk(
  reading: Reading,
  condition: Condition,
  after: Position | undefined,
  batchSize: number,
): AsyncGenerator<Candidate, void> {
  const { sort, isDescending } = condition;
  const field = fields[sort];
  const direction = isDescending ? -1 : 1;
  const isById = sort === 'id';
  const terms = isUnconditional(condition) && isById ? [live] : candidates(condition);

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

  const beyond = (last: Position | undefined) => {
    const place = last && { [isDescending ? '$lt' : '$gt']: last.key };
    const anywhere = isById ? anyId : { $exists: true };
    return read(
      { [field]: isById ? { ...anyId, ...place } : (place ?? anywhere) },
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
    const group: { unread?: Position } = {};
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

/**
 * Reverses each group of equal keys: the index is walked backwards, so ids descend within a group. If the last group may be
 * incomplete, it is not yielded, and must be read again from its beginning.
 *
 * @param rest Receives where that group begins.
 */
async function* turnGroups(
  candidates: AsyncGenerator<Candidate>,
  batchSize: number,
  rest: { unread?: Position },
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
