import type { Filter, Sort } from 'mongodb';
import type { Book } from '../../book.ts';
import type { OrderKey, Position } from '../../query/position.ts';
import type { Condition } from '../../query/query.ts';
import { createPage } from '../page.ts';
import { candidates } from './filter.ts';
import { bookProjection, type BookDocument } from './prepare.ts';
import { readRecords, type Reading } from './reading.ts';

/** A book, and where the index has it. */
export interface Candidate extends Position {
  readonly book: Book;
}

const fields = { id: '_id', title: 'index.title', author: 'index.author', year: 'index.year' } as const;

/**
 * The books that a condition may fit, in its order, as far as the index knows them. Each batch is a query of its own,
 * which holds no cursor and goes on by position.
 *
 * @param batchSize So many candidates are read at once.
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
  // What has no number for an id is none of ours.
  const anywhere = sort === 'id' ? { $gt: 0 } : { $exists: true };

  async function* read(place: Filter<BookDocument>, order: Sort): AsyncGenerator<Candidate> {
    const query = { $and: [place, ...candidates(condition)] };
    const projection = { ...bookProjection, 'index.title': 1, 'index.author': 1, 'index.year': 1 };
    const options = { sort: order, limit: batchSize, batchSize, projection };
    for await (const document of readRecords(reading, query, options)) {
      const key = sort === 'id' ? document._id : document.index?.[sort];
      if (key !== undefined) yield { book: reading.decode(document), key, id: document._id };
    }
  }

  /** What is alike stands by id, ascending, in either direction. */
  const alike = (key: OrderKey, id: number) => read({ [field]: key, _id: { $gt: id } }, { _id: 1 });

  const beyond = (last: Position | undefined) =>
    read(
      { [field]: last === undefined ? anywhere : { [isDescending ? '$lt' : '$gt']: last.key } },
      sort === 'id' ? { _id: direction } : { [field]: direction, _id: direction },
    );

  for (let last = after; ;) {
    if (last !== undefined && sort !== 'id') {
      let count = 0;
      for await (const candidate of alike(last.key, last.id)) {
        yield candidate;
        last = candidate;
        count++;
      }
      if (count === batchSize) continue;
    }
    let count = 0;
    if (!isDescending || sort === 'id') {
      for await (const candidate of beyond(last)) {
        yield candidate;
        last = candidate;
        count++;
      }
      if (count < batchSize) return;
      continue;
    }
    // The index is walked backwards, in which its groups of books that are alike have to be turned round.
    let group: Candidate[] = [];
    let held = createPage(batchSize);
    for await (const candidate of beyond(last)) {
      count++;
      if (group[0] !== undefined && group[0].key !== candidate.key) {
        yield* group.reverse();
        group = [];
        held = createPage(batchSize);
      }
      group.push(candidate);
      held.add(candidate.book);
      if (held.isFull) break;
    }
    const [first] = group;
    if (first === undefined) return;
    if (count < batchSize && !held.isFull) return yield* group.reverse();
    // More of this group may follow: it is read from its beginning.
    last = { key: first.key, id: 0 };
  }
}
