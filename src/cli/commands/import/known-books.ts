import { DuplicateIndex } from '../../../catalogue/duplicates/duplicate-index.ts';
import type { Client } from '../../../client/client.ts';
import type { Io } from '../../io.ts';
import { booksUntil } from '../../ui/interrupt.ts';
import { createProgress } from '../../ui/progress.ts';
import { digestOf } from '../../../formats/revision.ts';

/** What an import has to know of the books in the catalogue. */
export interface KnownBooks {
  /** To find duplicates of new rows. */
  duplicates?: DuplicateIndex;
  /** The digest of each book, by its id. */
  digests?: Map<number, string>;
}

/** Reads the catalogue, if something of it is wanted. It shows its progress on a terminal. */
export async function readKnownBooks(
  io: Io,
  client: Client,
  wanted: { duplicates: boolean; digests: boolean },
  signal: AbortSignal,
): Promise<KnownBooks> {
  if (!wanted.duplicates && !wanted.digests) return {};
  const { hash } = await import('node:crypto');
  const known = {
    ...(wanted.duplicates && { duplicates: new DuplicateIndex((text) => hash('sha256', text, 'binary')) }),
    ...(wanted.digests && { digests: new Map<number, string>() }),
  };
  const progress = createProgress(io, undefined, 'books of the catalogue');
  progress.start();
  let count = 0;
  try {
    for await (const book of booksUntil(signal, client)) {
      known.duplicates?.addBook(book);
      known.digests?.set(book.id, digestOf(book));
      if (++count % booksPerUpdate === 0) progress.update(0, count);
    }
  } finally {
    progress.stop();
  }
  return known;
}

const booksPerUpdate = 1000;
