// What a question carries (deadline, signal), and the loop that reads its documents.
import type { Filter, FindOptions } from 'mongodb';
import type { Book } from '../../catalogue/book.ts';
import { bookProjection, decodeBook, type BookDocument, type Database } from './schema.ts';

/** The options of a listing or a search. */
export interface QueryContext {
  readonly database: Database;
  /** The time limit on the server. */
  readonly maxTimeMS: number;
  /** Aborted when the answer is no longer needed. */
  readonly signal: AbortSignal;
  /** Receives the ids of documents that are not books; they are left out. */
  readonly onDamaged: (id: number) => void;
}

/** A document, and the book in it, if it is one. */
export interface Read {
  readonly document: BookDocument;
  readonly book: Book | undefined;
}

/** Reads documents as the server sends them, with the books in them. */
export async function* readDocuments(
  reading: QueryContext,
  filter: Filter<BookDocument>,
  options: FindOptions,
): AsyncGenerator<readonly Read[], void> {
  for await (const batch of readBatches(reading, filter, { projection: bookProjection, ...options }))
    yield batch.map((document) => {
      const book = decodeBook(document);
      if (book === undefined) reading.onDamaged(document._id);
      return { document, book };
    });
}

/**
 * Reads documents as the server sends them, some at a time, until the signal is aborted. The driver does not get the signal: it
 * would close the connection, and leave cursors open on the server.
 */
export async function* readBatches(
  { database: { books }, maxTimeMS, signal }: QueryContext,
  filter: Filter<BookDocument>,
  options: FindOptions,
): AsyncGenerator<readonly BookDocument[], void> {
  const cursor = books.find(filter, { ...options, maxTimeMS });
  try {
    while (await cursor.hasNext()) {
      signal.throwIfAborted();
      yield cursor.readBufferedDocuments();
    }
  } finally {
    await cursor.close();
  }
}
