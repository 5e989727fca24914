import { MongoBulkWriteError } from 'mongodb';
import type { Book, BookFields } from '../../../catalogue/book.ts';
import type { BatchResult } from '../../../lib/batcher.ts';
import { liftCounter, maxAttempts, takeIds } from './counter.ts';
import { isIdCollision, type BookDocument, type Database } from '../documents.ts';
import { indexEntry } from './entry.ts';
import { newRevision } from './history.ts';

/** A book to create, and the batch that creates it. */
export interface NewBook {
  readonly fields: BookFields;
  readonly batch: string | undefined;
}

/**
 * Creates books together, in two round trips: one step of the counter for all their ids, one unordered insert. Ids are in
 * the order of the books. An id that is taken raises the counter, and its book is tried again.
 */
export async function createBooks(
  database: Database,
  all: readonly NewBook[],
): Promise<readonly BatchResult<Book>[]> {
  const results: BatchResult<Book>[] = [];
  let left = all.map((book, index) => ({ ...book, index }));
  for (let attempt = 1; left.length > 0; attempt++) {
    const firstId = await takeIds(database, left.length);
    const books = left.map(({ fields }, i): Book => ({ id: firstId + i, ...fields }));
    const batches = left.map(({ batch }) => batch);
    const refusals = await insert(database, books, batches);
    const taken: typeof left = [];
    books.forEach((book, i) => {
      const [each, refusal] = [left[i], refusals.get(i)];
      if (each === undefined) return;
      if (refusal === undefined) results[each.index] = { value: book };
      else if (refusal.isTaken && attempt < maxAttempts) taken.push(each);
      else results[each.index] = { error: new Error(refusal.message) };
    });
    left = taken;
    if (left.length > 0) await liftCounter(database);
  }
  return results;
}

interface Refusal {
  /** Another document has this id. */
  readonly isTaken: boolean;
  readonly message: string;
}

/** The document of a new book. */
export function newDocument({ id, ...fields }: Book, batch: string | undefined, at: Date): BookDocument {
  return {
    _id: id,
    ...fields,
    index: indexEntry(fields),
    rev: newRevision(),
    ...(batch !== undefined && { creation: { batch, at } }),
  };
}

/** Inserts books; returns the refusals by position. Rejects when it is not known which books are stored. */
async function insert(
  { books }: Database,
  all: readonly Book[],
  batches: readonly (string | undefined)[],
): Promise<ReadonlyMap<number, Refusal>> {
  const at = new Date();
  const documents = all.map((book, i) => newDocument(book, batches[i], at));
  try {
    await books.insertMany(documents, { ordered: false });
    return new Map();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    // The driver also reports a broken connection as a bulk write error; then it has no errors of single writes.
    if (errors.length === 0 || error.result.getWriteConcernError()) throw error;
    return new Map(
      errors.map(({ index, code, errmsg: message = '' }) => {
        return [index, { isTaken: isIdCollision(code, message), message }];
      }),
    );
  }
}
