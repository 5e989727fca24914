import type { Book } from '../../catalogue/book.ts';
import { readCorrected } from '../../catalogue/corrected.ts';
import type { Correction } from '../../catalogue/correction.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import type { BookQuery } from '../../catalogue/query.ts';
import { maxLimit } from '../../api/queries.ts';
import type { Client } from '../../client/client.ts';
import { cursorAt } from './letters.ts';
import { createSignal } from './signal.ts';

/** A page that has been read: where it begins, and how many rows it has. Its rows may be forgotten. */
interface KnownPage {
  /** The cursor that reads it; `undefined` reads the first one. */
  readonly cursor: string | undefined;
  readonly length: number;
  /** Whether it was read on the way to a far row, and is {@link longPageLength} long. */
  readonly isLong?: boolean | undefined;
  /** The cursor of the page after it; `undefined`: there is none. */
  readonly next: string | undefined;
  readonly books: readonly Book[] | undefined;
}

/**
 * The pages of a list from its beginning, without gaps: each begins with the cursor that ends the previous one, so no row
 * repeats or is missing.
 */
export type Pages = readonly KnownPage[];

export function countRows(pages: Pages): number {
  return pages.reduce((sum, { length }) => sum + length, 0);
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
function pageOf(pages: Pages, row: number): number {
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
function replacePages(pages: Pages, index: number, fresh: Pages): Pages {
  const rest = pages.slice(index + fresh.length);
  const follows = rest[0] !== undefined && rest[0].cursor === fresh.at(-1)?.next;
  return [...pages.slice(0, index), ...fresh, ...(follows ? rest : [])];
}

/** Forgets the rows of the pages farthest from one of them, until at most some pages have rows. */
function forgetFar(pages: Pages, near: number, maxPages: number): Pages {
  const held = pages.flatMap(({ books }, i) => (books === undefined ? [] : [i]));
  if (held.length <= maxPages) return pages;
  held.sort((a, b) => Math.abs(a - near) - Math.abs(b - near));
  const far = new Set(held.slice(maxPages));
  return pages.map((page, i) => (far.has(i) ? { ...page, books: undefined } : page));
}

/** Changes the books in memory; a book without a result is removed. */
function mapBooks(pages: Pages, change: (book: Book) => Book | undefined): Pages {
  return pages.map((page) => {
    if (page.books === undefined) return page;
    const books = page.books.flatMap((book) => change(book) ?? []);
    return { ...page, books, length: books.length };
  });
}

/** The part of the list that has been read. */
export interface ListState {
  /** The query that was asked. */
  readonly query: BookQuery;
  /** The corrected words whose books are shown, because no book has those of the query; `undefined`: there is no correction. */
  readonly correction?: Correction | undefined;
  /** Whether the words of the query are never corrected. */
  readonly isExact?: boolean;
  /** Whether words are only found within other words. */
  readonly match?: 'parts' | undefined;
  readonly pages: Pages;
  /** The letter that the list begins with; `undefined`: it begins at its start. */
  readonly letter?: string | undefined;
  /** The number of matching books, as last known; `undefined` until then. */
  readonly total: number | undefined;
  readonly isLoading: boolean;
  /** Why the list could not be read. */
  readonly error: ShelflistError | undefined;
}

/** The query whose books a list shows. */
export function shownQuery({ query, correction }: Pick<ListState, 'query' | 'correction'>): BookQuery {
  return { ...query, ...correction };
}

/** How a list begins. */
interface Beginning {
  /** The pages that were known before a reload, without books. */
  readonly known?: Pages;
  /** Begins a list by title or author with this letter. */
  readonly letter?: string | undefined;
  /** Whether a query that finds nothing shows nothing, instead of the books of its best correction. */
  readonly isExact?: boolean | undefined;
}

/** Rows of a page. */
export const pageLength = 100;
/** Rows of a page on the way to a row that is far from the known ones. */
export const longPageLength = maxLimit;
/** The maximum number of pages whose rows stay in memory. */
const maxPages = 12;
/** The rows that are read ahead in either direction. */
const margin = 100;

const unread: ListState = { query: {}, pages: [], total: undefined, isLoading: true, error: undefined };

/**
 * A window on a list that only its cursors give access to. It keeps the cursor of each page that was read, and the rows of the
 * pages around the visible ones: scrolling back reads a page again.
 */
export class BookWindow {
  readonly state = createSignal(unread);
  readonly #client: Pick<Client, 'page' | 'corrections'>;
  #abort = new AbortController();
  #visible = { first: 0, last: 0 };
  #isReading = false;
  /** A cursor of this list; `undefined`: it has one page. */
  #anyCursor: string | undefined;
  #isStale = false;
  /** Whether it has begun again since a cursor was accepted. */
  #isAnew = false;

  constructor(client: Pick<Client, 'page' | 'corrections'>) {
    this.#client = client;
  }

  /** Whether the last page is known. */
  get isComplete(): boolean {
    const last = this.state.value.pages.at(-1);
    return last !== undefined && last.next === undefined;
  }

  /** Whether it has more than one page, and so can begin with a letter. */
  get hasLetters(): boolean {
    return this.#anyCursor !== undefined;
  }

  bookAt(row: number): Book | undefined {
    return bookAt(this.state.value.pages, row);
  }

  /**
   * The books of consecutive rows, also of those that are not in memory; fewer at the end of the list.
   *
   * @throws {ShelflistError} They cannot be read.
   */
  async booksFrom(row: number, count: number, signal: AbortSignal): Promise<readonly Book[]> {
    const known = Array.from({ length: count }, (_, i) => this.bookAt(row + i));
    const missing = known.indexOf(undefined);
    const books = known.slice(0, missing === -1 ? count : missing).filter((book) => book !== undefined);
    const last = books.at(-1);
    if (missing === -1 || last === undefined) return books;
    const { pages } = this.state.value;
    let cursor = pages[pageOf(pages, row + missing - 1)]?.cursor;
    let isAfter = false;
    do {
      const query = { ...shownQuery(this.state.value), limit: longPageLength, after: cursor };
      const { items, next } = await this.#client.page(query, { signal });
      for (const book of items) {
        if (isAfter && books.length < count) books.push(book);
        isAfter ||= book.id === last.id;
      }
      cursor = next;
    } while (cursor !== undefined && isAfter && books.length < count);
    return books;
  }

  /** Shows the books of a query. Those of the query before stay until the first page has arrived. */
  async open(query: BookQuery, { known = [], letter, isExact = false }: Beginning = {}): Promise<void> {
    const next = letter === undefined ? undefined : this.#anyCursor;
    const start =
      letter === undefined || next === undefined
        ? undefined
        : cursorAt(next, letter, query.sort?.startsWith('-') === true);
    const shown = start === undefined ? undefined : this.state.value.correction; // The cursor is of its books.
    const { signal } = this.#restart();
    if (known.length > 0) {
      this.#anyCursor = known[0]?.next;
      this.state.set({ ...unread, query, isExact, pages: known });
      this.#isStale = true; // Reads the first page, and counts.
      return this.#fill(signal);
    }
    this.#isReading = true; // Nothing else is read before the first page.
    this.#update({ isLoading: true, error: undefined });
    await this.#attempt(signal, async () => {
      const read = (asked: BookQuery) =>
        this.#client.page({ ...asked, limit: pageLength, after: start, count: true }, { signal });
      const { result, correction } =
        start === undefined && !isExact
          ? await readCorrected(query, {
              read,
              isEmpty: ({ items: books }) => books.length === 0,
              correct: (asked) => this.#client.corrections(asked, { signal }),
            })
          : { result: await read({ ...query, ...shown }), correction: shown };
      const { items: books, next, total, match } = result;
      signal.throwIfAborted(); // The answer to an earlier query.
      if (start === undefined) this.#anyCursor = next;
      const page = { cursor: start, length: books.length, next, books };
      this.#visible = { first: 0, last: 0 };
      this.state.set({
        ...{ query, correction, isExact, letter, total, match },
        ...{ pages: [page], isLoading: false, error: undefined },
      });
    });
    if (signal.aborted) return;
    this.#isReading = false;
    void this.#fill(signal);
  }

  /** Forgets the books, and stops reading. */
  close(): void {
    this.#restart();
    this.state.set(unread);
  }

  /** Reads the pages of the visible rows, and those near them. */
  show(first: number, last: number): void {
    this.#visible = { first, last };
    void this.#fill(this.#abort.signal);
  }

  /** Reads the rows in memory again, because books have changed. The visible ones change all at once. */
  async refresh(): Promise<void> {
    const { signal } = this.#abort;
    const { pages, correction } = this.state.value;
    if (pages.length === 0) return this.#openAgain();
    this.#isStale = true;
    await this.#fill(signal);
    if (correction !== undefined && !signal.aborted && (await this.#isCorrectedInVain(signal)))
      return this.#openAgain();
  }

  #openAgain(): Promise<void> {
    const { query, isExact } = this.state.value;
    return this.open(query, { isExact });
  }

  /** Whether the correction is obsolete: some book now has the words of the query, or no book has those of the correction any more. */
  async #isCorrectedInVain(signal: AbortSignal): Promise<boolean> {
    const { query, pages } = this.state.value;
    if (this.isComplete && countRows(pages) === 0) return true;
    const none: readonly Book[] = [];
    const { items: books } = await this.#client
      .page({ ...query, limit: 1 }, { signal })
      .catch(() => ({ items: none })); // A later change asks again.
    return books.length > 0 && !signal.aborted;
  }

  /** Shows a change of a book at once, before the list is read again. */
  change(id: number, change: (book: Book) => Book | undefined): void {
    const { pages, total } = this.state.value;
    const before = countRows(pages);
    const next = mapBooks(pages, (book) => (book.id === id ? change(book) : book));
    const gone = before - countRows(next);
    this.#update({ pages: next, total: total === undefined ? undefined : total - gone });
  }

  #restart(): AbortController {
    this.#abort.abort();
    this.#isReading = false;
    this.#isStale = false;
    return (this.#abort = new AbortController());
  }

  /** Reads one page after another until nothing near the visible rows is missing. */
  async #fill(signal: AbortSignal): Promise<void> {
    if (this.#isReading || signal.aborted) return;
    this.#isReading = true;
    for (;;) {
      const index = this.#isStale ? this.#firstHeld() : this.#missing();
      if (index === undefined || !(await this.#attempt(signal, () => this.#readFrom(index, signal)))) break;
    }
    if (this.#abort.signal === signal) this.#isReading = false;
  }

  #firstHeld(): number {
    return Math.max(
      0,
      this.state.value.pages.findIndex(({ books }) => books !== undefined),
    );
  }

  /** The page near the visible rows that is not in memory; the visible ones come first. */
  #missing(): number | undefined {
    const { pages } = this.state.value;
    const { first, last } = this.#visible;
    if (pages.length === 0) return undefined;
    const isMissing = (index: number) =>
      index < pages.length ? pages[index]?.books === undefined : !this.isComplete;
    const rows = [first, last, last + margin, Math.max(0, first - margin)];
    return rows.map((row) => pageOf(pages, row)).find((index) => isMissing(index));
  }

  /**
   * Reads a page. If the next one no longer follows it, reads on to the last one in memory, so that the rows change at once
   * and without a gap.
   */
  async #readFrom(index: number, signal: AbortSignal): Promise<void> {
    const { pages, total } = this.state.value;
    const query = shownQuery(this.state.value);
    const wasStale = this.#isStale;
    this.#isStale = false;
    const lastHeld = pages.findLastIndex(({ books }) => books !== undefined);
    const fresh: KnownPage[] = [];
    let cursor = index === 0 ? pages[0]?.cursor : pages[index - 1]?.next;
    let count = total;
    let match: 'parts' | undefined;
    const isFar = index === pages.length && this.#visible.first > countRows(pages) + longPageLength;
    for (let i = index; ; i++) {
      const isCounted = wasStale && fresh.length === 0;
      const isLong = pages[i]?.isLong ?? isFar;
      const limit = isLong ? longPageLength : pageLength;
      const page = await this.#client
        .page({ ...query, limit, after: cursor, count: isCounted }, { signal })
        .catch((error: unknown) => {
          // After a change of the order by title, the cursors of the earlier one are refused.
          if (!signal.aborted && cursor !== undefined && !this.#isAnew && hasCode(error, 'invalid_query')) {
            this.#isAnew = true;
            void this.#openAgain(); // Aborts the signal.
          }
          throw error;
        });
      signal.throwIfAborted();
      if (cursor !== undefined) this.#isAnew = false;
      if (isCounted) count = page.total ?? total;
      ({ match } = page);
      fresh.push({ cursor, length: page.items.length, next: page.next, isLong, books: page.items });
      const follows = !wasStale && pages[i + 1]?.cursor === page.next;
      if (page.next === undefined || i >= lastHeld || follows) break;
      cursor = page.next;
    }
    const kept = replacePages(this.state.value.pages, index, fresh);
    const near = pageOf(kept, this.#visible.first);
    this.#update({
      pages: forgetFar(kept, near, maxPages),
      total: count,
      match,
      isLoading: false,
      error: undefined,
    });
  }

  /** Runs work, and keeps its failure as state. Returns whether it succeeded. */
  async #attempt(signal: AbortSignal, work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      if (!(error instanceof ShelflistError)) throw error;
      this.#update({ isLoading: false, error });
      return false;
    }
  }

  #update(changes: Partial<ListState>): void {
    this.state.set({ ...this.state.value, ...changes });
  }
}
