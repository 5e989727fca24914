// Books with the same spelling: the index entries have the hash of their folded texts.
import type { Condition } from 'mongodb';
import type { Book, BookFields } from '../../catalogue/book.ts';
import { maxBooksAtOnce } from '../contract/create.ts';
import { chooseSame, sameHashes, stillIndexing } from '../questions/duplicates.ts';
import { isReindexed } from './backfill.ts';
import { readDocuments, type QueryContext } from './reading.ts';

/** The number of books whose hashes are grouped in one query. */
const booksAtOnce = 20_000;
const hashes = 2 ** 32;

/** Selects hashes, and the part of all hashes up to them. */
interface HashFilter {
  readonly same: Condition<number>;
  readonly done: number;
}

/** The ranges of hashes that `readSame` takes one after the other, for a number of books. */
export function* hashRanges(count: number): Generator<HashFilter> {
  const parts = Math.ceil(count / booksAtOnce) || 1;
  for (let i = 0; i < parts; i++)
    yield { same: { $gte: (hashes * i) / parts, $lt: (hashes * (i + 1)) / parts }, done: (i + 1) / parts };
}

/** The hashes of some books. */
export function hashesOf(books: readonly BookFields[]): HashFilter {
  return { same: { $in: [...sameHashes(books)] }, done: 1 };
}

/** The groups of `BookStore.duplicateCandidates` with some hashes. */
export async function readSame(
  { database: { books }, maxTimeMS, signal }: QueryContext,
  same: HashFilter['same'],
): Promise<number[][]> {
  const shared = await books
    .aggregate(
      [
        { $match: { 'index.same': same } },
        { $group: { _id: '$index.same', count: { $sum: 1 } } },
        { $match: { count: { $gt: 1 } } },
      ],
      { maxTimeMS, batchSize: booksAtOnce },
    )
    .toArray();
  signal.throwIfAborted();
  const groups = new Map(shared.map(({ _id }): [unknown, number[]] => [_id, []]));
  const found = books.find(
    { 'index.same': { $in: [...groups.keys()] as number[] } },
    { projection: { 'index.same': 1 }, batchSize: booksAtOnce, maxTimeMS },
  );
  for (const { _id, index } of await found.toArray()) groups.get(index?.same)?.push(_id);
  return [...groups.values()].map((ids) => ids.sort((a, b) => a - b));
}

/** As `BookStore.findDuplicatesOf`, in one query. */
export async function findDuplicatesOf(
  reading: QueryContext,
  wanted: readonly BookFields[],
): Promise<(Readonly<Book> | undefined)[]> {
  const [isComplete, found] = await Promise.all([
    isReindexed(reading.database),
    readSameBooks(reading, wanted),
  ]);
  if (!isComplete) throw stillIndexing();
  return chooseSame(wanted, found);
}

async function readSameBooks(reading: QueryContext, wanted: readonly BookFields[]): Promise<Book[]> {
  const filter = { 'index.same': hashesOf(wanted).same };
  const found: Book[] = [];
  for await (const batch of readDocuments(reading, filter, { batchSize: maxBooksAtOnce }))
    for (const { book } of batch) if (book !== undefined) found.push(book);
  return found;
}
