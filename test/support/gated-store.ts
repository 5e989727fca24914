import { once } from 'node:events';
import { openStore } from '../../src/index.ts';
import type { CompleteStore } from '../../src/store.ts';
import type { Scope } from './temp.ts';

/** A store in memory whose readings of all books, for duplicates and authors, end when it is opened. */
export async function gatedStore(
  scope: Scope,
  books: readonly object[],
): Promise<{ store: CompleteStore; open: () => void }> {
  const store = await openStore('memory:');
  for (const book of books) await store.create(book);
  const gate = new AbortController();
  const opened = once(gate.signal, 'abort');
  const open = () => {
    gate.abort();
  };
  scope.after(async () => {
    open();
    await store.close();
  });
  const gated: CompleteStore = {
    ...store,
    async *duplicateCandidates(options) {
      yield* store.duplicateCandidates(options);
      if (options?.of === undefined) await opened;
    },
    async *authors(options) {
      yield* store.authors(options);
      await opened;
    },
  };
  return { store: gated, open };
}
