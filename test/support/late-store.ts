import { bookOf } from './books.ts';
import { completeStore } from '../../src/store/complete.ts';
import type { IdRange } from '../../src/store/contract/ids.ts';
import type { CompleteStore } from '../../src/store/contract/store.ts';
import { shelfOf } from '../../src/store/memory/data.ts';
import { MemoryStore } from '../../src/store/memory/store.ts';

/** A store in memory that cannot read its words while it is late: it finds books all the same. */
class LateStore extends MemoryStore {
  isLate = false;

  override iterate(range?: IdRange) {
    if (this.isLate) throw new Error('late');
    return super.iterate(range);
  }
}

/** A store with books of these titles, and the switch that makes its words late. */
export async function lateStore(
  titles: readonly string[],
): Promise<{ store: CompleteStore; late: { isLate: boolean } }> {
  const late = new LateStore(shelfOf(''), 'a store that may be late', {});
  const store = completeStore(late);
  for (const title of titles) await store.create(bookOf({ title }));
  return { store, late };
}
