// The contract: every method of a store, and what it promises.
import type { AuthorCount } from '../../catalogue/authors.ts';
import type { Book, BookFields, BookPatch } from '../../catalogue/book.ts';
import type { Correction } from '../../catalogue/correction.ts';
import type { SuggestedField } from '../../catalogue/fields.ts';
import type { PrioritySignal } from '../../lib/scheduler.ts';
import type { Logger } from '../../lib/logger.ts';
import type { BookQuery, StoreQuery } from '../../catalogue/query.ts';
import type { SortNames } from '../../catalogue/sort-keys.ts';
import type { ChangeEvents } from './events.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import type { Suggestion } from '../../catalogue/suggestion.ts';
import type {
  BatchesRequest,
  BatchPage,
  BatchSummary,
  ChangeOptions,
  EarlierState,
  SummaryOptions,
  TrashPage,
  HistoryRequest,
  StoreRevertOptions,
  Undone,
  UndoRequest,
  WriteOptions,
} from './history.ts';
import type { IdRange } from './ids.ts';
import type { StorePage, PageRequest } from './page.ts';

/**
 * Stores books: the core of the contract, without which there is no store. `testStore` from `shelflist/store-suite` tests any
 * implementation against the contract.
 *
 * - **Ids** come from a stored counter: 1, 2, 3, …, strictly rising, never reused, not even after a delete, a
 *   restart or a crash. Books restored beside an older counter raise it: when the store is opened, and at the
 *   latest when an id turns out to be taken. Gaps are allowed.
 * - **Durable**: the promise of a write resolves once the write survives a crash of process and machine.
 * - **Atomic**: `update` changes the fields it names and no others. Two concurrent updates to different fields
 *   both survive.
 * - **Current**: a read that begins after a write was acknowledged, by any process, sees that write. This includes
 *   searches.
 * - **Faithful**: text and years are returned exactly as given, or refused (`invalid_input`). An `undefined` member counts as
 *   missing. The service passes parsed books alone: texts without half a surrogate pair, years within 2^53-1.
 * - **Bounded**: an answer has at most as many books as its `limit`, and fewer if they are long: a page of about a megabyte is
 *   full. Only `isLast` says that there are no more.
 * - **Cursors** are positions, not numbers of books: a page continues after the position of a book that may be gone.
 * - **Errors** are `ShelflistError`s: `unavailable` when the store cannot be reached or cannot write now (the
 *   same call may succeed later), `store_damaged` for a record that is not a book, `store_closed` after `close`.
 *   A write that ends `unavailable` may or may not have happened.
 * - **Checked**: the service and `testStore` call a store through a wrapper that refuses what its methods need not check: batches,
 *   users, idempotency keys, lists of more than 1000 books, and requests of pages.
 * - Calls may be concurrent.
 */
export interface CoreStore {
  /** Kind and place of the store, for messages: `embedded store /var/lib/shelflist`. Contains no secret. */
  readonly description: string;
  /** Stores a new book under the next id. Missing fields are empty. */
  create(fields: Partial<BookFields>, options?: WriteOptions): Promise<Book>;
  /** The book with this id, or `undefined`. It may be frozen. */
  get(id: number): Promise<Readonly<Book> | undefined>;
  /**
   * Every book by id, ascending, in pages of any length, which the caller reads at its own pace. A book that exists from the
   * first page to the last is in exactly one of them.
   *
   * @param range Only the books with these ids.
   */
  iterate(range?: IdRange): AsyncIterable<readonly Book[]>;
  /** One page of the books that match a query, in its order. The page is shorter than its limit if the books are long. */
  find(query: StoreQuery, page: PageRequest): Promise<StorePage>;
  /**
   * Changes the named fields of a book. Returns the whole book, or `undefined` when there is none. An update that changes nothing
   * makes no event, and no state in the history.
   *
   * @throws {ShelflistError} `precondition_failed`: the book is not the expected one.
   */
  update(id: number, patch: BookPatch, options?: ChangeOptions): Promise<Book | undefined>;
  /**
   * Removes the book, if there is one.
   *
   * @throws {ShelflistError} `precondition_failed`: the book is not the expected one, or there is none.
   */
  delete(id: number, options?: ChangeOptions): Promise<void>;
  /**
   * A text that every write changes, by any process, before it is acknowledged. While it stays the same, so does every
   * listing. It is found without reading the books, and contains only letters, digits and `-._`.
   */
  version(): Promise<string>;
  /** Waits for the calls in flight, then releases files and connections. May be called twice. */
  close(): Promise<void>;
}

