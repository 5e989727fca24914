// Which books have changed: for what is derived from all books, and kept.
import { toRanges, type IdRange } from './ids.ts';
import type { CoreStore, EventStore } from './store.ts';

/** The number of answers about the changes. After more, any book may have changed. */
const maxAnswers = 10;

/** The books that have changed since a position of the events. */
export interface ChangedBooks {
  /** The position of the events now; it is read before the books. */
  readonly position: string;
  /** `undefined`: any book may have changed. */
  readonly ids: readonly IdRange[] | undefined;
}

/** @param since `undefined`: any book may have changed. */
export async function changedSince(
  store: Pick<CoreStore & EventStore, 'events'>,
  since: string | undefined,
): Promise<ChangedBooks> {
  const ids: number[] = [];
  for (let [answers, last] = [0, since]; last !== undefined && answers < maxAnswers; answers++) {
    const { events, position, isCurrent } = await store.events({ since: last });
    if (events === undefined) return { position, ids: undefined };
    ids.push(...events.map(({ id }) => id));
    if (isCurrent) return { position, ids: toRanges(ids) };
    last = position;
  }
  const { position } = await store.events();
  return { position, ids: undefined };
}
