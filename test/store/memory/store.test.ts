import { randomUUID } from 'node:crypto';
import { openStore } from '../../../src/index.ts';
import { shelfOf } from '../../../src/store/memory/shelf.ts';
import { testStore } from '../../../src/store-suite/store-suite.ts';

testStore('memory:', () => {
  const name = randomUUID();
  return Promise.resolve({
    open: () => openStore(`memory:${name}`),
    putBack(books) {
      for (const book of books) shelfOf(name).put(book);
      return Promise.resolve();
    },
    ageKeys(milliseconds) {
      for (const repeat of shelfOf(name).repeats.values()) repeat.at -= milliseconds;
      return Promise.resolve();
    },
    remove: () => Promise.resolve(),
  });
});
