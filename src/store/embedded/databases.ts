import type { Database, Key, RangeOptions } from 'lmdb';
import type { Meta } from './meta.ts';

/** Of one segment, and one term in it. */
export type IndexKey = [segment: number, kind: string, term: string | number];

/** What an environment holds. What is written is written in transactions only. */
export interface Databases {
  /** id -> the whole book, as `record.ts` has it. */
  readonly books: Database<string, number>;
  readonly meta: Meta;
  /** What a book is found by, in a segment -> the ids of those books there. */
  readonly index: Database<Buffer, IndexKey>;
  /** id -> what the index still takes the book for, since it was changed or removed. */
  readonly changed: Database<string, number>;
  readonly bookCount: number;
}

/** Whether there are any in a range. Not by `getKeysCount`, which counts all of them, whatever its limit is. */
export function hasKeys<K extends Key>(database: Database<unknown, K>, range: RangeOptions): boolean {
  const [first] = database.getKeys({ ...range, limit: 1 });
  return first !== undefined;
}
