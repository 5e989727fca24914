import type { Book } from '../../../catalogue/book.ts';

/** A page that has been read: where it begins, and how many rows it has. Its rows may be forgotten. */
export interface KnownPage {
  /** The cursor that reads it; `undefined` reads the first one. */
  readonly cursor: string | undefined;
  readonly length: number;
  /** The cursor of the page after it; `undefined`: there is none. */
  readonly next: string | undefined;
  readonly books: readonly Book[] | undefined;
}

/**
 * The pages of a list from its beginning, without gaps: each begins with the cursor that ends the one before. So no row is
 * twice, and none is missing.
 */
export type Pages = readonly KnownPage[];

/** The number of rows in all pages. */
export function countRows(pages: Pages): number {
  return pages.reduce((sum, { length }) => sum + length, 0);
}

/** The index of the first row of a page. */
export function firstRowOf(pages: Pages, index: number): number {
  return countRows(pages.slice(0, index));
}

/** The book of a row; `undefined` if its page is not in memory. */
export function bookAt(pages: Pages, row: number): Book | undefined {
  let first = 0;
  for (const { length, books } of pages) {
    if (row < first + length) return books?.[row - first];
    first += length;
  }
  return undefined;
}

/** The row of a book; -1 if it is not in memory. */
export function rowOf(pages: Pages, id: number): number {
  let first = 0;
  for (const { length, books } of pages) {
    const at = books?.findIndex((book) => book.id === id) ?? -1;
    if (at !== -1) return first + at;
    first += length;
  }
  return -1;
}

/** The page of a row; the number of pages if the row is after all of them. */
export function pageOf(pages: Pages, row: number): number {
  let end = 0;
  const found = pages.findIndex(({ length }) => {
    end += length;
    return row < end;
  });
  return found === -1 ? pages.length : found;
}

/**
 * Replaces pages from an index on. Those after the new ones stay if they still follow; otherwise they are forgotten, because
 * books have come or gone.
 */
export function replacePages(pages: Pages, index: number, fresh: Pages): Pages {
  const rest = pages.slice(index + fresh.length);
  const follows = rest[0] !== undefined && rest[0].cursor === fresh.at(-1)?.next;
  return [...pages.slice(0, index), ...fresh, ...(follows ? rest : [])];
}

/** Forgets the rows of the pages farthest from one of them, until at most some pages have rows. */
export function forgetFar(pages: Pages, near: number, maxPages: number): Pages {
  const held = pages.flatMap(({ books }, i) => (books === undefined ? [] : [i]));
  if (held.length <= maxPages) return pages;
  held.sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  const far = new Set(held.slice(maxPages));
  return pages.map((page, i) => (far.has(i) ? { ...page, books: undefined } : page));
}

/** Changes the books in memory; a book without a result is removed. */
export function mapBooks(pages: Pages, change: (book: Book) => Book | undefined): Pages {
  return pages.map((page) => {
    if (page.books === undefined) return page;
    const books = page.books.flatMap((book) => change(book) ?? []);
    return { ...page, books, length: books.length };
  });
}
