// The store: each method checks its arguments and sends a task to a thread. `get` reads here.
import type { AuthorCount } from '../../catalogue/authors.ts';
import { fieldsOf, type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import { toFilter, type StoreQuery } from '../../catalogue/query.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import { checkSuggestedField, type Suggestion } from '../../catalogue/suggestion.ts';
import { changeRules } from '../../catalogue/sort-keys.ts';
import { joinAuthors } from '../questions/authors.ts';
import { newBooksOf } from '../contract/create.ts';
import { StoreCalls } from '../contract/calls.ts';
import { isBackground, toBackground } from '../../lib/scheduler.ts';
import { withTimeout } from '../../lib/timeout.ts';
import { coalesceRequests, type CallResult } from '../../lib/coalesce.ts';
import type { ChangeEvents } from '../contract/events.ts';
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
import { hourMs } from '../contract/history-clock.ts';
import { allIds } from '../contract/ids.ts';
import type { StorePage, PageRequest } from '../contract/page.ts';
import {
  type CompleteStore,
  type CreateManyOptions,
  type Created,
  type EventsRequest,
  type LimitedReadOptions,
  type ReadOptions,
  type DuplicateCandidates,
  type DuplicateCandidatesOptions,
  type StoreMeasures,
  type StoreOptions,
} from '../contract/store.ts';
import { readWords } from '../questions/vocabulary.ts';
import type { Connection } from './binding.ts';
import { BookReader } from './get.ts';
import { parsePlace } from './events.ts';
import { measureFiles } from './measure.ts';
import { isDamaged, Statements } from './connection.ts';
import { latestSql, unindexedMarker } from './schema.ts';
import { isReindexed, readRules } from './order.ts';
import { DamagedFileError, failure, writesRefused } from './damage.ts';
import type { StoreThread, Tasks } from './thread.ts';
import type { Stored, Write } from './writer.ts';

/** The deadline of a call, which ends within 5 s. */
const callMs = 4500;
/** The part of a write's time that is left for its transaction. It waits for other processes until then, and no longer. */
const transactionMs = 500;
/** How long a write proves that others would succeed. */
const proofMs = 1000;
const logEveryMs = 5000;
/** The reason of queries that nobody waits for: without one, each abort makes an error of its own, with a stack. */
const ended = new ShelflistError('unavailable', { message: 'the query has ended' });
/** The number of `createMany` in one transaction: each has up to 1000 books. */
const maxManyAtOnce = 5;

/** The worker threads. Each has its own connection, besides that of the main thread. */
interface Threads {
  readonly writing: StoreThread;
  readonly searching: StoreThread;
  /** Searches that must not delay others. */
  readonly background: StoreThread;
}

/** A store on an open file. */
export class SqliteStore implements Omit<CompleteStore, 'corrections'> {
  readonly description: string;
  readonly #db: Connection;
  readonly #threads: Threads;
  readonly #calls: StoreCalls;
  readonly #reader: BookReader;
  readonly #write: (write: Write) => Promise<Stored>;
  readonly #writeMany: (write: Write) => Promise<Stored>;
  readonly #path: string;
  readonly #afterClose: () => void;
  readonly #pruning: NodeJS.Timeout;
  #isClosing = false;
  #damage: DamagedFileError | undefined;
  /** When the last write succeeded, if none has failed since. */
  #wroteAt = -Infinity;
  /** The checks of writes that wait. */
  readonly #checks = new Set<() => void>();

  constructor(db: Connection, threads: Threads, path: string, afterClose: () => void) {
    this.description = `embedded store ${path}`;
    this.#path = path;
    this.#afterClose = afterClose;
    this.#db = db;
    this.#threads = threads;
    this.#calls = new StoreCalls(this.description);
    this.#reader = new BookReader(db, (cause) => this.#note(cause));
    this.#pruning = setInterval(() => {
      // If it fails, the next write or the next hour does it.
      this.#runWrite(() => threads.writing.run('prune', [], waitOf(callMs))).catch(() => undefined);
    }, hourMs).unref();
    this.#write = coalesceRequests((batch, timeoutMs) => this.#writeBatch(batch, timeoutMs), {
      deadlineMs: callMs,
    });
    this.#writeMany = coalesceRequests((batch, timeoutMs) => this.#writeBatch(batch, timeoutMs), {
      deadlineMs: callMs,
      maxAtOnce: maxManyAtOnce,
    });
  }

  async create(fields: BookFields, options?: WriteOptions): Promise<Book> {
    const { book } = await this.#runWrite(async () =>
      this.#write({ kind: 'create', fields, ...attributionOf(options) }),
    );
    if (book === undefined) throw new Error('a create returned no book');
    return book;
  }

  async createMany(books: readonly BookFields[], options?: CreateManyOptions): Promise<Created> {
    const { created } = await this.#runWrite(async () =>
      this.#writeMany({ kind: 'createMany', ...newBooksOf(books, options) }),
    );
    if (created === undefined) throw new Error('a createMany returned nothing');
    return created;
  }

  get(id: number): Promise<Readonly<Book> | undefined> {
    return this.#read(() => this.#reader.get(id));
  }

  async *iterate({ first, last } = allIds): AsyncIterable<readonly Book[]> {
    for (let start = first; ;) {
      const { books, isLast } = await this.#search('list', [{ first: start, last }]);
      if (books.length > 0) yield books;
      if (isLast) return;
      start = (books.at(-1)?.id ?? last) + 1;
    }
  }

  async find(query: StoreQuery, request: PageRequest): Promise<StorePage> {
    const { limit, after, signal, byText = false } = request;
    const position = after && { key: after.key, id: after.id, order: after.order };
    return this.#search('find', [toFilter(query), limit, position, byText], signal);
  }

  async findDuplicatesOf(
    books: readonly BookFields[],
    { signal }: ReadOptions = {},
  ): Promise<(Readonly<Book> | undefined)[]> {
    return this.#search('findDuplicatesOf', [books.map(fieldsOf)], signal);
  }

  async *duplicateCandidates({
    of,
    signal,
  }: DuplicateCandidatesOptions = {}): AsyncIterable<DuplicateCandidates> {
    const background = toBackground(AbortSignal.any(signal === undefined ? [] : [signal]));
    if (of !== undefined) {
      yield { groups: await this.#search('readSameOf', [of.map(fieldsOf)], background), done: 1 };
      return;
    }
    const count = Math.max(1, await this.count({}));
    let read = 0;
    for (let after: string | undefined; ;) {
      const part = await this.#search('readSame', [after], background);
      read += part.read;
      yield { groups: part.groups, done: Math.min(1, read / count) };
      after = part.next;
      if (after === undefined) return;
    }
  }

  async count(query: StoreQuery, { signal }: ReadOptions = {}): Promise<number> {
    return this.#search('count', [toFilter(query)], signal);
  }

  async statistics(query: StoreQuery, { signal }: ReadOptions = {}): Promise<Statistics> {
    return this.#search('statistics', [toFilter(query)], signal);
  }

  async suggest(
    name: SuggestedField,
    text: string,
    { limit, signal }: LimitedReadOptions,
  ): Promise<Suggestion[]> {
    const field = checkSuggestedField(name);
    return this.#search('suggest', [field, toFilter({ [`${field}Words`]: text }), limit], signal);
  }

  authors({ signal }: ReadOptions = {}): AsyncIterable<readonly AuthorCount[]> {
    const own = new AbortController();
    // They take long as a whole, so each part yields to other questions.
    const yielding = toBackground(AbortSignal.any([own.signal, ...(signal ? [signal] : [])]));
    return joinAuthors((after) => this.#search('authors', [after], yielding));
  }

  async *words(): AsyncIterable<readonly string[]> {
    // Until the index has been made with today's rules, its words are others.
    if (!isReindexed(new Statements(this.#db))) {
      yield* readWords(this);
      return;
    }
    const yielding = toBackground(new AbortController().signal);
    for (let after: string | undefined; ;) {
      const { words, last } = await this.#search('words', [after], yielding);
      if (words.length > 0) yield words;
      after = last;
      if (after === undefined) return;
    }
  }

  version(): Promise<string> {
    return this.#read(() => this.#reader.version());
  }

  async events({ since }: EventsRequest = {}): Promise<ChangeEvents> {
    const position = await this.version();
    // Without changes, which is usual, the reading thread is not needed.
    if (since === position) return { position, events: [], isCurrent: true };
    // Starts the thread for a new caller, whose first changes would have to wait for it.
    const place = parsePlace(since ?? position);
    if (place === undefined) return { position, events: undefined, isCurrent: true };
    return this.#search('eventsSince', [place]);
  }

  async update(id: number, patch: BookPatch, options: ChangeOptions = {}): Promise<Book | undefined> {
    const change = { id, patch, expected: plain(options.expected) };
    return this.#runWrite(
      async () => (await this.#write({ kind: 'update', ...change, ...attributionOf(options) })).book,
    );
  }

  async delete(id: number, options: ChangeOptions = {}): Promise<void> {
    const change = { id, expected: plain(options.expected) };
    await this.#runWrite(async () => this.#write({ kind: 'delete', ...change, ...attributionOf(options) }));
  }

  async history(id: number): Promise<readonly EarlierState[] | undefined> {
    return this.#search('history', [id]);
  }

  async revert(id: number, options: StoreRevertOptions = {}): Promise<Book | undefined> {
    const change = { id, version: options.version, expected: plain(options.expected) };
    return this.#runWrite(
      async () => (await this.#write({ kind: 'revert', ...change, ...attributionOf(options) })).book,
    );
  }

  async trash({ limit, after }: HistoryRequest): Promise<TrashPage> {
    return this.#search('trash', [{ limit, after }]);
  }

  async batch(id: string, { books }: SummaryOptions = {}): Promise<BatchSummary | undefined> {
    return this.#search('batch', [id, { books }]);
  }

  async batches({ limit, after, books }: BatchesRequest): Promise<BatchPage> {
    return this.#search('batches', [{ limit, after, books }]);
  }

  async undo(batch: string, { as, limit, before, user }: UndoRequest): Promise<Undone | undefined> {
    return this.#runWrite(() => {
      const request = { as, limit, before, user };
      return withTimeout(callMs, this.#threads.writing.run('undo', [batch, request], waitOf(callMs)));
    });
  }

  async measure(): Promise<StoreMeasures> {
    const files = await measureFiles(this.#path);
    try {
      const read = () => {
        const statements = new Statements(this.#db);
        const historyBytes = statements.number('SELECT history_bytes FROM meta');
        return Promise.resolve({ historyBytes, lastChangeSeconds: statements.number(latestSql) / 1000 });
      };
      return { ...files, ...(await this.#run(read)) };
    } catch {
      return files; // They matter most when the database fails.
    }
  }

  async checkWrites(): Promise<void> {
    await this.#runWrite(async () => {
      if (performance.now() - this.#wroteAt < proofMs) return;
      const given = new AbortController();
      const signal = AbortSignal.any([given.signal, waitOf(callMs)]);
      let proved = (): void => undefined;
      // The writes of an import go on for a long time, and the thread runs its tasks in order.
      const proof = new Promise<void>((resolve) => this.#checks.add((proved = resolve)));
      try {
        const check = this.#threads.writing.run('checkWrites', [], signal);
        await withTimeout(callMs, Promise.race([proof, check]));
      } finally {
        this.#checks.delete(proved);
        given.abort();
      }
    });
  }

  /** Indexes books of other programs, and those that were indexed by other rules. */
  async backfill({ logger, sortArticles, sortNames }: StoreOptions): Promise<void> {
    const statements = new Statements(this.#db);
    const sql = `SELECT 1 FROM books WHERE ${unindexedMarker} IS NULL LIMIT 1`;
    const write = <Name extends 'backfill' | 'sortBy'>(task: Name, ...args: Parameters<Tasks[Name]>) =>
      this.#runWrite(() => this.#threads.writing.run(task, args, waitOf(callMs)));
    let done = 0;
    let loggedAt = performance.now();
    try {
      const [rules, settings] = [readRules(statements), { sortArticles, sortNames }];
      const isSorted = changeRules(rules, settings) === rules;
      if (!isSorted) await write('sortBy', settings);
      if (isReindexed(statements) && statements.row(sql) === undefined) return;
      for (let count = 1; count > 0 && !this.#isClosing; done += count) {
        count = await write('backfill');
        if (performance.now() - loggedAt < logEveryMs) continue;
        loggedAt = performance.now();
        logger?.info({ books: done }, 'indexing and sorting books; each keeps its old place until its turn');
      }
      const message = isSorted
        ? 'indexed the books that another program or version wrote'
        : 'sorted the books by the new rules';
      if (done > 0) logger?.info({ books: done }, message);
    } catch (error) {
      if (error instanceof DamagedFileError) throw error;
      logger?.warn(
        { books: done, cause: String(error) },
        'cannot index and sort all books; searches may miss some, and some have their old place, until the next start',
      );
    }
  }

  close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#pruning);
    this.#reader.flush();
    return this.#calls.close(async () => {
      this.#db.close();
      await Promise.all([this.#threads.searching.close(), this.#threads.background.close()]);
      await this.#threads.writing.close(); // Closing the last connection cleans up, off the main thread.
      this.#afterClose();
    });
  }

  async #writeBatch(batch: readonly Write[], timeoutMs: number): Promise<readonly CallResult<Stored>[]> {
    const written = await this.#threads.writing
      .run('write', [batch], waitOf(timeoutMs))
      .catch((error: unknown) => {
        this.#wroteAt = -Infinity;
        throw error;
      });
    // The others may have found nothing to change.
    if (batch.some(({ kind }) => kind === 'create' || kind === 'createMany')) {
      this.#wroteAt = performance.now();
      for (const proved of this.#checks) proved();
    }
    return written.map((each) =>
      'code' in each ? { error: new ShelflistError(each.code, { message: each.message }) } : { value: each },
    );
  }

  #search<Name extends keyof Tasks>(
    task: Name,
    args: Parameters<Tasks[Name]>,
    signal?: AbortSignal,
  ): Promise<ReturnType<Tasks[Name]>> {
    return this.#run(async () => {
      const given = new AbortController();
      const signals = signal === undefined ? [given.signal] : [given.signal, signal];
      try {
        const thread = isBackground(signal) ? this.#threads.background : this.#threads.searching;
        return await withTimeout(callMs, thread.run(task, args, AbortSignal.any(signals)));
      } finally {
        given.abort(ended); // An abandoned query must not delay the next one.
      }
    });
  }

  /** Runs a read of the main thread. `close` runs all of these, so they are not counted as calls in flight. */
  #read<T>(action: () => Promise<T>): Promise<T> {
    const { closedError } = this.#calls;
    return closedError === undefined ? action() : Promise.reject(closedError);
  }

  #run<T>(action: () => Promise<T>): Promise<T> {
    return this.#calls.run(action, (error) => this.#note(error));
  }

  /** Runs a write. None is acknowledged once the file was found damaged: a later start might not find the write. */
  async #runWrite<T>(action: () => Promise<T>): Promise<T> {
    this.#refuseDamaged();
    const value = await this.#run(action);
    this.#refuseDamaged(); // A search may have found damage meanwhile.
    return value;
  }

  #refuseDamaged(): void {
    if (this.#damage) throw writesRefused('its data file is damaged', this.#damage);
  }

  #note(cause: unknown): ShelflistError {
    const error = cause instanceof ShelflistError ? cause : toError(cause);
    if (error instanceof DamagedFileError) this.#damage = error;
    return error;
  }
}

/** Makes a plain copy for another thread: a caller may pass a proxy, which cannot be cloned. */
function plain(book: Book | undefined): Book | undefined {
  return book && { id: book.id, ...fieldsOf(book) };
}

/** Ends the wait of a write for its transaction. A refused write does not happen later. */
function waitOf(timeoutMs: number): AbortSignal {
  return AbortSignal.timeout(Math.max(0, Math.floor(timeoutMs - transactionMs)));
}

function toError(cause: unknown): ShelflistError {
  return failure(isDamaged(cause), cause);
}