/** Stores many books at once. Without it, the service creates them one by one, and remembers idempotency keys until its process ends. If a
 * `create` stores its book and then fails, a repeat may store it again, under another id. */
export interface BulkStore {
  /**
   * Stores new books under the next ids, in order; at most 1000. Missing fields are empty.
   *
   * With an `idempotencyKey`, it stores all of them or none, and may be repeated: a call with the same key and digest, by any process,
   * returns the ids and the batch of the first one and stores nothing. An empty list is remembered, too.
   *
   * @throws {ShelflistError} `key_reused`: the key belongs to another digest. `request_in_progress`: the first call with the
   * key has not ended yet; a store may instead wait for that call.
   */
  createMany(books: readonly Partial<BookFields>[], options?: CreateManyOptions): Promise<Created>;
}

/**
 * Answers questions about all books. A store may omit any of these methods: the service then reads every book, for some of them
 * into memory.
 */
export interface QuestionStore {
  /**
   * For each of at most 1000 books: the one in the store with the same spelling (duplicates of the level `same`). Of several, an
   * equal one comes first, then the one with the lowest id.
   */
  findDuplicatesOf(
    books: readonly BookFields[],
    options?: ReadOptions,
  ): Promise<(Readonly<Book> | undefined)[]>;
  /**
   * Groups of ids, some at a time: books whose title and author have the same spelling are in one group, which may have others,
   * too.
   */
  duplicateCandidates(options?: DuplicateCandidatesOptions): AsyncIterable<DuplicateCandidates>;
  /** The number of books that match a query. */
  count(query: StoreQuery, options?: ReadOptions): Promise<number>;
  /**
   * The statistics of the books that match a query; its order does not matter. Of many thousands of books, a store may estimate
   * all counts but those of authors.
   */
  statistics(query: StoreQuery, options?: ReadOptions): Promise<Statistics>;
  /**
   * The most frequent values of a field in which each word of the text begins a word. A text without words matches all values. The
   * counts are exact. Among many thousands of books, a store may miss a value that few of them have.
   */
  suggest(name: SuggestedField, text: string, options: LimitedReadOptions): Promise<Suggestion[]>;
  /**
   * Every spelling of an author with the number of its books, some at a time, as the caller reads them. They are in the order of
   * the author keys, so spellings with one key follow one another. A spelling of more than 4000 bytes is replaced by its key. Books
   * with an empty key do not count. Each step ends within the time of other questions; a book that changes meanwhile may count
   * twice or not at all. `findAuthors` reads them for any store.
   */
  authors(options?: ReadOptions): AsyncIterable<readonly AuthorCount[]>;
  /**
   * The words by which a search finds some book (`indexWords`), each once, some at a time, in any order. There may be more: those
   * of books that are gone. They are read once, then kept up to date by the events.
   */
  words(options?: ReadOptions): AsyncIterable<readonly string[]>;
  /**
   * Other words for a query that finds nothing, best first. Without it, the service corrects by the `words`, and a `find`, `count`
   * or `statistics` that finds nothing looks for words that contain those of the query; a store with it does so itself.
   */
  corrections(query: BookQuery, options: LimitedReadOptions): Promise<Correction[]>;
}

