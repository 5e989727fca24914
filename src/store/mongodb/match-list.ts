// The ids of the matches of a search, sorted once for all pages of a reader. The server would sort them again for each page.
import type { Filter } from 'mongodb';
import { textLength } from '../../catalogue/book.ts';
import { comparePositions, type KeysetPosition, type OrderKey } from '../../catalogue/keyset-position.ts';
import { hasWords, matchesEverything } from '../../catalogue/query.ts';
import { maxBooks, maxCharacters } from '../contract/page.ts';
import { keyOf, placesAfter, type OrderedSearch } from './places.ts';
import { readDocuments, type Read, type QueryContext } from './reading.ts';
import { bookProjection, live, promisedOptions, type BookDocument } from './schema.ts';
import type { Version } from './version.ts';

/** The maximum number of ids in a list: with more matches, a walk through the index of the order soon fills a page. */
const maxListed = 50_000;
/** The number of lists that are kept. */
const maxLists = 8;
/** The number of books that are read first: long ones fill a page. */
const firstRead = 100;

/** A document, and its position in the index. */
export interface Candidate extends KeysetPosition, Read {}

/** Candidates of a search in its order. */
export interface MatchList {
  readonly ids: readonly number[];
  readonly keys: readonly OrderKey[];
}

/** Whether the server may have to sort all matches, because no index has them in the order. */
export function isSorted({ filter, index }: OrderedSearch): boolean {
  return !matchesEverything(filter) && (hasWords(filter) || index !== 'id');
}

/** Lists the candidates after a position; `undefined` if they are too many. */
export async function listMatches(
  { database: { books }, maxTimeMS, signal }: QueryContext,
  search: OrderedSearch,
  after: KeysetPosition | undefined,
): Promise<MatchList | undefined> {
  const direction = search.filter.isDescending ? -1 : 1;
  const stages = [
    { $match: matchAfter(search, after) },
    { $limit: maxListed + 1 },
    { $project: { key: `$${search.field}` } }, // Else the server would sort whole documents.
    { $sort: { key: direction, _id: direction } },
  ];
  const { readConcern } = promisedOptions;
  // The reader of the books may be slow, so the cursor is read to its end at once.
  const found = await books
    .aggregate<{ _id: number; key: OrderKey }>(stages, { maxTimeMS, readConcern, batchSize: maxListed + 1 })
    .toArray();
  signal.throwIfAborted();
  if (found.length > maxListed) return undefined;
  return { ids: found.map(({ _id }) => _id), keys: found.map(({ key }) => key) };
}

/** Reads the candidates after a position in their order; `undefined` if they are more than a page. */
async function readFew(
  reading: QueryContext,
  search: OrderedSearch,
  after: KeysetPosition | undefined,
): Promise<Candidate[] | undefined> {
  const found: Candidate[] = [];
  let characters = 0;
  const limit = maxBooks + 1;
  const options = { projection: { ...bookProjection, [search.field]: 1 }, limit, batchSize: limit };
  for await (const batch of readDocuments(reading, matchAfter(search, after), options)) {
    for (const { document, book } of batch) {
      const key = keyOf(search, document);
      if (key !== undefined) found.push({ document, book, key, id: document._id });
      if (book !== undefined) characters += textLength(book);
    }
    if (found.length > maxBooks || characters > maxCharacters) return undefined;
  }
  return found.sort((a, b) => comparePositions(search.filter, a, b));
}

function matchAfter(search: OrderedSearch, after: KeysetPosition | undefined): Filter<BookDocument> {
  return { $and: [...search.terms, { $or: placesAfter(search, after) }] };
}

/**
 * Reads the documents of a list, in its order. Those that are gone are left out.
 *
 * @param from An index.
 */
