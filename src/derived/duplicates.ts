import { textLength, type Book } from '../catalogue/book.ts';
import type { DuplicateLevel } from '../catalogue/duplicate-levels.ts';
import type { PrioritySignal } from '../lib/scheduler.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { maxCharacters } from '../store/contract/page.ts';
import type { CompleteStore } from '../store/contract/store.ts';
import { findDuplicates, maxChanges, readBooks, regroup, updateGroups } from './find-duplicates.ts';
import type { ReadQueue } from './read-queue.ts';
import { StaleWhileRevalidate, type ComputedOptions } from './stale-while-revalidate.ts';

export type DuplicateReaderOptions = Pick<ComputedOptions, 'closing' | 'logger' | 'maxWaitMs'>;

/** The approximate maximum number of books in a page. */
const maxBooks = 1000;
/** The number of groups whose books are read together. */
const groupsAtOnce = 8;

interface GroupPage {
  readonly groups: readonly (readonly Book[])[];
  /** The position of the next page; `undefined` on the last one. */
  readonly next: number | undefined;
}

/** The groups of a level that were found, and the position in the changes of books up to which they are current. */
interface Found {
  readonly position: string;
  readonly groups: readonly (readonly number[])[];
}

/** The groups of duplicates of each level: found once for a version of the store, and kept up to date by its changes. */
export class DuplicateReader {
  readonly #store: CompleteStore;
  readonly #pages: ReadQueue;
  readonly #computed: Readonly<Record<DuplicateLevel, StaleWhileRevalidate<{ found: Found }>>>;
  readonly #updating = new Semaphore(1);

  constructor(store: CompleteStore, pages: ReadQueue, options: DuplicateReaderOptions) {
    this.#store = store;
    this.#pages = pages;
    const queue = new Semaphore(1);
    const compute = (level: DuplicateLevel) =>
      new StaleWhileRevalidate(
        async (computation) => {
          const { position } = await store.events(); // Before the books, which may be newer.
          return { found: { position, groups: await findDuplicates(store, level, computation) } };
        },
        { ...options, store, queue, what: 'the books are being compared' },
      );
    this.#computed = { same: compute('same'), year: compute('year'), typo: compute('typo') };
  }

  /** The ids of the groups. @throws {ShelflistError} As the store does; `unavailable`: the first search goes on. */
  async find(level: DuplicateLevel, signal: AbortSignal): Promise<readonly (readonly number[])[]> {
    const kept = await this.#computed[level].read(signal);
    const update = async (own: PrioritySignal) => {
      kept.found = await this.#update(level, kept.found, own);
    };
    await this.#updating.run(() => this.#pages.run(update, signal), signal);
    return kept.found.groups;
  }

  /** Updates the groups of the changed books, unless they are too many: then the next search finds them. */
  async #update(level: DuplicateLevel, found: Found, signal: PrioritySignal): Promise<Found> {
    const { position, events, isCurrent } = await this.#store.events({ since: found.position });
    const changed = new Set(events?.map(({ id }) => id));
    if (events === undefined || !isCurrent || changed.size > maxChanges || changed.size === 0) return found;
    return { position, groups: await updateGroups(this.#store, level, found.groups, changed, signal) };
  }

  /**
   * Reads the books of the groups after a position: the first id of a group. The books of a
   * group are compared again, because they may have changed since the groups were found.
   *
   * @throws {ShelflistError} As the store does; and the signal's reason when it is aborted.
   */
  read(
    level: DuplicateLevel,
    found: readonly (readonly number[])[],
    { limit, after = 0 }: { limit: number; after?: number | undefined },
    signal: AbortSignal,
  ): Promise<GroupPage> {
    return this.#pages.run(async (own) => {
      const groups: Book[][] = [];
      let books = 0;
      let characters = 0;
      let position: number | undefined;
      const left = found.filter(([first = 0]) => first > after);
      for (let start = 0; start < left.length; start += groupsAtOnce) {
        own.throwIfAborted();
        const some = left.slice(start, start + groupsAtOnce);
        const read = await Promise.all(some.map((ids) => readBooks(this.#store, ids, own)));
        for (const [i, ids] of some.entries()) {
          if (groups.length >= limit || books >= maxBooks || characters >= maxCharacters)
            return { groups, next: position };
          [position] = ids;
          for (const group of await regroup(level, read[i] ?? [], own)) {
            groups.push(group);
            books += group.length;
            characters += group.reduce((sum, book) => sum + textLength(book), 0);
          }
        }
      }
      return { groups, next: undefined };
    }, signal);
  }
}
