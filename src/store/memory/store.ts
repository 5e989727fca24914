// The store: each method checks its arguments and asks the file of its name.
import { type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import { toFilter, type StoreQuery } from '../../catalogue/query.ts';
import { changeRules, isOrderedText, positionOf } from '../../catalogue/sort-keys.ts';
import { runSync } from '../../lib/gensync.ts';
import { findBest } from '../contract/best.ts';
import { StoreCalls } from '../contract/calls.ts';
import { checkExpected, isSameBook } from '../contract/change.ts';
import {
  attributionOf,
  type BatchesRequest,
  type BatchPage,
  type BatchSummary,
  type ChangeOptions,
  type EarlierState,
  type HistoryRequest,
  type StoreRevertOptions,
  type SummaryOptions,
  type TrashPage,
  type Undone,
  type UndoRequest,
  type WriteOptions,
} from '../contract/history.ts';
import { keptSince } from '../contract/history-clock.ts';
import type { ChangeEvents } from '../contract/events.ts';
import { allIds } from '../contract/ids.ts';
import { readBatch, readBatches, readHistory, readTrash, revert, undoStep } from '../contract/log.ts';
import { checkOrder, createPage, pageInOrder, type StorePage, type PageRequest } from '../contract/page.ts';
import { newBooksOf } from '../contract/create.ts';
import {
  defaultHistory,
  type BulkStore,
  type CoreStore,
  type Created,
  type CreateManyOptions,
  type EventsRequest,
  type EventStore,
  type HistoryStore,
  type StoreOptions,
} from '../contract/store.ts';
import { rankingStore } from './best.ts';
import { createMany } from './create.ts';
import { eventsOf } from './events.ts';
import { MemoryLog } from './log.ts';
import type { MemoryData } from './data.ts';

/** Books in memory. Every answer is computed by the simplest code over all books; `completeStore` answers the questions. */
export class MemoryStore implements CoreStore, BulkStore, HistoryStore, EventStore {
  readonly description: string;
  readonly #shelf: MemoryData;
  readonly #log: MemoryLog;
  readonly #historyDays: number;
  readonly #calls: StoreCalls;

  constructor(shelf: MemoryData, description: string, options: StoreOptions) {
    this.#shelf = shelf;
    this.#log = new MemoryLog(shelf);
    shelf.rules = changeRules(shelf.rules, options);
    this.#historyDays = options.historyDays ?? defaultHistory.historyDays;
    this.description = description;
    this.#calls = new StoreCalls(description);
  }

  create(fields: BookFields, options?: WriteOptions): Promise<Book> {
    return this.#run(() => {
      const book = { id: this.#shelf.lastId + 1, ...fields };
      this.#shelf.put(book, attributionOf(options));
      return book;
    });
  }

  createMany(books: readonly BookFields[], options?: CreateManyOptions): Promise<Created> {
    return this.#run(() => createMany(this.#shelf, newBooksOf(books, options)));
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#run(() => this.#shelf.get(id));
  }

  async *iterate({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    const all = await this.#run(() => this.#shelf.books.filter(({ id }) => id >= first && id <= last));
    for (let next = 0; next < all.length;) {
      const page = createPage();
      await this.#run(() => {
        for (; next < all.length && !page.isFull; next++) {
          const book = this.#shelf.get(all[next]?.id ?? 0);
          if (book !== undefined) page.add(book);
        }
      });
      if (page.books.length > 0) yield page.books;
    }
  }

  find(query: StoreQuery, { limit, after }: PageRequest): Promise<StorePage> {
    return this.#run(() => {
      const filter = toFilter(query);
      const { best } = filter;
      if (best !== undefined)
        return runSync(findBest(rankingStore(this.#shelf.books, filter, best), best, limit, after));
      const { rules } = this.#shelf;
      if (isOrderedText(filter.sort)) checkOrder(after, rules.name);
      return pageInOrder(this.#shelf.books, filter, { limit, after }, (book) =>
        positionOf(filter, book, rules),
      );
    });
  }

  version(): Promise<string> {
    return this.#run(() => this.#shelf.version);
  }

  events({ since }: EventsRequest = {}): Promise<ChangeEvents> {
    return this.#run(() => eventsOf(this.#shelf, since));
  }

  update(id: number, patch: BookPatch, options: ChangeOptions = {}): Promise<Book | undefined> {
    return this.#run(() => {
      const origin = attributionOf(options);
      const book = this.#shelf.get(id);
      if (book === undefined) return undefined;
      checkExpected(options.expected, book);
      const updated = { ...book, ...patch };
      if (!isSameBook(book, updated)) this.#shelf.put(updated, origin);
      return updated;
    });
  }

  delete(id: number, options: ChangeOptions = {}): Promise<void> {
    return this.#run(() => {
      const origin = attributionOf(options);
      checkExpected(options.expected, this.#shelf.get(id));
      this.#shelf.remove(id, origin);
    });
  }

  history(id: number): Promise<readonly EarlierState[] | undefined> {
    return this.#run(() => runSync(readHistory(this.#log, id, this.#keptSince)));
  }

  revert(id: number, options: StoreRevertOptions = {}): Promise<Book | undefined> {
    return this.#run(() => {
      const origin = attributionOf(options);
      const { version, expected } = options;
      return runSync(revert(this.#log, id, { version, expected, ...origin, since: this.#keptSince }));
    });
  }

  trash(request: HistoryRequest): Promise<TrashPage> {
    return this.#run(() => {
      return runSync(readTrash(this.#log, request, this.#keptSince));
    });
  }

  batch(id: string, options?: SummaryOptions): Promise<BatchSummary | undefined> {
    return this.#run(() => runSync(readBatch(this.#log, id, options)));
  }

  batches(request: BatchesRequest): Promise<BatchPage> {
    return this.#run(() => {
      return runSync(readBatches(this.#log, request));
    });
  }

  undo(batch: string, request: UndoRequest): Promise<Undone | undefined> {
    return this.#run(() => {
      return runSync(undoStep(this.#log, batch, request));
    });
  }

  close(): Promise<void> {
    return this.#calls.close(() => Promise.resolve());
  }

  get #keptSince(): number {
    return keptSince(this.#shelf.clock.read(), this.#historyDays);
  }

  async #run<T>(action: () => T | Promise<T>): Promise<T> {
    const { closedError } = this.#calls;
    if (closedError !== undefined) throw closedError;
    return action();
  }
}
