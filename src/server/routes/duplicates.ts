import { textLength, type Book } from '../../catalogue/book.ts';
import {
  parseDuplicatesQuery,
  duplicateLevels,
  type DuplicateLevel,
  areDuplicates,
  sameKey,
  spellBook,
  type BookSpelling,
} from '../../catalogue/duplicates.ts';
import { formatGroupCursor, parseGroupCursor } from '../../catalogue/cursor.ts';
import { maxLimit, withCursor } from '../../catalogue/query-string.ts';
import { DisjointSets } from '../../lib/grouping/disjoint-sets.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { visitInSlices } from '../../lib/time-slices.ts';
import type { BookStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import { JsonText, type Reply } from '../http/reply.ts';
import type { Parameter } from '../openapi/operation.ts';
import { ref } from '../openapi/schemas.ts';
import { DuplicatesCache, type DuplicatesCacheOptions } from './duplicates-cache.ts';
import type { Route } from './route.ts';

const parameters: readonly Parameter[] = [
  {
    name: 'level',
    in: 'query',
    description:
      '`same`: all fields are equal without case, accents, spacing and punctuation. `year`: the same, whatever the ' +
      'years. `typo`: as `same`, but for one typing error in the title or the author, or a year that is 0.',
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

/** @param closing Aborted when the service closes. */
export function duplicatesRoute(store: BookStore, closing: AbortSignal): Route {
  const reader = new DuplicateReader(store, { closing });
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
        'their first ids. With `limit`, the response is a page. A 503 can mean that the books are still being compared; ' +
        'a later request gets the result.',
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
  return { data, headers: { Link: `<${path}?${nextQuery}>; rel="next"` } };
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

/** The maximum number of books in a group, and the approximate maximum in a page. */
const maxBooks = 1000;
const maxCharacters = 2 ** 20;
/** The number of books of a group that are read first. Then more at once, unless they are long. */
const firstReadCount = 8;
/** The maximum number of pages read at once. Others wait in order. */
const maxReading = 4;

interface GroupPage {
  readonly groups: readonly (readonly Book[])[];
  /** The position of the next page; `undefined` on the last one. */
  readonly next: number | undefined;
}

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
