import { randomUUID } from 'node:crypto';
import { openStore, type Book, type BookStore, type Changes } from '../../src/index.ts';
import { toRanges } from '../../src/store/contract/ids.ts';
import { shelfOf } from '../../src/store/memory/shelf.ts';
import { testStore } from '../../src/store-suite/store-suite.ts';

/** Wraps a store and replaces its `changes`. */
function withChanges(store: BookStore, changes: (since: string) => Promise<Changes>): BookStore {
  return new Proxy(store, {
    get(target, name) {
      if (name === 'changes') return changes;
      const member: unknown = Reflect.get(target, name);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

function knowsNothing(store: BookStore): BookStore {
  return withChanges(store, async () => ({ version: await store.version(), ids: undefined }));
}

/** Reports exact ids for every earlier version: it remembers and compares the books of each version. */
function knowsEverything(known: Map<string, Map<number, Book>>) {
  return async (store: BookStore): Promise<BookStore> => {
    const note = async () => {
      const [version, books] = [await store.version(), new Map<number, Book>()];
      for await (const page of store.list()) for (const book of page) books.set(book.id, book);
      known.set(version, books);
      return { version, books };
    };
    await note();
    const noting = withChanges(store, async (since) => {
      const { version, books } = await note();
      const before = known.get(since);
      if (before === undefined) return { version, ids: undefined };
      const isChanged = (id: number) => JSON.stringify(before.get(id)) !== JSON.stringify(books.get(id));
      return { version, ids: toRanges([...new Set([...before.keys(), ...books.keys()])].filter(isChanged)) };
    });
    return new Proxy(noting, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (name !== 'version') return member;
        return async () => (await note()).version;
      },
    });
  };
}

function place(wrap: (store: BookStore) => BookStore | Promise<BookStore>) {
  const name = randomUUID();
  return Promise.resolve({
    open: async () => wrap(await openStore(`memory:${name}`)),
    putBack(books: readonly Book[]) {
      for (const book of books) shelfOf(name).put(book);
      return Promise.resolve();
    },
    remove: () => Promise.resolve(),
  });
}

testStore('a store whose `changes` never knows', () => place(knowsNothing));
testStore('a store whose `changes` always knows', () => place(knowsEverything(new Map())));
