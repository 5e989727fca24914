import { textLength, type Book } from '../../catalogue/book.ts';
import { parseDuplicatesQuery, duplicateLevels, type DuplicateLevel } from '../../catalogue/duplicates.ts';
import { formatGroupCursor, parseGroupCursor } from '../../catalogue/cursor.ts';
import { maxLimit, withCursor } from '../../catalogue/query-string.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { maxCharacters } from '../../store/contract/page.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import { JsonText, linkToNext, type Reply } from '../http/reply.ts';
import type { Parameter } from '../openapi/operation.ts';
import { ref } from '../openapi/schemas.ts';
import type { PrioritySignal } from '../../lib/time-slices.ts';
import { Computed, type ComputedOptions } from './computed.ts';
import { findDuplicates, maxChanges, readBooks, regroup, updateGroups } from './find-duplicates.ts';
import type { PageReader } from './page-reader.ts';
import type { Route } from './route.ts';

const parameters: readonly Parameter[] = [
  {
    name: 'level',
    in: 'query',
    description:
      '`same`: all fields are equal, ignoring case, accents, spacing and punctuation. `year`: as `same`, but ignoring the ' +
      'year. `typo`: as `same`, but with at most one typing error in either title or author; a year of 0 equals any.',
    schema: { type: 'string', enum: duplicateLevels, default: 'same' },
  },
  {
    name: 'limit',
    in: 'query',
    description:
      'Page size in groups. `Link` has the address of the next page. Pages of large groups are shorter.',
    schema: { type: 'integer', minimum: 1, maximum: maxLimit },
  },
  {
    name: 'after',
    in: 'query',
    description: 'The cursor in the `Link` of the previous page. It is valid for the same level only.',
    schema: { type: 'string', pattern: '^[A-Za-z0-9_-]+$' },
  },
];

type ReaderOptions = Pick<ComputedOptions, 'closing' | 'logger' | 'maxWaitMs'>;

export function duplicatesRoute(store: CompleteStore, pages: PageReader, options: ReaderOptions): Route {
  const reader = new DuplicateReader(store, pages, options);
  return {
    method: 'GET',
    path: '/duplicates',
    isLong: true,
    action: 'list',
    status: 200,
    message: 'Duplicates retrieved successfully',
    operation: {
      id: 'listDuplicates',
      tag: 'books',
      summary: 'List duplicates',
      description:
        'Groups of at least two books, each by id; a book is in at most one group. The groups are in the order of ' +
        'their first ids. With `limit`, the response is a page. The first search of a large catalogue takes a ' +
        'while: until it ends, the response is 503, with `Retry-After`.',
      parameters,
      data: { type: 'array', items: { type: 'array', items: ref('Book'), minItems: 2 } },
      headers: ['Link'],
      errors: ['invalid_query', 'unavailable'],
    },
    handle: (call) => listDuplicates(reader, call),
  };
}

/** The page size of a response without a limit, which is sent page by page. */
const pageSize = 100;

/**
 * Replies with the groups of duplicates, or with a page of them and a link to the next one.
 *
 * @throws {ShelflistError} `invalid_query`; `unavailable`.
 */
async function listDuplicates(
  reader: DuplicateReader,
  { query, path, signal }: Pick<Call, 'query' | 'path' | 'signal'>,
): Promise<Reply> {
  const { level = 'same', limit, after: cursor } = parseDuplicatesQuery(query);
  const after = cursor === undefined ? undefined : parseGroupCursor(level, cursor);
  const found = await reader.find(level, signal);
  if (limit === undefined) return { pages: readAll(reader, level, found, after, signal) };
  const { groups, next } = await reader.read(level, found, { limit, after }, signal);
  const data = new JsonText(JSON.stringify(groups));
  if (next === undefined) return { data };
  const nextQuery = withCursor(query, formatGroupCursor(level, next));
  return { data, headers: linkToNext(path, nextQuery) };
}

async function* readAll(
  reader: DuplicateReader,
  level: DuplicateLevel,
  found: readonly (readonly number[])[],
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (;;) {
    const { groups, next } = await reader.read(level, found, { limit: pageSize, after }, signal);
    yield JSON.stringify(groups).slice(1, -1);
    if (next === undefined) return;
    after = next;
  }
}

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
  readonly #pages: PageReader;
  readonly #computed: Readonly<Record<DuplicateLevel, Computed<{ found: Found }>>>;
  readonly #updating = new Semaphore(1);

  constructor(store: CompleteStore, pages: PageReader, options: ReaderOptions) {
    this.#store = store;
    this.#pages = pages;
    const queue = new Semaphore(1);
    const compute = (level: DuplicateLevel) =>
      new Computed(
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
