// The store: each method checks its arguments, sets a deadline, and asks the file of its name.
import type { AuthorCount } from '../../catalogue/authors.ts';
import { type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { matchesEverything, toFilter, type StoreQuery } from '../../catalogue/query.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import { checkSuggestedField, type Suggestion } from '../../catalogue/suggestion.ts';
import { joinAuthors } from '../questions/authors.ts';
import { StoreCalls } from '../contract/calls.ts';
import { runAsync, type Gensync } from '../../lib/gensync.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { coalesceRequests } from '../../lib/coalesce.ts';
import type { ChangeEvents } from '../contract/events.ts';
import {
  attributionOf,
  type BatchesRequest,
  type BatchPage,
  type BatchSummary,
  type ChangeOptions,
  type EarlierState,
  type SummaryOptions,
  type TrashPage,
  type HistoryRequest,
  type StoreRevertOptions,
  type Undone,
  type UndoRequest,
  type WriteOptions,
} from '../contract/history.ts';
import { keptSince } from '../contract/history-clock.ts';
import { allIds } from '../contract/ids.ts';
import { readBatch, readBatches, readHistory, readTrash, revert, undoStep } from '../contract/log.ts';
import type { StorePage, PageRequest } from '../contract/page.ts';
import { newBooksOf } from '../contract/create.ts';
import {
  defaultHistory,
  type CompleteStore,
  type Created,
  type CreateManyOptions,
  type EventsRequest,
  type LimitedReadOptions,
  type ReadOptions,
  type DuplicateCandidates,
  type DuplicateCandidatesOptions,
  type StoreMeasures,
  type StoreOptions,
} from '../contract/store.ts';
import { readAuthors } from './authors.ts';
import { BatchNotes } from './batches.ts';
import { createMany, createBooks, type NewBook } from './create.ts';
import {
  changeBook,
  readStates,
  removeBook,
  type UpdateContext,
  type Condition,
  type State,
} from './change.ts';
import { disconnect, type Connection } from './connection.ts';
import { countBooks, TotalCount } from './count.ts';
import type { CollectionGuard } from './collection-guard.ts';
import { Login } from './login.ts';
import { FormatGuard } from './migrations.ts';
import { MongoLog } from './log.ts';
import { checkSize, maxCollectMs } from './schema.ts';
import { findDuplicatesOf, hashesOf, hashRanges, readSame } from './duplicates.ts';
import { findBooks, readPage } from './find.ts';
import { getBooks } from './get.ts';
import { MatchLists } from './match-list.ts';
import { readStatistics } from './statistics.ts';
import { readSuggestions } from './suggest.ts';
import type { QueryContext } from './reading.ts';
import { EventReader } from './events.ts';
import { Version } from './version.ts';

/** A request on a server that answers nothing ends within 5 s. PUT is a lookup and an update; a page needs a version too. */
const deadlineMs = { lookup: 2000, afterLookup: 2500, other: 4500 };
/** The number of books read together. Each may have several megabytes. */
const maxBooksAtOnce = 100;
/** The number of list pages read at once. With many at once, all would miss their deadlines. */
const maxPagesAtOnce = 2;

/** A store on a prepared database. */
export class MongoStore implements Omit<CompleteStore, 'corrections' | 'words'> {
  readonly description: string;
  readonly #connection: Connection;
  readonly #collections: CollectionGuard;
  readonly #onDamaged: (id: number) => void;
  readonly #end: AbortController;
  readonly #calls: StoreCalls;
  readonly #version: Version;
  readonly #events: EventReader;
  readonly #total: TotalCount;
  readonly #lists: MatchLists;
  readonly #pages = new Semaphore(maxPagesAtOnce);
  readonly #createTogether: (book: NewBook) => Promise<Book>;
  readonly #getTogether: (id: number) => Promise<Readonly<Book> | undefined>;
  readonly #readState: (id: number) => Promise<State | undefined>;

  readonly #historyDays: number;
  readonly #notes: BatchNotes;
  readonly #guard: FormatGuard;
  readonly #login: Login;

  /**
   * @param onDamaged Receives the ids of documents that are not books.
   * @param end Stops the background work.
   */
  constructor(
    connection: Connection,
    collections: CollectionGuard,
    { historyDays }: StoreOptions,
    onDamaged: (id: number) => void,
    end: AbortController,
  ) {
    const { lookup, other } = deadlineMs;
    const reading = { deadlineMs: lookup, maxAtOnce: maxBooksAtOnce, maxCollectMs };
    const creating = { deadlineMs: other, maxCollectMs };
    this.description = connection.description;
    this.#connection = connection;
    this.#collections = collections;
    this.#historyDays = historyDays ?? defaultHistory.historyDays;
    this.#notes = new BatchNotes(connection);
    this.#guard = new FormatGuard(connection, end.signal);
    this.#login = new Login(connection, end.signal);
    this.#onDamaged = onDamaged;
    this.#end = end;
    this.#calls = new StoreCalls(connection.description);
    this.#version = new Version(connection, collections, lookup);
    this.#events = new EventReader(connection);
    this.#createTogether = coalesceRequests((all) => createBooks(connection, all), creating);
    const { term } = connection;
    this.#total = new TotalCount(this.#version, term);
    this.#lists = new MatchLists(this.#version);
    this.#getTogether = coalesceRequests((ids) => term.read(() => getBooks(connection, ids)), reading);
    this.#readState = coalesceRequests((ids) => term.read(() => readStates(connection, ids)), reading);
  }

  create(fields: BookFields, options?: WriteOptions): Promise<Book> {
    return this.#write(deadlineMs.other, async () => {
      checkSize(fields); // Before batching: a book that is too large would make its whole batch fail.
      const origin = attributionOf(options);
      await this.#notes.note(origin.batch);
      await this.#connection.order.refresh();
      const book = await this.#createTogether({ fields, ...origin });
      await this.#notes.addCreated(origin.batch, 1);
      return book;
    });
  }

  createMany(books: readonly BookFields[], options?: CreateManyOptions): Promise<Created> {
    const after = options?.after;
    after?.catch(() => undefined); // It may fail before it is awaited.
    const ms = deadlineMs.other * (after === undefined ? 1 : 2); // It waits for another call.
    return this.#write(ms, async () => {
      const all = newBooksOf(books, options);
      await this.#connection.term.confirm();
      await this.#notes.note(all.batch);
      await this.#connection.order.refresh();
      const created = await createMany(this.#connection, all, options);
      if (!created.isReplay) await this.#notes.addCreated(all.batch, created.ids.length);
      return created;
    });
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#look(deadlineMs.lookup, () => this.#getTogether(id));
  }

  async *iterate({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    for (let start = first; start <= last;) {
      const range = { first: start, last };
      const page = await this.#read((reading) =>
        this.#pages.run(() => readPage(reading, range), reading.signal),
      );
      if (page.books.length > 0) yield page.books;
      if (page.next === undefined) return;
      start = page.next;
    }
  }

  find(query: StoreQuery, page: PageRequest): Promise<StorePage> {
    return this.#read(async (reading) => {
      // Another service may have changed the order of the page before.
      await this.#connection.order.refresh(page.after?.order === undefined ? undefined : 0);
      return findBooks(reading, query, page, this.#lists);
    }, page.signal);
  }

  findDuplicatesOf(
    books: readonly BookFields[],
    { signal }: ReadOptions = {},
  ): Promise<(Readonly<Book> | undefined)[]> {
    return this.#read(async (reading) => {
      return books.length === 0 ? [] : findDuplicatesOf(reading, books);
    }, signal);
  }

  async *duplicateCandidates({
    of,
    signal,
  }: DuplicateCandidatesOptions = {}): AsyncIterable<DuplicateCandidates> {
    const filters = of === undefined ? hashRanges(await this.count({}, { signal })) : [hashesOf(of)];
    for (const { same, done } of filters) {
      const groups = await this.#read((reading) => readSame(reading, same), signal, deadlineMs.other);
      yield { groups, done };
    }
  }

  count(query: StoreQuery, { signal }: ReadOptions = {}): Promise<number> {
    return this.#read((reading) => {
      const filter = toFilter(query);
      return matchesEverything(filter) ? this.#total.get(reading) : countBooks(reading, filter);
    }, signal);
  }

  statistics(query: StoreQuery, { signal }: ReadOptions = {}): Promise<Statistics> {
    return this.#read((reading) => readStatistics(reading, toFilter(query)), signal, deadlineMs.other);
  }

  suggest(name: SuggestedField, text: string, { limit, signal }: LimitedReadOptions): Promise<Suggestion[]> {
    const read = (reading: QueryContext) => readSuggestions(reading, checkSuggestedField(name), text, limit);
    return this.#read(read, signal, deadlineMs.other);
  }

  authors({ signal }: ReadOptions = {}): AsyncIterable<readonly AuthorCount[]> {
    return joinAuthors((after) =>
      this.#read((reading) => readAuthors(reading, after), signal, deadlineMs.other),
    );
  }

  version(): Promise<string> {
    return this.#query(deadlineMs.lookup, async () => {
      const { order } = this.#connection;
      await order.refresh();
      return `${await this.#version.read()}.${order.name}`;
    });
  }

  events({ since }: EventsRequest = {}): Promise<ChangeEvents> {
    return this.#look(deadlineMs.other, () => this.#events.read(since));
  }

  update(id: number, patch: BookPatch, options?: ChangeOptions): Promise<Book | undefined> {
    return this.#change(options, (changing, condition) => changeBook(changing, id, patch, condition));
  }

  delete(id: number, options?: ChangeOptions): Promise<void> {
    return this.#change(options, (changing, condition) => removeBook(changing, id, condition));
  }

  history(id: number): Promise<readonly EarlierState[] | undefined> {
    return this.#readLog((log) => readHistory(log, id, this.#keptSince), deadlineMs.lookup);
  }

  revert(id: number, options: StoreRevertOptions = {}): Promise<Book | undefined> {
    const { version } = options;
    return this.#change(options, ({ signal }, { expected, batch, user }) => {
      const since = this.#keptSince;
      const log = this.#logOf({ signal, maxTimeMS: deadlineMs.afterLookup });
      return runAsync(revert(log, id, { version, since, expected, batch, user }));
    });
  }

  trash(request: HistoryRequest): Promise<TrashPage> {
    return this.#readLog((log) => readTrash(log, request, this.#keptSince), deadlineMs.afterLookup);
  }

  batch(id: string, options?: SummaryOptions): Promise<BatchSummary | undefined> {
    return this.#readLog((log) => readBatch(log, id, options));
  }

  batches(request: BatchesRequest): Promise<BatchPage> {
    return this.#readLog((log) => readBatches(log, request));
  }

  undo(batch: string, request: UndoRequest): Promise<Undone | undefined> {
    return this.#write(deadlineMs.other, async () => {
      await this.#connection.term.confirm();
      await this.#notes.note(request.as);
      const signal = AbortSignal.timeout(deadlineMs.other);
      return runAsync(undoStep(this.#logOf({ signal, maxTimeMS: deadlineMs.other }), batch, request));
    });
  }

  close(): Promise<void> {
    this.#end.abort();
    return this.#calls.close(async () => {
      await this.#version.close();
      await withTimeout(500, this.#events.close()).catch(() => undefined);
      await this.#login.settled();
      await disconnect(this.#connection.client);
    });
  }

  get #keptSince(): number {
    return keptSince(this.#connection.clock.read(), this.#historyDays);
  }

  /** A write that matches nothing still needs the primary, a majority and the right to write. */
  async checkWrites(): Promise<void> {
    await this.#change({}, ({ books }) => books.updateOne({ _id: { $in: [] } }, { $unset: { rev: '' } }));
  }

  measure(): Promise<StoreMeasures> {
    return this.#query(deadlineMs.lookup, async () => {
      const { client, books } = this.#connection;
      const { totalSize } = await client.db(books.dbName).stats();
      return { databaseBytes: Number(totalSize) };
    });
  }

  /** Runs a call with its deadline, and translates its errors. */
  #call<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
    return this.#calls.run(
      async () => {
        this.#guard.check();
        return withTimeout(milliseconds, action());
      },
      (error) => {
        if (error instanceof ShelflistError) return error;
        this.#login.onError(error);
        return this.#connection.unavailable(error);
      },
    );
  }

  /** Runs a call that writes. A write would create a missing collection, and what was stored elsewhere does not count. */
  #write<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
    return this.#call(milliseconds, async () => {
      await this.#collections.check();
      const result = await action();
      await this.#collections.check();
      return result;
    });
  }

  /** Runs a call that only reads. The collections are checked meanwhile, so that it takes no longer. */
  #query<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
    return this.#look(milliseconds, () => this.#connection.term.read(action));
  }

  /** {@link #query}, for what keeps to the primary's term by itself. */
  #look<T>(milliseconds: number, action: () => Promise<T>): Promise<T> {
    return this.#call(milliseconds, async () => {
      const [result] = await Promise.all([action(), this.#collections.check()]);
      if (isEmpty(result)) await this.#collections.check(); // They may have been renamed between check and read.
      return result;
    });
  }

  #change<T>(
    options: ChangeOptions = {},
    action: (changing: UpdateContext, condition: Condition) => Promise<T>,
  ): Promise<T> {
    const signal = AbortSignal.timeout(deadlineMs.afterLookup);
    const { books } = this.#connection;
    return this.#write(deadlineMs.afterLookup, async () => {
      const { clock, order, term } = this.#connection;
      await term.confirm();
      const condition = {
        expected: options.expected,
        ...attributionOf(options),
        at: clock.stamp(),
        rules: (await order.refresh()).rules,
      };
      await this.#notes.note(condition.batch);
      return action({ books, read: this.#readState, signal }, condition);
    });
  }

  #readLog<T>(steps: (log: MongoLog) => Gensync<T>, maxTimeMS: number = deadlineMs.other): Promise<T> {
    return this.#read((reading) => runAsync(steps(this.#logOf(reading))), undefined, maxTimeMS);
  }

  #logOf(limits: Pick<QueryContext, 'signal' | 'maxTimeMS'>): MongoLog {
    return new MongoLog({ database: this.#connection, onDamaged: this.#onDamaged, ...limits });
  }

  /** Runs a read, which stops at its deadline or when the answer is no longer needed. */
  #read<T>(
    action: (reading: QueryContext) => Promise<T>,
    signal?: AbortSignal,
    maxTimeMS: number = deadlineMs.afterLookup,
  ): Promise<T> {
    const deadline = AbortSignal.timeout(maxTimeMS);
    const reading: QueryContext = {
      database: this.#connection,
      maxTimeMS,
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      onDamaged: this.#onDamaged,
    };
    return this.#query(maxTimeMS, () => action(reading));
  }
}

/** Whether a read has found nothing, as in a collection that is not there. */
function isEmpty(result: unknown): boolean {
  const { books = result } = Object(result) as { books?: unknown };
  return books === undefined || books === 0 || (Array.isArray(books) && books.length === 0);
}
