import type { AuthorPosition } from '../api/cursor.ts';
import type { AuthorsParameters } from '../api/queries.ts';
import { groupKey } from '../catalogue/author-variants.ts';
import type { AuthorCount } from '../catalogue/authors.ts';
import { hasCode } from '../catalogue/errors.ts';
import { haveStarts, toFilter } from '../catalogue/query.ts';
import { authorField } from '../catalogue/fields.ts';
import { searchTerms } from '../catalogue/words.ts';
import type { Logger } from '../lib/logger.ts';
import { forEachYielding, type PrioritySignal } from '../lib/scheduler.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { cutToPage, maxCharacters } from '../store/contract/page.ts';
import type { CompleteStore } from '../store/contract/store.ts';
import { AuthorsByCount, contains } from './authors-by-count.ts';
import { findByName, readSpelling, type NameQuery } from './authors-by-name.ts';
import { findAuthorVariants } from './find-author-variants.ts';
import { NotReadyError } from './not-ready.ts';
import type { ReadQueue } from './read-queue.ts';
import { StaleWhileRevalidate, type Computation } from './stale-while-revalidate.ts';

export interface AuthorsOptions {
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
  readonly logger: Pick<Logger, 'warn'>;
}

interface AuthorPage {
  readonly items: readonly object[];
  readonly next: AuthorPosition | undefined;
}

/** Reads a page of a query. */
type Ask = (limit: number, after: AuthorPosition | undefined) => Promise<AuthorPage>;

/** Which authors are read, and in which order. */
interface Selection extends Pick<NameQuery, 'starts' | 'text' | 'isDescending'> {
  /** By name, instead of by the number of books. */
  readonly isByName: boolean;
}

/** The number of authors whose spelling is read at once. */
const maxSpelling = 4;

/** The authors of a store: those by name are read, the others computed from all books. */
export class Authors {
  readonly #store: CompleteStore;
  readonly #byCount: StaleWhileRevalidate<AuthorsByCount>;
  readonly #variants: StaleWhileRevalidate<readonly Variants[]>;

