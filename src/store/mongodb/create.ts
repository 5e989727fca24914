import { MongoBulkWriteError } from 'mongodb';
import { isId, type Book, type BookFields } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import type { Verdict } from '../gather.ts';
import {
  bookCounter,
  isCollision,
  liftCounter,
  maxAttempts,
  retryingCollisions,
  type Collections,
} from './prepare.ts';
import type { Version } from './version.ts';

/** A book, and when a new version was set: then it is acknowledged. Meanwhile the next books are created. */
export interface Created {
  readonly book: Book;
  readonly isVersioned: Promise<unknown>;
}

/** Creates books together, with one new version for all of them. */
export async function createBooks(
  collections: Collections,
  version: Version,
  all: readonly BookFields[],
): Promise<readonly Verdict<Created>[]> {
  const stored = storeBooks(collections, all);
  const isVersioned = version.after(stored, (verdicts) =>
    verdicts.flatMap((verdict) => ('value' in verdict ? [verdict.value.id] : [])),
  );
  isVersioned.catch(() => undefined); // Perhaps nobody waits for it.
  return (await stored).map((verdict) =>
    'value' in verdict ? { value: { book: verdict.value, isVersioned } } : verdict,
  );
}

/**
 * Stores books together: one step of the counter for all their ids, one unordered insert. Ids are in the
 * order of the books. An id that is taken (books were put back beside an older counter) lifts the counter, and
 * the books concerned are tried again.
 */
async function storeBooks(
  collections: Collections,
  all: readonly BookFields[],
): Promise<readonly Verdict<Book>[]> {
  const verdicts: Verdict<Book>[] = [];
  let left = [...all.keys()];
  for (let attempt = 1; left.length > 0; attempt++) {
    const firstId = await takeIds(collections, left.length);
    const books = left.flatMap((index, i) => {
      const fields = all[index];
      return fields ? [{ index, book: { id: firstId + i, ...fields } }] : [];
    });
    const failures = await insert(
      collections,
      books.map(({ book }) => book),
    );
    left = [];
    books.forEach(({ index, book }, i) => {
      const failure = failures.get(i);
      if (failure === undefined) verdicts[index] = { value: book };
      else if (failure.isTaken && attempt < maxAttempts) left.push(index);
      else verdicts[index] = { error: new Error(failure.message) };
    });
    if (left.length > 0) await liftCounter(collections);
  }
  return verdicts;
}

/** Takes so many ids in one step; gives the first of them. */
async function takeIds({ counters }: Collections, count: number): Promise<number> {
  const counter = await retryingCollisions(() =>
    counters.findOneAndUpdate(
      bookCounter,
      { $inc: { seq: count } },
      // By the majority, like all writes: else the next primary might give the same ids to another service.
      { upsert: true, returnDocument: 'after', projection: { seq: 1 } },
    ),
  );
  const first = (counter?.seq ?? 0) - count + 1;
  if (isId(first) && isId(counter?.seq)) return first;
  throw new ShelflistError('store_damaged', { message: 'the counter of ids is not a number' });
}

interface Refusal {
  /** Another book has this id. */
  isTaken: boolean;
  message: string;
}

/** Inserts books; gives the refusals, by position. Rejects when the fate of the books is not known. */
async function insert(
  { books }: Collections,
  together: readonly Book[],
): Promise<ReadonlyMap<number, Refusal>> {
  const documents = together.map(({ id, title, author, year }) => ({ _id: id, title, author, year }));
  try {
    await books.insertMany(documents, { ordered: false });
    return new Map();
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    // The driver says "bulk write error" of a broken connection, too: without one of their own no book's fate is known.
    if (errors.length === 0 || error.result.getWriteConcernError()) throw error;
    return new Map(
      errors.map(({ index, code, errmsg: message = '' }) => {
        return [index, { isTaken: isCollision(code, message), message }];
      }),
    );
  }
}