/** Keeps earlier states, deleted books and batches. A store has all of these methods, or none: the service then answers 501. */
export interface HistoryStore {
  /**
   * The earlier states of a book, newest first, as far as they are kept, within `historyLimits`. `undefined` when there is no
   * such book and none of its states is kept.
   */
  history(id: number): Promise<readonly EarlierState[] | undefined>;
  /**
   * Gives a book an earlier state. A deleted book comes back under its id. A book that has this state already is not changed.
   *
   * @returns The book, or `undefined` when the state is not kept.
   * @throws {ShelflistError} `precondition_failed`: the book is not the expected one, or is deleted.
   */
  revert(id: number, options?: StoreRevertOptions): Promise<Book | undefined>;
  /** A page of the deleted books that can be brought back, newest first. */
  trash(request: HistoryRequest): Promise<TrashPage>;
  /** What a batch has done; `undefined` if none of its changes is kept. */
  batch(id: string, options?: SummaryOptions): Promise<BatchSummary | undefined>;
  /** A page of the batches of which a change is kept, newest first. The undo of a batch is one, too. */
  batches(request: BatchesRequest): Promise<BatchPage>;
  /**
   * Takes back what a batch did, some books at a time, by descending id: each book gets the state it had before the first
   * change of the batch that is kept. Skips books that others have changed since; changes that are undone do not count, nor do
   * their undos. A book that is undone already stays as it is. A step may be repeated.
   *
   * @returns `undefined` if no change of the batch is kept.
   */
  undo(batch: string, request: UndoRequest): Promise<Undone | undefined>;
}

/** Keeps the order of changes. Without it, `GET /changes` and `onChange` tell only that books have changed. */
export interface EventStore {
  /**
   * The changes of books after a position, by any process or program, in the order in which they were made: none is missing,
   * repeated, or changed later; only `deleted` may come again when a deleted book is removed for good. They include every
   * change acknowledged before the call. Positions remain valid when the store is opened again, as long as it keeps the changes.
   * Any other text is an unknown position; so are `0` and `-1`, which are never positions.
   */
  events(request?: EventsRequest): Promise<ChangeEvents>;
}

/** A store: its core, and the optional groups that it has. */
export interface BookStore
  extends CoreStore, Partial<BulkStore>, Partial<QuestionStore>, Partial<HistoryStore>, Partial<EventStore> {
  /** What an operator watches, for `GET /metrics`. */
  measure?(): Promise<StoreMeasures>;
  /**
   * Checks whether a write would succeed now, for `GET /readyz`, which supervisors request every second. Changes no book. Default:
   * an update of a book that does not exist.
   *
   * @throws {ShelflistError} `unavailable`: it would fail.
   */
  checkWrites?(): Promise<void>;
}

/** A store with every method, as the service uses it. */
export type CompleteStore = Required<BookStore>;

/** The names of all methods of a group; the compiler refuses one that is missing here. */
function methodsOf<Group>(names: Readonly<Record<Exclude<keyof Group, 'description'>, true>>) {
  return Object.keys(names) as Exclude<keyof Group, 'description'>[];
}

/** The names of the methods of each group. */
export const storeGroups = {
  core: methodsOf<CoreStore>({
    create: true,
    get: true,
    iterate: true,
    find: true,
    update: true,
    delete: true,
    version: true,
    close: true,
  }),
  bulk: methodsOf<BulkStore>({ createMany: true }),
  questions: methodsOf<QuestionStore>({
    findDuplicatesOf: true,
    duplicateCandidates: true,
    count: true,
    statistics: true,
    suggest: true,
    authors: true,
    words: true,
    corrections: true,
  }),
  history: methodsOf<HistoryStore>({
    history: true,
    revert: true,
    trash: true,
    batch: true,
    batches: true,
    undo: true,
  }),
  events: methodsOf<EventStore>({ events: true }),
} as const;
export type StoreMethod = Exclude<keyof BookStore, 'description' | 'measure' | 'checkWrites'>;

export const storeMethods: readonly StoreMethod[] = Object.values(storeGroups).flat();

/**
 * A store that `openStore` has opened, as a plain object whose methods need no `this`: `{ ...store, create: mine }` is a store,
 * too, and so is a `Proxy` of it.
 */
export interface OpenedStore extends CompleteStore, AsyncDisposable {}

/** What a store measures: sizes in bytes, and the time of the last backup. */
export interface StoreMeasures {
  /** The database, with its indexes. */
  readonly databaseBytes?: number;
  /** The write-ahead log beside it. */
  readonly walBytes?: number;
  /** The earlier states and deleted books, as far as `HISTORY_MAX_BYTES` counts them. */
  readonly historyBytes?: number;
  /** What this user may still write to the disk of the store. */
  readonly diskFreeBytes?: number;
  /** The size of that disk. */
  readonly diskBytes?: number;
  /** The time of the last complete backup, in seconds since 1970. */
  readonly lastBackupSeconds?: number;
  /** The time of the last change of a book, in seconds since 1970. */
  readonly lastChangeSeconds?: number;
}