  constructor(store: CompleteStore, { closing, logger }: AuthorsOptions) {
    this.#store = store;
    // Each reads every author, so one does at a time.
    const common = { store, closing, logger, queue: new Semaphore(1) };
    this.#byCount = new StaleWhileRevalidate((computation) => this.#count(computation), {
      ...common,
      what: 'the books of all authors are being counted',
    });
    this.#variants = new StaleWhileRevalidate((computation) => this.#findVariants(computation), {
      ...common,
      what: 'the spellings of all authors are being compared',
    });
  }

  /** Prepares the answer of a query; waits for what must be computed first. */
  async prepare(query: AuthorsParameters, pages: ReadQueue, signal: AbortSignal): Promise<Ask> {
    const { q = '', sort = authorField, variants = false } = query;
    const starts = toFilter({ [`${authorField}Words`]: q }).fieldWords[authorField] ?? [];
    const kept = { mayBeOld: pages.isAnonymous };
    if (variants) {
      const groups = await this.#variants.read(signal, kept);
      return (limit, after) =>
        pages.run((own) => findVariants(groups, { starts, limit, after }, own), signal);
    }
    const selection = {
      starts,
      text: q,
      isDescending: sort.startsWith('-'),
      isByName: sort.endsWith(authorField),
    };
    const counted = async (): Promise<Ask> =>
      this.#askCounted(await this.#byCount.read(signal, kept), selection, pages, signal);
    if (!selection.isByName) return counted();
    const isSearch = starts.length > 0;
    if (isSearch && this.#byCount.isSlow) return counted();
    return async (limit, after) => {
      const find = async (isPatient: boolean): Promise<AuthorPage | undefined> => {
        const page = { ...selection, limit, after: after?.key, isPatient };
        const found = await pages.run((own) => findByName(this.#store, page, own), signal);
        return (
          found && { items: found.authors, next: found.next === undefined ? undefined : { key: found.next } }
        );
      };
      try {
        const found = await find(false);
        if (found !== undefined) return found;
      } catch (error) {
        if (!isSearch || !hasCode(error, 'unavailable')) throw error;
      }
      // Too many books have such an author.
      try {
        return await (
          await counted()
        )(limit, after);
      } catch (error) {
        // The authors are still being counted.
        if (!(error instanceof NotReadyError)) throw error;
        const found = await find(true).catch(() => undefined);
        if (found === undefined) throw error;
        return found;
      }
    };
  }

  /** The answer from all authors. */
  #askCounted(
    all: AuthorsByCount,
    { isByName, ...selection }: Selection,
    pages: ReadQueue,
    signal: AbortSignal,
  ): Ask {
    const find = (limit: number, after: AuthorPosition | undefined, own: PrioritySignal) =>
      isByName
        ? all.findByName({ ...selection, limit, after: after?.key }, own)
        : all.find({ ...selection, limit, after: after && { key: after.key, count: after.count ?? 0 } }, own);
    return (limit, after) =>
      pages.run(async (own) => {
        const { authors, isLast } = await find(limit, after, own);
        const items: AuthorCount[] = [];
        const isFull = () => items.length > cutToPage(items, lengthOf).length;
        while (items.length < authors.length && !isFull()) {
          const some = authors.slice(items.length, items.length + maxSpelling);
          const spelled = some.map(async ({ key, count }) => {
            return { author: await readSpelling(this.#store, key, own), count };
          });
          items.push(...(await Promise.all(spelled)));
        }
        const last = isLast && items.length === authors.length ? undefined : authors[items.length - 1];
        // An author without a spelling has no books any more.
        return {
          items: items.filter(({ author }) => author !== ''),
          next: isByName && last !== undefined ? { key: last.key } : last,
        };
      }, signal);
  }

  async #count({ signal, onProgress }: Computation): Promise<AuthorsByCount> {
    const total = await this.#total(signal);
    return AuthorsByCount.read(this.#store.authors({ signal }), signal, (books) => {
      onProgress(Math.min(1, books / Math.max(1, total)));
    });
  }

  async #findVariants({ signal, onProgress }: Computation): Promise<readonly Variants[]> {
    const total = await this.#total(signal);
    const groups = await findAuthorVariants(this.#store.authors({ signal }), { signal, total, onProgress });
    const found: Variants[] = [];
    const add = (group: readonly AuthorCount[]) => {
      found.push({ group, words: group.map(({ author }) => searchTerms(author).join(' ')) });
    };
    await forEachYielding(groups, add, signal);
    return found;
  }

  /** The number of books, for the progress: a store that cannot count them in time still reads them. */
  #total(signal: AbortSignal): Promise<number> {
    return this.#store.count({}, { signal }).catch(() => Infinity);
  }
}

const lengthOf = ({ author }: AuthorCount): number => author.length;

/** The spellings of one name. */
interface Variants {
  readonly group: readonly AuthorCount[];
  /** The words of each, joined: finding them again for each search would take a hundred times as long. */
  readonly words: readonly string[];
}

interface VariantsQuery extends Pick<NameQuery, 'starts' | 'limit'> {
  readonly after: AuthorPosition | undefined;
}

/** A page of the groups with a spelling that has words with these starts. */
async function findVariants(
  variants: readonly Variants[],
  { starts, limit, after }: VariantsQuery,
  signal: PrioritySignal,
): Promise<AuthorPage> {
  const items: (readonly AuthorCount[])[] = [];
  let characters = 0;
  const state = { hasMore: false };
  function* following() {
    for (const each of variants) {
      if (state.hasMore) return;
      yield each;
    }
  }
  const visit = ({ group, words }: Variants) => {
    if (after !== undefined && groupKey(group) <= after.key) return;
    if (!words.some((each) => contains(each, starts) && haveStarts(each.split(' '), starts))) return;
    state.hasMore = items.length >= limit || characters >= maxCharacters;
    if (state.hasMore) return;
    items.push(group);
    characters += group.reduce((sum, spelling) => sum + lengthOf(spelling), 0);
  };
  await forEachYielding(following(), visit, signal);
  const last = items.at(-1);
  return { items, next: state.hasMore && last !== undefined ? { key: groupKey(last) } : undefined };
}
