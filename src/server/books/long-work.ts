import { TimeSlices } from '../../lib/time-slices.ts';

/** The time for all long tasks in each turn of the event loop, in milliseconds. */
const maxTurnMs = 4;

/** The approximate length of a piece of a task, in milliseconds. */
const pieceMs = 1;

/** Runs the long tasks of this process: listings and imports of all its services. */
export const longWork = new TimeSlices(maxTurnMs);

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
