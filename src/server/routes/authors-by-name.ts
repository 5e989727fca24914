// A page of authors by name, in a catalogue of any size: its time depends on the number of authors, not on that of their books.
import type { AuthorCount } from '../../catalogue/authors.ts';
import type { Book } from '../../catalogue/book.ts';
import { isWholeKey, textKey, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import { haveStarts } from '../../catalogue/query.ts';
import { authorField } from '../../catalogue/statistics.ts';
import { commonSpelling, maxSpellings } from '../../catalogue/suggestion.ts';
import { searchTerms } from '../../catalogue/words.ts';
import { eachAtOnce } from '../../lib/semaphore.ts';
import { visitInSlices, type PrioritySignal } from '../../lib/time-slices.ts';
import { findNextAuthors, type AuthorName } from '../../store/contract/authors.ts';
import type { CompleteStore } from '../../store/contract/store.ts';

/** The number of authors whose books are counted at once. */
const maxCounting = 4;
/** The number of authors that a search reads at a time, and in all. Beyond that, it searches the books: a rare word selects few. */
const searchSize = 2000;
const maxSearched = 20_000;
/** The number of books that are read at once. */
const maxRead = 1000;

type Asked = Pick<CompleteStore, 'find' | 'count' | 'nextAuthors'>;

export interface NamePage {
  readonly authors: readonly AuthorCount[];
  /** The key of the last author, after which the next page begins; `undefined` on the last page. */
  readonly next: string | undefined;
}

interface NameQuery {
  /** Folded prefixes of words of the name. */
  readonly starts: readonly string[];
  readonly isDescending: boolean;
  readonly limit: number;
  /** The key of an author, who need not exist any more. */
  readonly after: string | undefined;
}

/** Reads a page of authors by name. */
export async function findByName(
  store: Asked,
  { starts, isDescending, limit, after }: NameQuery,
  signal: PrioritySignal,
): Promise<NamePage> {
  const isSearch = starts.length > 0;
  // One more than fits, to find out whether another page follows.
  const wanted = limit + 1;
  const found: AuthorName[] = [];
  let [place, searched, isEnd] = [after, 0, false];
  while (found.length < wanted && !isEnd) {
    if (searched < maxSearched) {
      const size = isSearch ? searchSize : wanted;
      const names = await store.nextAuthors({ after: place, isDescending, limit: size, signal });
      await visitInSlices(names, (name) => {
        if (!isSearch || haveStarts(searchTerms(name.author), starts)) found.push(name);
      });
      place = names.at(-1)?.key;
      searched += names.length;
      isEnd = names.length < size;
    } else {
      const rest = { after: place, isDescending, limit: wanted - found.length, signal };
      found.push(...(await findNextAuthors(store, rest, starts.join(' '))));
      isEnd = true;
    }
  }
  const shown = found.slice(0, limit);
  const counts = new Map<AuthorName, AuthorCount>();
  await eachAtOnce(shown, maxCounting, async (name) => {
    counts.set(name, await countAuthor(store, name, signal));
  });
  // An author without books was deleted meanwhile.
  const authors = shown.flatMap((name) => counts.get(name) ?? []).filter(({ count }) => count > 0);
  return { authors, next: found.length > limit ? shown.at(-1)?.key : undefined };
}

/** The usual spelling of an author, and the number of books. */
async function countAuthor(store: Asked, { key }: AuthorName, signal: PrioritySignal): Promise<AuthorCount> {
  const { own, areAll } = await readFirst(store, key, signal);
  return {
    author: spellingOf(own),
    count: areAll ? own.length : await countKey(store, key, signal),
  };
}

/** The usual spelling of the author with a key; empty if no book has it any more. */
export async function readSpelling(
  store: Pick<CompleteStore, 'find'>,
  key: string,
  signal: PrioritySignal,
): Promise<string> {
  return spellingOf((await readFirst(store, key, signal)).own);
}

/** The first books with a key, and whether these are all. */
async function readFirst(
  store: Pick<CompleteStore, 'find'>,
  key: string,
  signal: PrioritySignal,
): Promise<{ own: Book[]; areAll: boolean }> {
  const place = { limit: maxSpellings, after: { key, id: 0 }, signal };
  const { books, isLast } = await store.find({ sort: authorField }, place);
  const own = books.filter((book) => textKey(book[authorField]) === key);
  return { own, areAll: isLast || own.length < books.length };
}

function spellingOf(books: readonly Book[]): string {
  return commonSpelling(books.map((book) => book[authorField]));
}

/** The number of books with a key. Texts with a cut key may differ behind it, so their books are read. */
async function countKey(store: Asked, key: string, signal: PrioritySignal): Promise<number> {
  if (isWholeKey(key)) return store.count({ [authorField]: key }, { signal });
  let count = 0;
  for (let after: KeysetPosition = { key, id: 0 }; ;) {
    const { books, isLast } = await store.find({ sort: authorField }, { limit: maxRead, after, signal });
    const own = books.filter((book) => textKey(book[authorField]) === key);
    count += own.length;
    const last = own.at(-1);
    if (isLast || last === undefined || own.length < books.length) return count;
    after = { key, id: last.id };
  }
}