/** The options of a question. */
export interface ReadOptions {
  /**
   * Aborted when the answer is no longer needed; the store may then reject. One of priority `background` is from a reader without
   * a token: its question yields to others.
   */
  readonly signal?: PrioritySignal | undefined;
}

/** The options of a question with a list as its answer. */
export interface LimitedReadOptions extends ReadOptions {
  /** The maximum length of the answer, 1 or more. */
  readonly limit: number;
}

/** Options of {@link QuestionStore.duplicateCandidates}. */
export interface DuplicateCandidatesOptions extends ReadOptions {
  /** Only the groups of books with the spelling of one of these. */
  readonly of?: readonly BookFields[] | undefined;
}

/** Options of {@link EventStore.events}. */
export interface EventsRequest {
  /** A position of an earlier answer or event. Default: the current one, without events. */
  readonly since?: string | undefined;
}

/** A part of the answer of {@link QuestionStore.duplicateCandidates}. */
export interface DuplicateCandidates {
  /** Each has the ids of at least two books. */
  readonly groups: readonly (readonly number[])[];
  /** The part of the books that has been searched, 0 to 1. */
  readonly done: number;
}

/** Makes a write safe to repeat. It is kept for 24 hours after the books were stored, however the clock jumps. */
export interface IdempotencyKey {
  /** 1 to 80 visible ASCII characters. */
  readonly key: string;
  /** A digest of the request. */
  readonly digest: string;
  /**
   * The keys and the digest that earlier releases gave to the same request: if one of the keys is stored with this digest, so are
   * the books. A store that was never used with an earlier release may ignore them. Default: none.
   */
  readonly former?: { readonly keys: readonly string[]; readonly digest: string } | undefined;
}

/** The options of {@link BulkStore.createMany}. */
export interface CreateManyOptions extends WriteOptions {
  /** Makes the call safe to repeat. Default: a repeat stores the books again. */
  readonly idempotencyKey?: IdempotencyKey | undefined;
  /** The call before this one, of which {@link onPrepared} was called: this one stores nothing unless that one succeeds. */
  readonly after?: Promise<Created> | undefined;
  /**
   * Called when a next call may begin, with this one as its `after`: its books get higher ids. A store calls it if it stores faster
   * with two calls on their way; else it never does, and may ignore `after`.
   */
  readonly onPrepared?: (() => void) | undefined;
}

/** The answer of {@link BulkStore.createMany}. */
export interface Created {
  /** The ids of the books, in their order. */
  readonly ids: readonly number[];
  /** The batch that they belong to: of a repeat, that of the first call. */
  readonly batch: string | undefined;
  /** Whether an earlier call with the same key has stored them. */
  readonly isReplay: boolean;
}

/** The options of a store besides its address. */
export interface StoreOptions {
  /** Receives progress and warnings of background work. Default: none. */
  readonly logger?: Logger | undefined;
  /**
   * How long earlier states and deleted books are kept, in days. Default 90. However the system clock jumps, an hour forgets
   * at most one hour of changes.
   */
  readonly historyDays?: number | undefined;
  /** The maximum disk space for earlier states in the embedded store, in bytes. Default 256 MiB. */
  readonly historyMaxBytes?: number | undefined;
  /**
   * Articles that the order by title ignores, such as `the` and `l'`; at most 16. They are kept with the books. A change sorts
   * the books anew in the background; each keeps its old place until its turn. Default: those that the store has; none in a new one.
   */
  readonly sortArticles?: readonly string[] | undefined;
  /** The order by author: `family` name first, or as `written`. Kept and changed as `sortArticles`. Default of a new store: `family`. */
  readonly sortNames?: SortNames | undefined;
}

/** The defaults of {@link StoreOptions}. */
export { defaultHistory } from '../../catalogue/limits.ts';
