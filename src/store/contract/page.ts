// Pages of books: the request, its check, and how full a page may be.
import { textLength, type Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { PrioritySignal } from '../../lib/scheduler.ts';
import { comparePositions, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import { matches, toFilter, type BookFilter, type StoreQuery } from '../../catalogue/query.ts';
import { positionOf } from '../../catalogue/sort-keys.ts';

/** A part of a listing: about 1 ms of work, so that other requests can run in between, and bounded memory. */
export const maxBooks = 1000;
/** The approximate maximum of the characters in one answer, or in one of its parts. */
export const maxCharacters = 2 ** 20;

/** Books that follow one another in a listing. */
export interface StorePage {
  /** The books, in the order of the query. */
  readonly books: readonly Book[];
  /** Whether the store had no more when it was read. */
  readonly isLast: boolean;
  /** The position of the last book, if it is not that of `positionOf`: the store has other rules for its orders. */
  readonly end?: KeysetPosition | undefined;
  /** `parts`: some word of the query begins no word of any book; the books found have words that contain it. */
  readonly match?: 'parts' | undefined;
  /** Whether the same request may find other books soon although none has changed: the list of all words is late. */
  readonly isProvisional?: boolean | undefined;
}

/** The position of the last book of a page, which the next page follows; `undefined`: the page is empty. */
export function endOf(query: StoreQuery, { books, end }: StorePage): KeysetPosition | undefined {
  const last = books.at(-1);
  return end ?? (last && positionOf(toFilter(query), last));
}

/** Selects a page of a query's answer. */
export interface PageRequest {
  /** Page size, 1 or more. */
  readonly limit: number;
  /** The page follows this position (keyset paging). The book it came from may be gone. Default: the first page. */
  readonly after?: KeysetPosition | undefined;
  /** Whether a word finds nothing but the words that begin with it. Default: those that contain it, if none begins so. */
  readonly isStrict?: boolean | undefined;
  /** Aborted when the page is no longer needed; the store may then reject. One of priority `background` yields to others. */
  readonly signal?: PrioritySignal | undefined;
  /**
   * Orders texts by their words as they are written, so that books with the same words follow one another. Its positions have no
   * `order`. Only stores that answer questions receive it.
   */
  readonly byText?: boolean | undefined;
}

/**
 * Checks a page request, for callers without types.
 *
 * @throws {ShelflistError} `invalid_query`; the message says what to pass.
 */
export function checkPageRequest(request: PageRequest | undefined): PageRequest {
  if (request !== undefined && Number.isSafeInteger(request.limit) && request.limit >= 1) return request;
  throw new ShelflistError('invalid_query', {
    message: 'find(query, page): page.limit must be a whole number, 1 or more; for example { limit: 100 }',
  });
}

/**
 * Checks that a page continues the order of the store: books would be missing if it continued another one.
 *
 * @param order The name of the rules of the store's order.
 * @throws {ShelflistError} `invalid_query`
 */
export function checkOrder(after: KeysetPosition | undefined, order: string | undefined): void {
  if (after === undefined || after.order === order) return;
  throw new ShelflistError('invalid_query', {
    message: 'cannot continue from "after": the sort order has changed; begin again without it',
  });
}

export interface OpenPage {
  readonly books: readonly Book[];
  readonly maxBooks: number;
  readonly isFull: boolean;
  add(book: Book): void;
}

/** @param limit The maximum number of books. */
export function createPage(limit = maxBooks): OpenPage {
  const books: Book[] = [];
  let characters = 0;
  return {
    maxBooks: Math.min(limit, maxBooks),
    books,
    get isFull() {
      return books.length >= this.maxBooks || characters >= maxCharacters;
    },
    add(book) {
      books.push(book);
      characters += textLength(book);
    },
  };
}

/** The first items: no more once their texts have a million characters. One text may have as many. */
export function cutToPage<Item>(items: readonly Item[], lengthOf: (item: Item) => number): readonly Item[] {
  let characters = 0;
  const end = items.findIndex((item) => (characters += lengthOf(item)) >= maxCharacters);
  return end === -1 ? items : items.slice(0, end + 1);
}

/** A page of the books that match, in the order of their positions: for stores that compare every book. */
export function pageInOrder(
  books: Iterable<Book>,
  filter: BookFilter,
  { limit, after }: Pick<PageRequest, 'limit' | 'after'>,
  positionOfBook: (book: Book) => KeysetPosition,
): StorePage {
  const found = [...books]
    .filter((book) => matches(filter, book))
    .map((book) => ({ book, position: positionOfBook(book) }))
    .filter(({ position }) => after === undefined || comparePositions(filter, position, after) > 0)
    .sort((a, b) => comparePositions(filter, a.position, b.position));
  const page = fillPage(
    found.map(({ book }) => book),
    limit,
  );
  return { ...page, end: found[page.books.length - 1]?.position };
}

/** The first page of books in the order of a query: at most `limit`, and no more once their texts have a million characters. */
export function fillPage(books: Iterable<Book>, limit = maxBooks): StorePage {
  const page = createPage(limit);
  for (const book of books) {
    if (page.isFull) return { books: page.books, isLast: false };
    page.add(book);
  }
  return { books: page.books, isLast: true };
}
