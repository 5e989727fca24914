// Reads a page of the books that match, and a page of all books by id.
import type { Book } from '../../catalogue/book.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { matches, toFilter, type BookFilter, type StoreQuery } from '../../catalogue/query.ts';
import { isOrderedText } from '../../catalogue/sort-keys.ts';
import type { IdRange } from '../contract/ids.ts';
import { checkOrder, createPage, maxBooks, type StorePage, type PageRequest } from '../contract/page.ts';
import { findByRank } from './best.ts';
import { isSorted, type Candidate, type MatchLists } from './match-list.ts';
import { orderedSearch, type IndexName } from './places.ts';
import { readDocuments, type QueryContext } from './reading.ts';
import { live } from './schema.ts';
import { walk } from './walk.ts';

/** As `BookStore.find`. @param lists Those of earlier pages. */
export async function findBooks(
  reading: QueryContext,
  query: StoreQuery,
  { limit, after, byText = false }: PageRequest,
  lists?: MatchLists,
): Promise<StorePage> {
  const filter = toFilter(query);
  const { best } = filter;
  if (best !== undefined) return findByRank(reading, { ...filter, best }, limit, after);
  const { index, order } = indexOf(reading, filter, after, byText);
  const search = orderedSearch(filter, index);
  const fill = (candidates: Candidates) => fillPage(candidates, filter, limit, order);
  // Who reads as many books as a page may have will read the next page, too.
  const isListed = limit >= maxBooks && isSorted(search);
  const page = isListed ? await lists?.page(reading, search, after, fill) : undefined;
  return page ?? fill(walk(reading, search, after, Math.min(limit, maxBooks) + 1));
}

type Candidates = AsyncIterable<Candidate> | Iterable<Candidate>;

/** Makes a page of those of the candidates that match. */
async function fillPage(
  candidates: Candidates,
  filter: BookFilter,
  limit: number,
  order: string | undefined,
): Promise<StorePage> {
  const page = createPage(limit);
  const seen = new Set<number>();
  let end: KeysetPosition | undefined;
  for await (const { book, key, id } of candidates) {
    // A book that moves during the walk may appear again.
    if (book === undefined || seen.has(id) || !matches(filter, book)) continue;
    if (page.isFull) return { books: page.books, isLast: false, end };
    seen.add(id);
    page.add(book);
    end = { key, id, order };
  }
  return { books: page.books, isLast: true, end };
}

/** What an order follows, and its name. @throws {ShelflistError} `invalid_query`: the position belongs to another order. */
function indexOf(
  { database: { order } }: QueryContext,
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
export async function readPage(reading: QueryContext, { first, last }: IdRange): Promise<ListPage> {
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
