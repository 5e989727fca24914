// The authors of all books: joined from the parts that a store reads, and found for any store by its pages.
import type { AuthorCount } from '../../catalogue/authors.ts';
import { textKey, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import type { PrioritySignal } from '../../lib/time-slices.ts';
import { authorField } from '../../catalogue/statistics.ts';
import { cut } from '../../catalogue/words.ts';
import type { BookStore, NextAuthorsOptions } from './store.ts';

/** The books that are read at once: a step of some milliseconds. */
export const authorsPartBooks = 5000;

/** Longer spellings are cut, in code points: a part of them must fit into memory. */
export const maxSpellingLength = 4000;

/** An author: the key, which is equal for all spellings that a search cannot distinguish, and one of these. */
export interface AuthorName {
  readonly key: string;
  readonly author: string;
}

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

/** As `BookStore.authors` for any store, by reading every book in the order of the authors. */
export function findAuthors(
  store: Pick<BookStore, 'find'>,
  signal?: PrioritySignal,
): AsyncGenerator<readonly AuthorCount[], void, undefined> {
  return joinAuthors(async (after) => {
    const { books, isLast } = await store.find(
      { sort: authorField },
      { limit: authorsPartBooks, after, signal },
    );
    const tallies = books.map(({ author }) => ({
      key: textKey(author),
      author: cut(author, maxSpellingLength),
      count: 1,
    }));
    const [book, tally] = [books.at(-1), tallies.at(-1)];
    const last = isLast || !book || !tally ? undefined : { key: tally.key, id: book.id };
    return { tallies: tallies.filter(({ key }) => key !== ''), last };
  });
}

/** The minimum and maximum number of books per read. Where one author has very many, a small read finds the next one sooner. */
const [minRead, maxRead] = [4, 1000];

/** As `BookStore.nextAuthors` for any store, by its pages. @param words Only authors with words that begin like these. */
export async function findNextAuthors(
  store: Pick<BookStore, 'find'>,
  { after, isDescending = false, limit, signal }: NextAuthorsOptions,
  words = '',
): Promise<AuthorName[]> {
  const query: BookQuery = {
    sort: isDescending ? `-${authorField}` : authorField,
    [`${authorField}Words`]: words,
  };
  const beyond = (key: string): KeysetPosition => ({ key, id: isDescending ? 0 : Number.MAX_SAFE_INTEGER });
  // Books without an author come first, or last.
  let place = after === undefined ? (isDescending ? undefined : beyond('')) : beyond(after);
  const found: AuthorName[] = [];
  for (let size = limit; ;) {
    const read = Math.min(maxRead, Math.max(minRead, size));
    const { books, isLast } = await store.find(query, { limit: read, after: place, signal });
    const before = found.length;
    let key = '';
    for (const { author } of books) {
      key = textKey(author);
      if (key !== '' && key !== found.at(-1)?.key)
        found.push({ key, author: cut(author, maxSpellingLength) });
    }
    if (isLast || books.length === 0 || found.length >= limit) return found.slice(0, limit);
    place = beyond(key);
    size = found.length - before <= 1 ? Math.ceil(read / 4) : 2 * read;
  }
}
