// Books with the same spelling: the full-text index has a word for the hash of their folded texts.
import type { Book, BookFields } from '../../catalogue/book.ts';
import { chooseSame, sameHashes, stillIndexing } from '../questions/duplicates.ts';
import { sameWord, sameWords } from './index-entry.ts';
import { isReindexed } from './order.ts';
import { booksOf } from './read-books.ts';
import type { QueryContext } from './reading.ts';
import { createVocabulary } from './words.ts';

/** As `BookStore.findDuplicatesOf`: the full-text index has a word for each spelling. */
export function findDuplicatesOf(
  reading: QueryContext,
  wanted: readonly BookFields[],
): (Readonly<Book> | undefined)[] {
  if (!isReindexed(reading.statements)) throw stillIndexing();
  return chooseSame(wanted, booksWith(reading, sameHashes(wanted)));
}

/** The maximum number of hashes that one task looks at, and about how long it does, in milliseconds: others wait for it. */
const hashesAtOnce = 50_000;
const maxPartMs = 1000;
/** A group has at most this number of books. */
const maxGroup = 1001;

/** Some of the groups of `BookStore.duplicateCandidates`, and where to go on: `undefined` at the end. */
export interface SamePart {
  readonly groups: readonly (readonly number[])[];
  readonly read: number;
  readonly next: string | undefined;
}

/** The groups after a word: the full-text index counts the books of each word. */
export function readSame(
  reading: QueryContext,
  after: string = sameWords.from,
  maxMs: number = maxPartMs,
): SamePart {
  const { statements } = reading;
  const end = performance.now() + maxMs;
  statements.run(createVocabulary);
  const words = statements.rows(
    'SELECT term, doc > 1 FROM temp.vocabulary WHERE term > ? AND term < ? ORDER BY term LIMIT ?',
    after,
    sameWords.to,
    hashesAtOnce,
  );
  const groups: number[][] = [];
  for (const [at, [word, isShared]] of words.entries()) {
    if (isShared !== 1) continue;
    groups.push(...groupOf(reading, String(word)));
    if (performance.now() > end) return { groups, read: at + 1, next: String(word) };
  }
  const last = words.length < hashesAtOnce ? undefined : words.at(-1)?.[0];
  return { groups, read: words.length, next: last === undefined ? undefined : String(last) };
}

/** The groups of some books. */
export function readSameOf(reading: QueryContext, books: readonly BookFields[]): number[][] {
  return Array.from(sameHashes(books), sameWord).flatMap((word) => groupOf(reading, word));
}

/** The books with a word, if there are at least two. */
function groupOf({ statements, checkTime }: QueryContext, word: string): number[][] {
  checkTime();
  const rows = statements.rows(`SELECT rowid FROM words WHERE words MATCH ? LIMIT ${maxGroup}`, `"${word}"`);
  return rows.length > 1 ? [rows.map(([id]) => Number(id))] : [];
}

function* booksWith(reading: QueryContext, hashes: Iterable<number>): Generator<Book> {
  const from = 'FROM words CROSS JOIN books ON books.id = words.rowid WHERE words MATCH ?';
  for (const hash of hashes) yield* booksOf(reading, { from, values: [`"${sameWord(hash)}"`] });
}
