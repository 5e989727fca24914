import { textLength, type Book } from '../../../catalogue/book.ts';
import {
  areDuplicates,
  duplicateLevels,
  sameKey,
  spellBook,
  type BookSpelling,
  type DuplicateLevel,
} from '../../../catalogue/duplicates/duplicates.ts';
import { DisjointSets } from '../../../lib/grouping/disjoint-sets.ts';
import { Semaphore } from '../../../lib/semaphore.ts';
import type { BookStore } from '../../../store/store.ts';
import { visitInSlices } from '../long-work.ts';
import { DuplicatesCache, type DuplicatesCacheOptions } from './duplicates-cache.ts';

/** The maximum number of books in a group, and the approximate maximum in a page. */
const maxBooks = 1000;
const maxCharacters = 2 ** 20;
/** The number of books of a group that are read first. Then more at once, unless they are long. */
const firstReadCount = 8;
/** The maximum number of pages read at once. Others wait in order. */
const maxReading = 4;

/** A page of groups. */
export interface GroupPage {
  readonly groups: readonly (readonly Book[])[];
  /** The position of the next page; `undefined` on the last one. */
  readonly next: number | undefined;
}

/** Reads pages of groups of duplicates. */
export class DuplicateReader {
  readonly #store: BookStore;
  readonly #caches: Readonly<Record<DuplicateLevel, DuplicatesCache>>;
  readonly #reading = new Semaphore(maxReading);

  constructor(store: BookStore, options: DuplicatesCacheOptions) {
    this.#store = store;
    const running = new Semaphore(1);
    this.#caches = Object.fromEntries(
      duplicateLevels.map((level) => [level, new DuplicatesCache(store, level, running, options)]),
    ) as Record<DuplicateLevel, DuplicatesCache>;
  }

  /** The ids of the groups; see {@link DuplicatesCache.read}. */
  find(level: DuplicateLevel, signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    return this.#caches[level].read(signal);
  }

  /**
   * Reads the books of the groups after a position: the first id of a group. Each group on the page consists of duplicates
   * now, whatever has been written since the groups were found.
   *
   * @throws {ShelflistError} As the store does; and the signal's reason when it is aborted.
   */
  read(
    level: DuplicateLevel,
    found: readonly (readonly number[])[],
    { limit, after = 0 }: { limit: number; after?: number | undefined },
    signal: AbortSignal,
  ): Promise<GroupPage> {
    return this.#reading.run(async () => {
      const groups: Book[][] = [];
      let books = 0;
      let characters = 0;
      let position: number | undefined;
      for (const ids of found) {
        const [first = 0] = ids;
        if (first <= after) continue;
        if (groups.length >= limit || books >= maxBooks || characters >= maxCharacters)
          return { groups, next: position };
        signal.throwIfAborted();
        position = first;
        for (const group of await regroup(level, await this.#readBooks(ids))) {
          groups.push(group);
          books += group.length;
          characters += group.reduce((sum, book) => sum + textLength(book), 0);
        }
      }
      return { groups, next: undefined };
    }, signal);
  }

  async #readBooks(group: readonly number[]): Promise<Book[]> {
    const ids = group.slice(0, maxBooks);
    const books: Book[] = [];
    let characters = 0;
    let count = firstReadCount;
    for (let start = 0; start < ids.length; start += count, count *= 2) {
      const read = await Promise.all(ids.slice(start, start + count).map((id) => this.#store.get(id)));
      for (const book of read) {
        if (book === undefined) continue;
        books.push(book);
        characters += textLength(book);
      }
      if (books.length > 1 && characters > maxCharacters) break;
    }
    return books;
  }
}

/** The groups of duplicates among a few books, each by id. */
async function regroup(level: DuplicateLevel, books: readonly Book[]): Promise<Book[][]> {
  const sets = new DisjointSets();
  const firsts = new Map<string, { at: number; spelling: BookSpelling }>();
  await visitInSlices(books.entries(), ([at, book]) => {
    const spelling = spellBook(book);
    const key = sameKey(level === 'year' ? { texts: spelling.texts } : spelling);
    const first = firsts.get(key);
    if (first === undefined) firsts.set(key, { at, spelling });
    else sets.join(first.at, at);
  });
  if (level === 'typo')
    await visitInSlices(pairsOf([...firsts.values()]), ([a, b]) => {
      if (areDuplicates('typo', a.spelling, b.spelling)) sets.join(a.at, b.at);
    });
  return sets.toArrays().map((group) => group.flatMap((at) => books[at] ?? []));
}

function* pairsOf<Item>(items: readonly Item[]): Generator<[Item, Item]> {
  for (const [i, item] of items.entries()) for (const other of items.slice(i + 1)) yield [item, other];
}
