// A page of authors by name, for any store, of any size: it reads about as many books as the page has authors.
import { authorField } from '../catalogue/fields.ts';
import type { AuthorCount } from '../catalogue/authors.ts';
import type { Book } from '../catalogue/book.ts';
import { isWholeKey, textKey, type KeysetPosition } from '../catalogue/keyset-position.ts';
import { haveStarts, type BookQuery } from '../catalogue/query.ts';
import type { Term } from '../catalogue/words.ts';
import { commonSpelling, maxSpellings } from '../catalogue/suggestion.ts';
import { eachAtOnce } from '../lib/semaphore.ts';
import type { PrioritySignal } from '../lib/scheduler.ts';
import { maxCharacters } from '../store/contract/page.ts';
import type { CompleteStore } from '../store/contract/store.ts';

/** The number of authors whose books are counted at once. */
const maxCounting = 4;
/** The maximum and minimum number of books that are read at once. Few are enough where one author has very many. */
const maxRead = 1000;
const minRead = 4;
/** The number of books that a search reads at a time, because a store may collect all matches anew each time; and in all. */
const searchRead = 5000;
const maxSearched = 15_000;
/** How long a patient search reads before it ends its page, in milliseconds. */
const maxPatienceMs = 2000;

type Asked = Pick<CompleteStore, 'find' | 'count'>;

export interface NamePage {
  readonly authors: readonly AuthorCount[];
  /** The key of the last author, after which the next page begins; `undefined` on the last page. */
  readonly next: string | undefined;
}

/** Selects a page of authors by name. */
export interface NameQuery {
  /** Folded prefixes of words of the name. */
  readonly starts: readonly Term[];
  /** The text that asks for them. */
  readonly text: string;
  readonly isDescending: boolean;
  readonly limit: number;
  /** The key of an author, who need not exist any more. */
  readonly after: string | undefined;
  /** Whether a search may read few books at a time, as often as it must: authors of very many books then take one read each. */
  readonly isPatient?: boolean;
}

/** Books that follow one another with the same author key. */
interface Run {
  readonly key: string;
  /** By id. */
  readonly books: Book[];
  /** Whether these are all books of the author. */
  isWhole: boolean;
}

/**
 * Reads a page of authors by name. `undefined`: a search would read too many books. A patient one may end a page before its limit.
 */
export async function findByName(
  store: Asked,
  { starts, text, isDescending, limit, after, isPatient = false }: NameQuery,
  signal: PrioritySignal,
): Promise<NamePage | undefined> {
  const sort = isDescending ? (`-${authorField}` as const) : authorField;
  const query: BookQuery = { sort, ...(starts.length > 0 && { [`${authorField}Words`]: text }) };
  // All matches at once, because a store may collect them anew each time.
  const isSearch = starts.length > 0 && !isPatient;
  const end = isPatient ? performance.now() + maxPatienceMs : Infinity;
  const beyond = (key: string): KeysetPosition => ({ key, id: isDescending ? 0 : Number.MAX_SAFE_INTEGER });
  const runs: Run[] = [];
  // Books without an author come first, or last.
  let place = after === undefined ? (isDescending ? undefined : beyond('')) : beyond(after);
  let [size, isEnd, searched, characters] = [limit + 1, false, 0, 0];
  // One more than fits, to find out whether another page follows.
  while (
    runs.length <= limit &&
    characters < maxCharacters &&
    !isEnd &&
    (runs.length === 0 || performance.now() < end)
  ) {
    if (searched >= maxSearched) return undefined;
    const read = Math.min(isSearch ? searchRead : maxRead, Math.max(minRead, size));
    const page = { limit: read, after: place, byText: true, isStrict: true, signal };
    const { books, isLast } = await store.find(query, page);
    const found = toRuns(books);
    if (isSearch) searched += books.length;
    const last = found.at(-1);
    isEnd = isLast;
    if (last === undefined) break;
    last.isWhole = isLast;
    // A name of which only some spellings match, by an apostrophe in them, is counted with the others.
    for (const run of found) run.isWhole &&= isWholeKey(run.key) && haveStarts(run.key.split(' '), starts);
    if (isDescending) for (const run of found) run.books.reverse();
    const named = found.filter(({ key }) => key !== '');
    runs.push(...named);
    for (const { books: own } of named) characters += own[0]?.[authorField].length ?? 0;
    place = beyond(last.key);
    // As many books as the missing authors probably have; of a search, as many as possible.
    const wanted = Math.ceil((1.2 * (limit + 1 - runs.length) * books.length) / found.length);
    size = isSearch ? searchRead : found.length === 1 ? Math.ceil(read / 4) : Math.min(2 * read, wanted);
  }
  const shown = runs.slice(0, limit);
  const authors = new Map<Run, AuthorCount>();
  await eachAtOnce(shown, maxCounting, async (run) => {
    authors.set(run, await countRun(store, run, signal));
  });
  return {
    authors: shown.flatMap((run) => authors.get(run) ?? []),
    next: runs.length > limit || !isEnd ? shown.at(-1)?.key : undefined,
  };
}

function toRuns(books: readonly Book[]): Run[] {
  const runs: Run[] = [];
  for (const book of books) {
    const key = textKey(book[authorField]);
    const last = runs.at(-1);
    if (last?.key === key) last.books.push(book);
    else runs.push({ key, books: [book], isWhole: true });
  }
  return runs;
}

async function countRun(store: Asked, run: Run, signal: PrioritySignal): Promise<AuthorCount> {
  if (run.isWhole) return { author: spellingOf(run.books), count: run.books.length };
  const author = await readSpelling(store, run.key, signal);
  if (!isWholeKey(run.key)) return { author, count: await countKey(store, run, author, signal) };
  return { author, count: await store.count({ [authorField]: author, ignoresSigns: true }, { signal }) };
}

/** The usual spelling of the author with a key; empty if no book has it any more. */
export async function readSpelling(
  store: Pick<CompleteStore, 'find'>,
  key: string,
  signal: PrioritySignal,
): Promise<string> {
  const place = { limit: maxSpellings, after: { key, id: 0 }, signal, byText: true };
  const { books } = await store.find({ sort: authorField }, place);
  return spellingOf(books.filter((book) => textKey(book[authorField]) === key));
}

function spellingOf(books: readonly Book[]): string {
  return commonSpelling(books.slice(0, maxSpellings).map((book) => book[authorField]));
}

/** The number of books with a key that is the beginning of several texts. Of very many, it counts only those with this author. */
async function countKey(
  store: Asked,
  { key, books: known }: Run,
  author: string,
  signal: PrioritySignal,
): Promise<number> {
  let [count, limit] = [0, 2 * known.length + minRead];
  for (let after: KeysetPosition = { key, id: 0 }; count < searchRead; limit *= 2) {
    const read = Math.min(maxRead, limit);
    const page = { limit: read, after, signal, byText: true };
    const { books, isLast } = await store.find({ sort: authorField }, page);
    const own = books.filter((book) => textKey(book[authorField]) === key);
    count += own.length;
    const last = own.at(-1);
    if (isLast || last === undefined || own.length < books.length) return count;
    after = { key, id: last.id };
  }
  return store.count({ [authorField]: author }, { signal });
}
