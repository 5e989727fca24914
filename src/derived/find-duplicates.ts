// Finds the groups of duplicates among all books, and keeps them up to date.
import { hash } from 'node:crypto';
import { textLength, type Book } from '../catalogue/book.ts';
import {
  areDuplicates,
  isWithinOneEdit,
  duplicateKey,
  normalizeForComparison,
  type NormalizedBook,
} from '../catalogue/duplicates.ts';
import type { DuplicateLevel } from '../catalogue/duplicate-levels.ts';
import { indexedTexts, type IndexedText } from '../catalogue/fields.ts';
import { textKey, textPosition, type KeysetPosition } from '../catalogue/keyset-position.ts';
import { toFilter } from '../catalogue/query.ts';
import { withoutSpaces } from '../catalogue/spelling.ts';
import { DisjointSets } from './disjoint-sets.ts';
import { nearPairs } from './near-pairs.ts';
import { eachAtOnce } from '../lib/semaphore.ts';
import { scheduler, forEachYielding, type PrioritySignal } from '../lib/scheduler.ts';
import { maxCharacters } from '../store/contract/page.ts';
import type { CompleteStore, DuplicateCandidatesOptions } from '../store/contract/store.ts';
import { getSound } from './get-sound.ts';
import type { Computation } from './stale-while-revalidate.ts';

/**
 * The number of books with one author, or one title, that are compared, and about how many characters they may have. The newest
 * ones beyond it are ignored.
 */
const maxRows = { books: 50_000, characters: 2 ** 23 };
/** Longer texts are compared as a whole, without typing errors. */
const maxTypoLength = 500;
/** A text with more typing errors than this is one of a series. */
const maxAlike = 20;
/** The number of texts after each one, in order, that it is compared with. */
const maxFollowers = 1000;
/** The number of groups whose books are read at the same time. */
const groupsAtOnce = 16;
/** The number of books that are read together. */
const pageSize = 1000;

/** The part of a store that finding duplicates uses. */
type Asked = Pick<CompleteStore, 'count' | 'find' | 'get' | 'duplicateCandidates'>;

/**
 * Finds the groups of duplicates in a store: ids in ascending order, and groups in the order of their first ids. A book is in
 * at most one group: with its duplicates, and with theirs. Books may change meanwhile, so the caller checks the groups.
 *
 * The store groups books with equal texts. Books with a typing error in one text have the other one in common. They are compared
 * in the order of that text, some at a time, so that memory holds only the books of one author or one title.
 *
 * @throws {ShelflistError} As the store does; and the signal's reason when it is aborted.
 */
export async function findDuplicates(
  store: Asked,
  level: DuplicateLevel,
  { signal, onProgress }: Computation,
): Promise<number[][]> {
  const sets = new DisjointSets();
  const parts = level === 'typo' ? 1 + indexedTexts.length : 1;
  await joinSame(store, level, sets, { signal }, (done) => {
    onProgress(done / parts);
  });
  if (level !== 'typo') return sets.toArrays();
  const count = Math.max(1, await store.count({}, { signal }));
  for (const [part, name] of indexedTexts.entries()) {
    let read = 0;
    const onRead = (books: number) => {
      read += books;
      onProgress(Math.min(1, (1 + part + read / count) / parts));
    };
    for await (const rows of rowsByText(store, name, signal, onRead))
      await joinTypos(rows, part, sets, signal);
  }
  return sets.toArrays();
}

/** Joins the books with equal texts. The groups of the store may have others, too. @param onRead Called with the part that is done. */
async function joinSame(
  store: Asked,
  level: DuplicateLevel,
  sets: DisjointSets,
  options: DuplicateCandidatesOptions & { readonly signal: PrioritySignal },
  onRead: (done: number) => void = () => undefined,
): Promise<void> {
  for await (const { groups, done } of store.duplicateCandidates(options)) {
    options.signal.throwIfAborted();
    await eachAtOnce(groups, groupsAtOnce, async (ids) => {
      for (const [first, ...others] of await regroup(
        level,
        await readBooks(store, ids, options.signal),
        options.signal,
      ))
        for (const { id } of others) if (first !== undefined) sets.join(first.id, id);
    });
    onRead(done);
  }
}

