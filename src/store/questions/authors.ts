// The authors of all books: joined from the parts that a store reads, and found for any store by its pages.
import type { AuthorCount } from '../../catalogue/authors.ts';
import { compareFolded } from '../../catalogue/fold.ts';
import { textKey, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import type { PrioritySignal } from '../../lib/scheduler.ts';
import type { BookStore } from '../contract/store.ts';

/** The books that are read at once: a step of some milliseconds. */
export const authorsPartBooks = 5000;

/** Longer spellings are replaced by their keys: a part of them must fit into memory. */
export const maxSpellingBytes = 4000;

/** The books of one part with the same spelling of their author. */
export interface AuthorTally extends AuthorCount {
  /** The key of the author. */
  readonly key: string;
}

/** The authors of books that follow one another by author key and id. */
export interface AuthorsPart {
  /** By key. */
  readonly tallies: readonly AuthorTally[];
  /** The position of the last book; `undefined`: there are no more. */
  readonly last: KeysetPosition | undefined;
}

/** Implements `BookStore.authors` from the parts that a store reads; each begins after the last book of the previous one. */
export async function* joinAuthors(
  read: (after: KeysetPosition | undefined) => Promise<AuthorsPart>,
): AsyncGenerator<readonly AuthorCount[], void, undefined> {
  /** The spellings of the last key, of which more books may follow. */
  let open = new Map<string, number>();
  let openKey: string | undefined;
  for (let after: KeysetPosition | undefined; ;) {
    const { tallies, last } = await read(after);
    const whole: AuthorCount[] = [];
    for (const { key, author, count } of tallies) {
      if (key !== openKey) {
        whole.push(...toCounts(open));
        open = new Map();
        openKey = key;
      }
      open.set(author, (open.get(author) ?? 0) + count);
    }
    if (last === undefined) whole.push(...toCounts(open));
    if (whole.length > 0) yield whole;
    if (last === undefined) return;
    after = last;
  }
}

function toCounts(spellings: ReadonlyMap<string, number>): AuthorCount[] {
  return [...spellings].map(([author, count]) => ({ author, count }));
}

/** As `BookStore.authors` for any store, by reading every book. */
export async function* findAuthors(
  store: Pick<BookStore, 'iterate'>,
  signal?: PrioritySignal,
): AsyncGenerator<readonly AuthorCount[], void, undefined> {
  const spellings = new Map<string, AuthorTally>();
  for await (const books of store.iterate()) {
    signal?.throwIfAborted();
    for (const { author } of books) {
      const key = textKey(author);
      const spelling = Buffer.byteLength(author) <= maxSpellingBytes ? author : key;
      const count = (spellings.get(spelling)?.count ?? 0) + 1;
      if (key !== '') spellings.set(spelling, { key, author: spelling, count });
    }
  }
  const tallies = [...spellings.values()].sort((a, b) => compareFolded(a.key, b.key));
  yield* joinAuthors(() => Promise.resolve({ tallies, last: undefined }));
}
