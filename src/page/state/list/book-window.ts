import type { Book } from '../../../catalogue/book.ts';
import type { BookQuery } from '../../../catalogue/query.ts';
import { ShelflistError } from '../../../catalogue/errors.ts';
import type { Client } from '../../../client/client.ts';
import { createStore } from '../store.ts';
import {
  bookAt,
  countRows,
  forgetFar,
  mapBooks,
  pageOf,
  replacePages,
  type KnownPage,
  type Pages,
} from './pages.ts';

/** The list as far as it is known. */
export interface ListState {
  /** The query whose books these are. */
  readonly query: BookQuery;
  readonly pages: Pages;
  /** The number of matching books, as last known; `undefined` until then. */
  readonly total: number | undefined;
  readonly isLoading: boolean;
  /** Why the list could not be read. */
  readonly error: ShelflistError | undefined;
}

/** Rows of a page. */
export const pageLength = 100;
/** The pages whose rows stay in memory: however far somebody scrolls, the page needs no more. */
const maxPages = 12;
/** The rows that are read ahead in either direction. */
const margin = 100;

const unread: ListState = { query: {}, pages: [], total: undefined, isLoading: true, error: undefined };

/**
 * A window on a list that only its cursors give access to. It keeps the cursor of each page that was read, and the rows of the
 * pages around the visible ones: scrolling back reads a page again.
 */
export class BookWindow {
  readonly state = createStore(unread);
  readonly #read: Client['page'];
  #abort = new AbortController();
  #visible = { first: 0, last: 0 };
  #isReading = false;
  #isStale = false;

  constructor(read: Client['page']) {
    this.#read = read;
  }

  /** Whether the last page is known. */
  get isComplete(): boolean {
    const last = this.state.value.pages.at(-1);
    return last !== undefined && last.next === undefined;
  }

  bookAt(row: number): Book | undefined {
    return bookAt(this.state.value.pages, row);
  }

  /** Shows the books of a query. Those of the query before stay until the first page has arrived. */
  async open(query: BookQuery): Promise<void> {
    const { signal } = this.#restart();
    this.#isReading = true; // Nothing else is read before the first page.
    this.#update({ isLoading: true, error: undefined });
    await this.#attempt(signal, async () => {
      const { books, next, total } = await this.#read(
        { ...query, limit: pageLength, count: true },
        { signal },
      );
      signal.throwIfAborted(); // A late answer.
      const page = { cursor: undefined, length: books.length, next, books };
      this.#visible = { first: 0, last: 0 };
      this.state.set({ query, pages: [page], total, isLoading: false, error: undefined });
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
    if (this.state.value.pages.length === 0) return this.open(this.state.value.query);
    this.#isStale = true;
    await this.#fill(this.#abort.signal);
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
   * Reads a page. If the next one does not follow it any more, reads on to the last one in memory, so that the rows change at
   * once and without a gap.
   */
  async #readFrom(index: number, signal: AbortSignal): Promise<void> {
    const { query, pages, total } = this.state.value;
    const wasStale = this.#isStale;
    this.#isStale = false;
    const lastHeld = pages.findLastIndex(({ books }) => books !== undefined);
    const fresh: KnownPage[] = [];
    let cursor = index === 0 ? undefined : pages[index - 1]?.next;
    let count = total;
    for (let i = index; ; i++) {
      const isCounted = wasStale && fresh.length === 0;
      const page = await this.#read(
        { ...query, limit: pageLength, after: cursor, count: isCounted },
        { signal },
      );
      signal.throwIfAborted();
      if (isCounted) count = page.total ?? total;
      fresh.push({ cursor, length: page.books.length, next: page.next, books: page.books });
      const follows = !wasStale && pages[i + 1]?.cursor === page.next;
      if (page.next === undefined || i >= lastHeld || follows) break;
      cursor = page.next;
    }
    const kept = replacePages(this.state.value.pages, index, fresh);
    const near = pageOf(kept, this.#visible.first);
    this.#update({
      pages: forgetFar(kept, near, maxPages),
      total: count,
      isLoading: false,
      error: undefined,
    });
  }

  /** Does something; keeps its failure as state. Returns whether it succeeded. */
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
