import { TimeSlices } from '../lib/time-slices.ts';

/** What long tasks take of each turn of the event loop, together. */
const maxMsOfTurn = 4;

/** A piece of a task is about this long. */
const pieceMs = 1;

/** The long tasks of this process: listings and imports of all its services. */
export const longWork = new TimeSlices(maxMsOfTurn);

/**
 * Visits the items of an iterable in pieces of {@link longWork}.
 *
 * @throws What `visit` throws.
 */
export async function visitInSlices<Item>(items: Iterable<Item>, visit: (item: Item) => void): Promise<void> {
  const iterator = items[Symbol.iterator]();
  const visitSome = () => {
    const end = performance.now() + pieceMs;
    while (performance.now() < end) {
      const next = iterator.next();
      if (next.done === true) return true;
      visit(next.value);
    }
    return false;
  };
  while (!(await longWork.run(visitSome)));
}