export async function* readListed(
  reading: QueryContext,
  { ids, keys }: MatchList,
  from = 0,
): AsyncGenerator<Candidate, void> {
  const page = from + maxBooks + 1; // One more shows that another page follows.
  let most = Infinity;
  for (let at = from, size = firstRead; at < ids.length;) {
    const part = ids.slice(at, at < page ? Math.min(at + size, page) : at + size);
    const found = await readAll(reading, part, most);
    if (found === undefined) {
      [size, most] = [firstRead, Infinity];
      continue;
    }
    for (const [i, id] of part.entries()) {
      const read = found.get(id);
      const key = keys[at + i];
      if (read !== undefined && key !== undefined) yield { ...read, key, id };
    }
    at += part.length;
    [size, most] = [maxBooks, 4 * maxCharacters];
  }
}

/** Reads documents by their ids. */
export function readAll(reading: QueryContext, ids: readonly number[]): Promise<ReadonlyMap<number, Read>>;
/** The same; `undefined` if their texts are longer than this. */
export function readAll(
  reading: QueryContext,
  ids: readonly number[],
  most: number,
): Promise<ReadonlyMap<number, Read> | undefined>;
export async function readAll(
  reading: QueryContext,
  ids: readonly number[],
  most = Infinity,
): Promise<ReadonlyMap<number, Read> | undefined> {
  const found = new Map<number, Read>();
  let characters = 0;
  const filter = { ...live, _id: { $in: [...ids] } };
  for await (const batch of readDocuments(reading, filter, { batchSize: ids.length + 1 })) {
    for (const read of batch) {
      found.set(read.document._id, read);
      if (read.book !== undefined) characters += textLength(read.book);
    }
    if (characters > most) return undefined;
  }
  return found;
}

/** A list, and the version of the catalogue that it belongs to. */
interface KeptList extends MatchList {
  readonly version: string;
  /** Whether it has all matches, and not only those after a position. */
  readonly isWhole: boolean;
}

/** Keeps lists while the catalogue stays the same. */
export class MatchLists {
  readonly #version: Pick<Version, 'read'>;
  /** The oldest first. `many`: there are too many matches for a list. */
  readonly #lists = new Map<string, KeptList | 'many'>();

  constructor(version: Pick<Version, 'read'>) {
    this.#version = version;
  }

  /** The candidates after a position, from a list; `undefined` if they are too many for one. */
  async page<Page>(
    reading: QueryContext,
    search: OrderedSearch,
    after: KeysetPosition | undefined,
    fill: (candidates: AsyncIterable<Candidate> | Iterable<Candidate>) => Promise<Page>,
  ): Promise<Page | undefined> {
    const name = JSON.stringify([search.index, search.filter]);
    const kept = this.#lists.get(name);
    if (kept === 'many' && after !== undefined) return undefined;
    const from = kept === undefined || kept === 'many' ? undefined : indexAfter(kept, after);
    let version: string | undefined;
    if (kept !== undefined && kept !== 'many' && from !== undefined) {
      const [page, now] = await Promise.all([fill(readListed(reading, kept, from)), this.#version.read()]);
      if (now === kept.version) return page;
      version = now;
    }
    const few = await readFew(reading, search, after);
    if (few !== undefined) return fill(few);
    version ??= await this.#version.read(); // Before the ids, which may be newer.
    const list = await listMatches(reading, search, after);
    this.#keep(name, list === undefined ? 'many' : { ...list, version, isWhole: after === undefined });
    return list && fill(readListed(reading, list));
  }

  #keep(name: string, list: KeptList | 'many'): void {
    this.#lists.delete(name);
    this.#lists.set(name, list);
    const [oldest] = this.#lists.keys();
    if (oldest !== undefined && this.#lists.size > maxLists) this.#lists.delete(oldest);
  }
}

/** The index in a list after a position; `undefined` if the list does not have it. */
function indexAfter({ ids, keys, isWhole }: KeptList, after: KeysetPosition | undefined): number | undefined {
  if (after === undefined) return isWhole ? 0 : undefined;
  const at = ids.indexOf(after.id);
  return at !== -1 && keys[at] === after.key ? at + 1 : undefined;
}