/** A book in memory. Long texts are replaced by their hashes. */
interface Row extends NormalizedBook {
  readonly id: number;
}

/** Books that follow one another in an order, and have the same text, or texts with the same key. */
class Neighbours {
  readonly rows: Row[] = [];
  readonly key: string;
  readonly #first: Book;
  #characters = 0;

  /** @param key That of the text. */
  constructor(first: Book, key: string) {
    this.#first = first;
    this.key = key;
  }

  /** Most titles occur once, so only those of several books are spelled. */
  add(book: Book): void {
    for (const each of this.rows.length === 0 ? [this.#first, book] : [book]) {
      if (this.rows.length >= maxRows.books || this.#characters >= maxRows.characters) return;
      const row = toRow(each);
      this.rows.push(row);
      for (const text of row.texts) this.#characters += text.length;
    }
  }
}

/** Yields groups of books, one for each text that several share: all books with the same words in it, and possibly others. */
async function* rowsByText(
  store: Asked,
  name: IndexedText,
  signal: PrioritySignal,
  onRead: (books: number) => void,
): AsyncGenerator<readonly Row[]> {
  const query = { sort: name } as const;
  const read = (after?: KeysetPosition) => {
    // The synchronous work of a store counts like any other.
    const page = scheduler.run(
      () => store.find(query, { limit: pageSize, after, signal, byText: true }),
      signal,
    );
    page.catch(() => undefined); // A failure counts when the page is needed.
    return page;
  };
  let current: Neighbours | undefined;
  let next = read();
  for (let isLast = false; !isLast;) {
    const page = await next;
    ({ isLast } = page);
    // The store reads the next page while this one is compared.
    const last = page.books.at(-1);
    if (!isLast) next = read(last && textPosition(toFilter(query), last));
    const complete: Neighbours[] = [];
    const add = (book: Book) => {
      const key = textKey(book[name]);
      if (current?.key === key) {
        current.add(book);
        return;
      }
      if (current !== undefined && current.rows.length > 0) complete.push(current);
      current = new Neighbours(book, key);
    };
    await forEachYielding(page.books, add, signal);
    for (const { rows } of complete) yield rows;
    onRead(page.books.length);
  }
  if (current !== undefined && current.rows.length > 0) yield current.rows;
}

function toRow(book: Book): Row {
  const { texts, words, integers } = normalizeForComparison(book);
  return { id: book.id, texts: texts.map(shorten), words: words.map(shorten), integers };
}

function shorten(text: string): string {
  return text.length <= maxTypoLength ? text : hash('sha256', withoutSpaces(text), 'hex');
}

/** Joins the books of which one text is equal, and the others differ by a typing error. @param equal The index of that text. */
async function joinTypos(
  rows: readonly Row[],
  equal: number,
  sets: DisjointSets,
  signal: PrioritySignal,
): Promise<void> {
  const firsts = new Map<string, Row>();
  for (const row of rows) {
    const key = [...row.texts, ...row.integers].join('\0');
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, row);
    else sets.join(first.id, row.id);
  }
  const different = [...firsts.values()];
  for (const field of indexedTexts.keys()) {
    if (field === equal) continue;
    const texts = different.map((row) => row.texts[field] ?? '');
    const isNear = (i: number, j: number) => {
      const [a, b] = [different[i], different[j]];
      return a && b ? isWithinOneEdit(texts[i] ?? '', texts[j] ?? '') && areDuplicates('typo', a, b) : false;
    };
    for (const [i, j] of await nearPairs(texts, { isNear, maxNear: maxAlike, maxFollowers, signal })) {
      const [a, b] = [different[i], different[j]];
      if (a && b) sets.join(a.id, b.id);
    }
  }
}

/** The number of changed books whose groups are updated one by one. After more changes, a new search is faster. */
export const maxChanges = 200;
/** The number of books with the same title, or the same author, that a changed book is compared with. */
const maxCompared = 1000;

/** The groups after some books have changed. */
export async function updateGroups(
  store: Asked,
  level: DuplicateLevel,
  groups: readonly (readonly number[])[],
  changed: ReadonlySet<number>,
  signal: PrioritySignal,
): Promise<number[][]> {
  const sets = new DisjointSets();
  for (const group of groups) {
    const [first = 0, ...others] = group.filter((id) => !changed.has(id));
    for (const id of others) sets.join(first, id);
  }
  const books: Readonly<Book>[] = [];
  for (const id of changed) {
    signal.throwIfAborted();
    const book = await getSound(store, id);
    if (book !== undefined) books.push(book);
  }
  await joinSame(store, level, sets, { of: books, signal });
  if (level !== 'typo') return sets.toArrays();
  for (const book of books) {
    const { id, title, author } = book;
    const known = groups.find((group) => group.includes(id)) ?? [];
    const others = await readBooks(store, known, signal);
    for (const query of [{ title }, { author }])
      others.push(...(await store.find(query, { limit: maxCompared, signal })).books);
    const spelling = normalizeForComparison(book);
    for (const other of others)
      if (other.id !== id && areDuplicates(level, spelling, normalizeForComparison(other)))
        sets.join(id, other.id);
  }
  return sets.toArrays();
}

/** The maximum number of books in a group. */
const maxBooks = 1000;
/** The maximum number of books in a read of a group. The first ones of a group say how long the next may be. */
const firstReadCount = 2;
const maxReadCount = 32;

/** The books with these ids, as many as a group may have. */
export async function readBooks(
  store: Pick<CompleteStore, 'get'>,
  group: readonly number[],
  signal: AbortSignal,
): Promise<Book[]> {
  const ids = group.slice(0, maxBooks);
  const books: Book[] = [];
  let characters = 0;
  let count = firstReadCount;
  for (let start = 0; start < ids.length; start += count, count = Math.min(2 * count, maxReadCount)) {
    signal.throwIfAborted();
    const read = await Promise.all(ids.slice(start, start + count).map((id) => getSound(store, id)));
    for (const book of read) {
      if (book === undefined) continue;
      books.push(book);
      characters += textLength(book);
    }
    if (books.length > 1 && characters > maxCharacters) break;
  }
  return books;
}

/** A book and its spelling, by its place in a list. */
interface Spelled {
  readonly at: number;
  readonly spelling: NormalizedBook;
}

/** The groups of duplicates among a few books, each by id. */
export async function regroup(
  level: DuplicateLevel,
  books: readonly Book[],
  signal: PrioritySignal,
): Promise<Book[][]> {
  const sets = new DisjointSets();
  const firsts = new Map<string, Spelled>();
  const join = ([at, book]: readonly [number, Book]) => {
    const spelling = normalizeForComparison(book);
    const key = duplicateKey(level === 'year' ? { texts: spelling.texts } : spelling);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, { at, spelling });
    else sets.join(first.at, at);
  };
  await forEachYielding(books.entries(), join, signal);
  if (level === 'typo') {
    const joinTypo = ([a, b]: readonly [Spelled, Spelled]) => {
      if (areDuplicates('typo', a.spelling, b.spelling)) sets.join(a.at, b.at);
    };
    await forEachYielding(pairsOf([...firsts.values()]), joinTypo, signal);
  }
  return sets.toArrays().map((group) => group.flatMap((at) => books[at] ?? []));
}

function* pairsOf<Item>(items: readonly Item[]): Generator<[Item, Item]> {
  for (const [i, item] of items.entries()) for (const other of items.slice(i + 1)) yield [item, other];
}
