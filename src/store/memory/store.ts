// The store: each method checks its arguments and asks the file of its name.
import type { AuthorCount } from '../../catalogue/authors.ts';
import { type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import type { Correction } from '../../catalogue/correction.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import { comparePositions, positionOf, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import { matches, toFilter, type BookFilter, type BookQuery } from '../../catalogue/query.ts';
import { articleField, foldArticles, orderName, titleKey } from '../../catalogue/title-order.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import { checkSuggestedField, type Suggestion } from '../../catalogue/suggestion.ts';
import { findAuthors } from '../contract/authors.ts';
import { StoreCalls } from '../contract/calls.ts';
import { checkExpected, isSameBook } from '../contract/change.ts';
import {
  batchOf,
  checkBatch,
  checkHistoryPage,
  type BatchPage,
  type BatchSummary,
  type EarlierState,
  type TrashPage,
  type HistoryPage,
  type Undone,
  type UndoRequest,
  type WriteOptions,
} from '../contract/history.ts';
import { keptSince } from '../contract/history-clock.ts';
import type { ChangeEvents } from '../contract/events.ts';
import { allIds } from '../contract/ids.ts';
import { checkOrder, checkPageRequest, fillPage, type Page, type PageRequest } from '../contract/page.ts';
import { checkCount, checkNewBooks } from '../contract/create.ts';
import { chooseSame, groupSame } from '../contract/duplicates.ts';
import {
  defaultHistory,
  type BookStore,
  type Created,
  type CreateManyOptions,
  type SameGroups,
  type SameGroupsOptions,
  type StoreOptions,
} from '../contract/store.ts';
import { createMany } from './create.ts';
import { eventsOf } from './events.ts';
import { corrections } from './corrections.ts';
import { readHistory, readTrash, revertBook } from './history.ts';
import { statistics } from './statistics.ts';
import { suggest } from './suggest.ts';
import { readBatch, readBatches, undoStep } from './undo.ts';
import type { Shelf } from './shelf.ts';

/** Books in memory. Every answer is computed by the simplest code over all books. */
export class MemoryStore implements BookStore {
  readonly description: string;
  readonly #shelf: Shelf;
  readonly #historyDays: number;
  readonly #calls: StoreCalls;

  constructor(shelf: Shelf, description: string, { historyDays, sortArticles }: StoreOptions) {
    this.#shelf = shelf;
    if (sortArticles !== undefined) shelf.articles = foldArticles(sortArticles);
    this.#historyDays = historyDays ?? defaultHistory.historyDays;
    this.description = description;
    this.#calls = new StoreCalls(description);
  }

  create(fields: BookFields, options?: WriteOptions): Promise<Book> {
    return this.#run(() => {
      const book = { id: this.#shelf.lastId + 1, ...fields };
      this.#shelf.put(book, batchOf(options));
      return book;
    });
  }

  createMany(books: readonly BookFields[], options?: CreateManyOptions): Promise<Created> {
    return this.#run(() => createMany(this.#shelf, checkNewBooks(books, options)));
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#run(() => this.#shelf.get(id));
  }

  async *list({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    const end = Math.min(last, this.#shelf.lastId);
    for (let start = first; ;) {
      const page = await this.#run(() =>
        fillPage(
          this.#shelf.books.filter(({ id }) => id >= start && id <= end),
          Infinity,
        ),
      );
      if (page.books.length > 0) yield page.books;
      if (page.isLast) return;
      start = (page.books.at(-1)?.id ?? end) + 1;
    }
  }

  find(query: BookQuery, request: PageRequest): Promise<Page> {
    return this.#run(() => {
      const { limit, after } = checkPageRequest(request);
      const filter = toFilter(query);
      if (filter.sort === articleField) checkOrder(after, orderName(this.#shelf));
      const found = this.#matching(query)
        .map((book) => ({ book, position: this.#positionOf(filter, book) }))
        .filter(({ position }) => after === undefined || comparePositions(filter, position, after) > 0)
        .sort((a, b) => comparePositions(filter, a.position, b.position));
      const page = fillPage(
        found.map(({ book }) => book),
        limit,
      );
      return { ...page, end: found[page.books.length - 1]?.position };
    });
  }

  findSame(books: readonly BookFields[]): Promise<(Readonly<Book> | undefined)[]> {
    return this.#run(() => {
      checkCount(books.length);
      return chooseSame(books, this.#shelf.books);
    });
  }

  async *sameGroups({ of }: SameGroupsOptions = {}): AsyncIterable<SameGroups> {
    yield await this.#run(() => ({ groups: groupSame(this.#shelf.books, of), done: 1 }));
  }

  count(query: BookQuery): Promise<number> {
    return this.#run(() => this.#matching(query).length);
  }

  statistics(query: BookQuery): Promise<Statistics> {
    return this.#run(() => statistics(this.#shelf.books, query));
  }

  suggest(name: SuggestedField, text: string, limit: number): Promise<Suggestion[]> {
    return this.#run(() => suggest(this.#shelf.books, checkSuggestedField(name), text, limit));
  }

  authors(signal?: AbortSignal): AsyncIterable<readonly AuthorCount[]> {
    return findAuthors(this, signal);
  }

  corrections(query: BookQuery, limit: number): Promise<Correction[]> {
    return this.#run(() => corrections(this.#shelf.books, query, limit));
  }

  version(): Promise<string> {
    return this.#run(() => this.#shelf.version);
  }

  events(since?: string): Promise<ChangeEvents> {
    return this.#run(() => eventsOf(this.#shelf, since));
  }

  update(id: number, patch: BookPatch, expected?: Book, options?: WriteOptions): Promise<Book | undefined> {
    return this.#run(() => {
      const batch = batchOf(options);
      const book = this.#shelf.get(id);
      if (book === undefined) return undefined;
      checkExpected(expected, book);
      const updated = { ...book, ...patch };
      if (!isSameBook(book, updated)) this.#shelf.put(updated, batch);
      return updated;
    });
  }

  delete(id: number, expected?: Book, options?: WriteOptions): Promise<void> {
    return this.#run(() => {
      const batch = batchOf(options);
      checkExpected(expected, this.#shelf.get(id));
      this.#shelf.remove(id, batch);
    });
  }

  history(id: number): Promise<readonly EarlierState[] | undefined> {
    return this.#run(() => readHistory(this.#shelf, id, this.#keptSince));
  }

  revert(id: number, version?: string, expected?: Book, options?: WriteOptions): Promise<Book | undefined> {
    return this.#run(() => {
      const batch = batchOf(options);
      checkExpected(expected, this.#shelf.get(id));
      return revertBook(this.#shelf, id, version, { batch, since: this.#keptSince });
    });
  }

  trash(request: HistoryPage): Promise<TrashPage> {
    return this.#run(() => {
      checkHistoryPage(request);
      return readTrash(this.#shelf, request, this.#keptSince);
    });
  }

  batch(id: string): Promise<BatchSummary | undefined> {
    return this.#run(() => readBatch(this.#shelf, id));
  }

  batches(request: HistoryPage): Promise<BatchPage> {
    return this.#run(() => {
      checkHistoryPage(request);
      return readBatches(this.#shelf, request);
    });
  }

  undo(batch: string, request: UndoRequest): Promise<Undone | undefined> {
    return this.#run(() => {
      checkBatch(request.as);
      return undoStep(this.#shelf, batch, request);
    });
  }

  close(): Promise<void> {
    return this.#calls.close(() => Promise.resolve());
  }

  get #keptSince(): number {
    return keptSince(this.#shelf.clock.read(), this.#historyDays);
  }

  #positionOf(filter: BookFilter, book: Book): KeysetPosition {
    if (filter.sort !== articleField) return positionOf(filter, book);
    const key = titleKey(book[articleField], this.#shelf.articles);
    return { key, id: book.id, order: orderName(this.#shelf) };
  }

  #matching(query: BookQuery): Book[] {
    const filter = toFilter(query);
    return this.#shelf.books.filter((book) => matches(filter, book));
  }

  async #run<T>(action: () => T | Promise<T>): Promise<T> {
    const { closedError } = this.#calls;
    if (closedError !== undefined) throw closedError;
    return action();
  }
}
