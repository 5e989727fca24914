import type { BookFilter } from './filter.ts';
import type { BookDocument, Collections } from './prepare.ts';
import type { Decode } from './record.ts';

/** How a question reads records. */
export interface Reading {
  readonly collections: Collections;
  /** A record that is no book is an error. */
  readonly decode: Decode;
  /** When the server gives up, and when nobody waits for the answer any more: then nothing more is read. */
  readonly limits: { readonly maxTimeMS: number; readonly signal: AbortSignal };
}

/** The driver's own. */
export type ReadOptions = NonNullable<Parameters<Collections['books']['find']>[1]>;

/**
 * Reads records, as they come from the server, until nobody waits for them any more. The driver does not get the signal
 * itself: it would cut the connection, and leave cursors open on the server.
 */
export async function* readBatches(
  { collections: { books }, limits: { maxTimeMS, signal } }: Reading,
  filter: BookFilter,
  options: ReadOptions,
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

/** {@link readBatches}, one by one. */
export async function* readRecords(
  reading: Reading,
  filter: BookFilter,
  options: ReadOptions,
): AsyncGenerator<BookDocument, void> {
  for await (const documents of readBatches(reading, filter, options)) yield* documents;
}
