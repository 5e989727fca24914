// findSame: finds the books with the hashes of those that are wanted.
import type { Book, BookFields } from '../../catalogue/book.ts';
import { maxBooksAtOnce } from '../contract/create.ts';
import { chooseSame, sameHash, stillIndexing } from '../contract/duplicates.ts';
import { isFolded } from './backfill.ts';
import { readDocuments, type Reading } from './reading.ts';

/** As `BookStore.findSame`, in one query. */
export async function findSame(
  reading: Reading,
  wanted: readonly BookFields[],
): Promise<(Readonly<Book> | undefined)[]> {
  if (!(await isFolded(reading.database))) throw stillIndexing();
  const filter = { 'index.same': { $in: [...new Set(wanted.map(sameHash))] } };
  const found: Book[] = [];
  for await (const batch of readDocuments(reading, filter, { batchSize: maxBooksAtOnce }))
    for (const { book } of batch) if (book !== undefined) found.push(book);
  return chooseSame(wanted, found);
}
