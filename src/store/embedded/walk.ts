import type { Database, Transaction } from 'lmdb';
import { comparePositions, type Position } from '../../query/position.ts';
import type { Condition } from '../../query/query.ts';
import type { IndexKey } from './databases.ts';
import { decodeIds } from './segment.ts';
import { lastTerm } from './terms.ts';

/** Where the walk through one segment is. */
interface Walker {
  /** The term, and the segment in place of an id. */
  readonly position: Position;
  readonly key: IndexKey;
  readonly rest: Iterator<IndexKey>;
}

/**
 * The ids in the index in the order of a condition, which is not that of ids, from behind a position. Segments are
 * walked side by side, and the one that is first goes on.
 */
export function* walk(
  index: Database<Buffer, IndexKey>,
  transaction: Transaction,
  segments: readonly number[],
  condition: Condition,
  after: Position | undefined,
): Generator<number, void, undefined> {
  const { sort, isDescending } = condition;
  const queue: Walker[] = []; // The last one is the next.
  try {
    for (const segment of segments) {
      const first = after ? [segment, sort, after.key] : [segment, sort, ...(isDescending ? [lastTerm] : [])];
      // Keys alone: of most segments no more than the first one is ever looked at.
      const keys = index.getKeys({ start: first, reverse: isDescending, transaction });
      enqueue(condition, queue, segment, keys[Symbol.iterator]());
    }
    for (let walker = queue.pop(); walker !== undefined; walker = queue.pop()) {
      const { position, key, rest } = walker;
      const passed = position.key === after?.key ? after.id : 0;
      try {
        const bytes = index.get(key, { transaction });
        if (bytes === undefined) continue;
        for (const id of decodeIds(position.id, bytes)) if (id > passed) yield id;
      } finally {
        enqueue(condition, queue, position.id, rest);
      }
    }
  } finally {
    for (const { rest } of queue) rest.return?.();
  }
}

/** Puts a walker where its next term belongs, if it has one. */
function enqueue(condition: Condition, queue: Walker[], segment: number, rest: Walker['rest']): void {
  const next = rest.next();
  if (next.done === true) return;
  const key = next.value;
  if (key[0] !== segment || key[1] !== condition.sort) {
    rest.return?.(); // Behind its last term.
    return;
  }
  const position = { key: key[2], id: segment };
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = queue[middle];
    if (other !== undefined && comparePositions(condition, other.position, position) > 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, { position, key, rest });
}
