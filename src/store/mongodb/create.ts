import { MongoBulkWriteError } from 'mongodb';
import type { Book, BookFields } from '../../book.ts';
import type { Verdict } from '../../lib/batcher.ts';
import { liftCounter, maxAttempts, takeIds } from './counter.ts';
import { isIdCollision, type Database } from './documents.ts';
import { indexEntry } from './entry.ts';
import { newRevision } from './history.ts';

/**
 * Creates books together, in two round trips: one step of the counter for all their ids, one unordered insert. Ids are in
 * the order of the books. An id that is taken raises the counter, and its book is tried again.
 */
export async function createBooks(
  database: Database,
  all: readonly BookFields[],
): Promise<readonly Verdict<Book>[]> {
  const verdicts: Verdict<Book>[] = [];
  let left = all.map((fields, index) => ({ fields, index }));
  for (let attempt = 1; left.length > 0; attempt++) {
    const firstId = await takeIds(database, left.length);
    const books = left.map(({ fields }, i): Book => ({ id: firstId + i, ...fields }));
    const refusals = await insert(database, books);
    const taken: typeof left = [];
    books.forEach((book, i) => {
      const [each, refusal] = [left[i], refusals.get(i)];
      if (each === undefined) return;
      if (refusal === undefined) verdicts[each.index] = { value: book };
      else if (refusal.isTaken && attempt < maxAttempts) taken.push(each);
      else verdicts[each.index] = { error: new Error(refusal.message) };
    });
    left = taken;
    if (left.length > 0) await liftCounter(database);
  }
  return verdicts;
}

interface Refusal {
  /** Another document has this id. */
  readonly isTaken: boolean;
  readonly message: string;
}

/** Inserts books; returns the refusals by position. Rejects when it is not known which books are stored. */
async function insert({ books }: Database, all: readonly Book[]): Promise<ReadonlyMap<number, Refusal>> {
  const documents = all.map(({ id, ...fields }) => ({
    _id: id,
    ...fields,
    index: indexEntry(fields),
    rev: newRevision(),
  }));
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
