import type { Filter, FindOptions } from 'mongodb';
import type { Book } from '../../book.ts';
import { bookProjection, decodeBook, type BookDocument, type Database } from './documents.ts';

/** How a listing or a search reads documents. */
export interface Reading {
  readonly database: Database;
  /** When the server gives up. */
  readonly maxTimeMS: number;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Receives the ids of documents that are not books: these are left out. */
  readonly onDamaged: (id: number) => void;
}

/** A document, and the book in it, if it is one. */
export interface Read {
  readonly document: BookDocument;
  readonly book: Book | undefined;
}

/**
 * Reads documents in batches as the server sends them, until the signal. The driver does not get the signal itself: it
 * would cut the connection, and leave cursors open on the server.
 */
export async function* readBatches(
  { database: { books }, maxTimeMS, signal, onDamaged }: Reading,
  filter: Filter<BookDocument>,
  options: FindOptions,
): AsyncGenerator<readonly Read[], void> {
  const cursor = books.find(filter, { projection: bookProjection, ...options, maxTimeMS });
  try {
    while (await cursor.hasNext()) {
      signal.throwIfAborted();
      yield cursor.readBufferedDocuments().map((document) => {
        const book = decodeBook(document);
        if (book === undefined) onDamaged(document._id);
        return { document, book };
      });
    }
  } finally {
    await cursor.close();
  }
}
