import type { BookStore } from '../../../src/store.ts';
import { shelfOf } from '../../../src/store/memory/data.ts';
import type { StorePlace } from '../../../src/store-suite/store-suite.ts';

/** The place of a memory store of a name. */
export function memoryPlace(name: string, open: () => Promise<BookStore>): StorePlace {
  return {
    open,
    putBack(books) {
      for (const book of books) shelfOf(name).put(book);
      return Promise.resolve();
    },
    ageKeys(milliseconds) {
      for (const repeat of shelfOf(name).repeats.values()) repeat.at -= milliseconds;
      return Promise.resolve();
    },
    remove: () => Promise.resolve(),
  };
}
