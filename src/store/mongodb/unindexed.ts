import type { Book } from '../../book.ts';
import { positionOf, type Position } from '../../query/position.ts';
import type { Condition } from '../../query/query.ts';
import { bookProjection } from './prepare.ts';
import type { BookFilter } from './filter.ts';
import { plainCandidates } from './plain.ts';
import { readRecords, type Reading, type ReadOptions } from './reading.ts';
import { Turns } from './turns.ts';
import type { Version } from './version.ts';

type Order = NonNullable<ReadOptions['sort']>;

const unindexed = { indexed: null, _id: { $gt: 0 } } as const;

/** So many questions read them at once. */
const maxAtOnce = 2;

/** The books that have no index entry, or an old one: a few, but for those that another program put there. */
export class Unindexed {
  readonly #version: Version;
  readonly #turns = new Turns(maxAtOnce);
  /** The version at which there were none. */
  #noneAt: string | undefined;

  constructor(version: Version) {
    this.#version = version;
  }

  /** Those that a condition may fit, and all that have an old entry; one after the other, in no order. */
  async *orOld(reading: Reading, condition: Condition): AsyncGenerator<Book, void> {
    const filter = { $or: [{ index: { $exists: true } }, plainCandidates(condition)] };
    if (await this.#isAny(reading)) yield* this.#read(reading, filter);
  }

  /**
   * Those that a condition may fit, one after the other: by id and by year in its order, from behind `after`, so that
   * the reader can stop early; else in no order.
   *
   * @param batchSize So many are read at once, if they are in order.
   */
  async *fitting(
    reading: Reading,
    condition: Condition,
    after: Position | undefined,
    batchSize: number,
  ): AsyncGenerator<Book, void> {
    if (!(await this.#isAny(reading))) return;
    const filter = plainCandidates(condition);
    const { sort, isDescending } = condition;
    if (sort === 'title' || sort === 'author') return yield* this.#read(reading, filter);
    const direction = isDescending ? -1 : 1;
    const order: Order = sort === 'id' ? { _id: direction } : { year: direction, _id: 1 };
    for (let last = after; ;) {
      let count = 0;
      const place = last === undefined ? {} : behind(condition, last);
      for await (const book of this.#read(reading, { $and: [filter, place] }, order, batchSize)) {
        yield book;
        last = positionOf(condition, book);
        count++;
      }
      if (count < batchSize) return;
    }
  }

  /** A few at once: when there is much to read, some are answered in time. */
  async *#read(
    reading: Reading,
    filter: BookFilter,
    sort: Order = {},
    limit = 0,
  ): AsyncGenerator<Book, void> {
    const options = { projection: bookProjection, batchSize: limit || 1000, sort, limit };
    await this.#turns.take(reading.limits.signal);
    try {
      for await (const document of readRecords(reading, { $and: [unindexed, filter] }, options))
        yield reading.decode(document);
    } finally {
      this.#turns.give();
    }
  }

  /** The server takes its time over an index from which much was removed lately, even if nothing is left in it. */
  async #isAny({ collections: { books }, limits }: Reading): Promise<boolean> {
    const version = await this.#version.read();
    if (version === this.#noneAt) return false;
    const any = await books.findOne(unindexed, { projection: { _id: 1 }, ...limits });
    if (any === null) this.#noneAt = version;
    return any !== null;
  }
}

function behind({ sort, isDescending }: Condition, { key, id }: Position): BookFilter {
  const beyond = { [isDescending ? '$lt' : '$gt']: key };
  return sort === 'id'
    ? { _id: beyond }
    : { $or: [{ year: beyond }, { year: Number(key), _id: { $gt: id } }] };
}
