import type { Filter } from 'mongodb';
import type { Book, BookPatch } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { bookProjection, type BookDocument, type Collections } from './prepare.ts';
import type { Version } from './version.ts';

/** Changes the record of a book; `null` when there is none. @throws {ShelflistError} `precondition_failed` */
export async function changeBook(
  { books }: Collections,
  version: Version,
  id: number,
  $set: BookPatch,
  expected: Book | undefined,
): Promise<BookDocument | null> {
  const options = { projection: bookProjection, returnDocument: 'after' } as const;
  const filter = filterOf(id, expected);
  const isEmpty = Object.keys($set).length === 0; // The server refuses an empty $set.
  const changed = isEmpty
    ? await books.findOne(filter, options)
    : await version.after(
        // Its old index entry stays until it gets a new one.
        books.findOneAndUpdate(filter, { $set, $unset: { indexed: '' } }, options),
        (document) => (document === null ? [] : [id]),
      );
  if (changed !== null || expected === undefined) return changed;
  if ((await books.findOne({ _id: id }, { projection: { _id: 1 } })) === null) return null;
  throw failed();
}

/** Removes the record of a book. @throws {ShelflistError} `precondition_failed` */
export async function removeBook(
  { books }: Collections,
  version: Version,
  id: number,
  expected: Book | undefined,
): Promise<void> {
  const { deletedCount } = await version.after(books.deleteOne(filterOf(id, expected)), (result) =>
    result.deletedCount > 0 ? [id] : [],
  );
  if (deletedCount === 0 && expected !== undefined) throw failed();
}

function filterOf(id: number, expected: Book | undefined): Filter<BookDocument> {
  if (expected === undefined) return { _id: id };
  const { id: expectedId, title, author, year } = expected;
  return { $and: [{ _id: id }, { _id: expectedId, title, author, year }] };
}

function failed(): ShelflistError {
  return new ShelflistError('precondition_failed');
}
