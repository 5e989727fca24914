// Reads a page of the books that match, and a page of all books by id.
import type { Filter, Sort } from 'mongodb';
import type { Book } from '../../catalogue/book.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import {
  matches,
  matchesEverything,
  toFilter,
  type BookFilter,
  type BookQuery,
  type SortKey,
} from '../../catalogue/query.ts';
import { searchedFields, type IndexedText } from '../../catalogue/fields.ts';
import { isOrderedText } from '../../catalogue/sort-keys.ts';
import type { IdRange } from '../contract/ids.ts';
import { checkOrder, createPage, type Page, type PageRequest } from '../contract/page.ts';
import { countOnServer } from './count.ts';
import { candidates } from './filter.ts';
import { readDocuments, type Read, type Reading } from './reading.ts';
import { anyId, bookProjection, hasServerCode, live, type BookDocument } from './schema.ts';

/** As `BookStore.find`. */
export async function findBooks(
  reading: Reading,
  query: BookQuery,
  { limit, after, byText = false }: PageRequest,
): Promise<Page> {
  const filter = toFilter(query);
  const { index, order } = indexOf(reading, filter, after, byText);
  const page = createPage(limit);
  const seen = new Set<number>();
  let end: KeysetPosition | undefined;
  // Reads one more than fits, to find out whether another page follows.
  for await (const { book, key, id } of walk(reading, filter, index, after, page.maxBooks + 1)) {
    // A book that moves during the walk may appear again.
    if (book === undefined || seen.has(id) || !matches(filter, book)) continue;
    if (page.isFull) return { books: page.books, isLast: false, end };
    seen.add(id);
    page.add(book);
    end = { key, id, order };
  }
  return { books: page.books, isLast: true, end };
}

/** A document, and its position in the index. */
interface Candidate extends KeysetPosition, Read {}

/** Walks the candidates of a filter in its order. Each part is a separate query, so that no cursor stays open. */
async function* walk(
  reading: Reading,
  filter: BookFilter,
  name: IndexName,
  after: KeysetPosition | undefined,
  firstRead: number,
): AsyncGenerator<Candidate, void> {
  const { sort, isDescending } = filter;
  const direction = isDescending ? -1 : 1;
  const isById = sort === 'id';
  const field = isById ? '_id' : `index.${name}`;
  const order: Sort = isById ? { _id: direction } : { [field]: direction, _id: direction };
  const projection = { ...bookProjection, [`index.${name}`]: 1 };
  const terms = matchesEverything(filter) && isById ? [live] : candidates(filter);
  const hint = (await areTogether(reading, filter)) ? { hint: byWords } : {};

  async function* read(place: Filter<BookDocument>, limit: number): AsyncGenerator<Candidate> {
    const options = { sort: order, limit, batchSize: Math.min(limit, maxBatch), projection, ...hint };
    for await (const batch of readDocuments(reading, { $and: [place, ...terms] }, options)) {
      for (const { document, book } of batch) {
        const key = name === 'id' ? document._id : document.index?.[name];
        if (key !== undefined) yield { document, book, key, id: document._id };
      }
    }
  }

  const beyond = isDescending ? '$lt' : '$gt';
  /** The parts of the index after a position: the remaining ids with its key, then the keys beyond it. */
  const placesAfter = (last: KeysetPosition | undefined): Filter<BookDocument>[] => {
    if (isById) return [{ [field]: { ...anyId, ...(last && { [beyond]: last.key }) } }];
    if (last === undefined) return [{ [field]: { $exists: true } }];
    return [{ [field]: last.key, _id: { [beyond]: last.id } }, { [field]: { [beyond]: last.key } }];
  };

  // Candidates may be many that do not match. The server may sort all of them for each query, so that each one reads more.
  for (let last = after, isLast = false, limit = firstRead; !isLast; limit *= 2) {
    for (const place of placesAfter(last)) {
      let count = 0;
      for await (const candidate of read(place, limit)) {
        yield candidate;
        last = candidate;
        count++;
      }
      isLast = count < limit;
      if (!isLast) break;
    }
  }
}

/** The number of documents that the server sends at a time: a whole page, and one more. */
const maxBatch = 1001;
const byWords = { 'index.words': 1 };
/** At most so many books with a word are sorted for each page. */
const maxSorted = 20_000;
/** The server's code for a hint to an index that is not there, or is being built. */
const badHint = 2;

/**
 * Whether the index of words leads to few enough books that are together in their order, because their words are in the field that
 * orders them. The server expects such books everywhere, and would walk most of the index of the order.
 */
async function areTogether(reading: Reading, filter: BookFilter): Promise<boolean> {
  const { fieldWords, sort, texts, ranges } = filter;
  const name = searchedFields.find((each) => each === sort);
  if (name === undefined || (fieldWords[name] ?? []).length === 0) return false;
  if (Object.keys(texts).length > 0 || Object.keys(ranges).length > 0) return false;
  try {
    return (await countOnServer(reading, { $and: candidates(filter) }, maxSorted + 1, byWords)) <= maxSorted;
  } catch (error) {
    if (hasServerCode(error, badHint)) return false;
    throw error;
  }
}

/** A member of the index entries that an order follows; or the id. */
type IndexName = SortKey | `${IndexedText}Order`;

/** What an order follows, and its name. @throws {ShelflistError} `invalid_query`: the position belongs to another order. */
function indexOf(
  { database: { order } }: Reading,
  { sort }: BookFilter,
  after: KeysetPosition | undefined,
  byText: boolean,
): { readonly index: IndexName; readonly order: string | undefined } {
  if (byText || !isOrderedText(sort)) return { index: sort, order: undefined };
  checkOrder(after, order.name);
  return { index: order.isPlain ? sort : `${sort}Order`, order: order.name };
}

/** One page of books by id, and the start of the next page. */
export interface ListPage {
  readonly books: readonly Book[];
  /** `undefined`: there are no more. */
  readonly next: number | undefined;
}

/**
 * Reads one page of the books with these ids. Each page is a separate query: a slow reader keeps no cursor open on
 * the server.
 */
export async function readPage(reading: Reading, { first, last }: IdRange): Promise<ListPage> {
  const page = createPage();
  const { maxBooks: limit } = page;
  const filter = { ...live, _id: { $gte: first, $lte: last } };
  let read = 0;
  for await (const batch of readDocuments(reading, filter, { sort: { _id: 1 }, limit, batchSize: limit })) {
    for (const { document, book } of batch) {
      read++;
      if (book !== undefined) page.add(book);
      if (page.isFull || read === limit) return { books: page.books, next: Math.floor(document._id) + 1 };
    }
  }
  return { books: page.books, next: undefined };
}
