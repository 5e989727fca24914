// Reads single books, many callers in one round trip.
import type { Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { CallResult } from '../../lib/coalesce.ts';
import { bookProjection, decodeBook, live, type Database } from './schema.ts';

type Found = CallResult<Readonly<Book> | undefined>;

const none: Found = { value: undefined };

/** Reads books in one round trip; callers that ask for the same one share it. */
export async function getBooks({ books }: Database, ids: readonly number[]): Promise<readonly Found[]> {
  const unique = [...new Set(ids)];
  // Everything fits into one batch, unless the books are very long, so the server keeps no cursor.
  const options = { projection: bookProjection, batchSize: unique.length + 1, maxTimeMS: 2000 };
  const found = new Map<number, Found>();
  for (const document of await books.find({ ...live, _id: { $in: unique } }, options).toArray()) {
    const book = decodeBook(document);
    found.set(document._id, book ? { value: Object.freeze(book) } : { error: damaged(document._id) });
  }
  return ids.map((id) => found.get(id) ?? none);
}

function damaged(id: number): ShelflistError {
  return new ShelflistError('store_damaged', {
    message: `record ${id} is not a book; delete it, or restore its fields`,
  });
}
