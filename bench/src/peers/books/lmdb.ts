import { open } from 'lmdb';
import type { Book, Books } from './books.ts';

/** Books in LMDB, durable like those of shelflist: `overlappingSync: false` makes a write wait for the disk. */
export async function openLmdbBooks(path: string, initial: readonly Book[]): Promise<Books> {
  const books = open<Book, number>({ path, overlappingSync: false });
  await books.transaction(() => {
    for (const book of initial) books.putSync(book.id, book);
  });
  let lastId = initial.length;
  return {
    get: (id) => Promise.resolve(books.get(id)),
    list: () => Promise.resolve([...books.getRange().map(({ value }) => value)]),
    async create({ title, author, year }) {
      const book = { id: ++lastId, title, author, year };
      await books.put(book.id, book);
      return book;
    },
    update: (id, patch) =>
      books.transaction(() => {
        const book = books.get(id);
        if (book === undefined) return undefined;
        const updated = { ...book, ...patch };
        books.putSync(id, updated);
        return updated;
      }),
  };
}
