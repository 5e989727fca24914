// History, reverts, trash, batches and undo of every store, over the six primitives of its log.
import { fieldsOf, type Book, type BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames, mapFields } from '../../catalogue/fields.ts';
import { maxBatchText } from '../../catalogue/limits.ts';
import { all, runAsync, wait, type Gensync, type MaybePromise } from '../../lib/gensync.ts';
import { checkExpected, isSameBook } from './change.ts';
import {
  takeStates,
  type Attribution,
  type BatchBook,
  type BatchesRequest,
  type BatchPage,
  type BatchSummary,
  type ChangeKind,
  type ChangeOptions,
  type DeletedBook,
  type EarlierState,
  type HistoryRequest,
  type SummaryOptions,
  type TrashPage,
  type Undone,
  type UndoRequest,
} from './history.ts';
import { createPage } from './page.ts';
import type { HistoryStore } from './store.ts';
import { planUndo, undoPrefix, type BookResult } from './undo.ts';

/** A change of a book. */
export interface LoggedChange {
  /** Names the state before the change, among those of its book. */
  readonly version: string;
  /** What was done to the book. */
  readonly kind: ChangeKind;
  /** When it was done. */
  readonly at: Date;
  /** The batch that it belongs to, if it belongs to one. */
  readonly batch: string | undefined;
  /** The user who made it, if the log has a name. */
  readonly user?: string | undefined;
  /**
   * The book before the change; `undefined`: there was none. `lost`: the log does not keep it. `damaged`: another program stored
   * something that is not a book. It may be a getter, which is called only for the changes that matter.
   */
  readonly before: Book | undefined | 'lost' | 'damaged';
}

/** A book with its changes. */
export interface LoggedBook {
  /** The id of the book, also of one that is deleted. */
  readonly id: number;
  /** The book as it is now; `undefined`: there is none. It may be a getter, too. */
  readonly book: Book | undefined | 'damaged';
  /** The changes that are kept, oldest first. */
  readonly changes: readonly LoggedChange[];
  /** Whether changes before these may be missing. Default: only those that are older than all that is kept. */
  readonly isCut?: boolean | undefined;
  /** The approximate size of what was read, if it may be large: then fewer books are read at once. */
  readonly bytes?: number | undefined;
}

/** A book that gets an earlier state; `undefined`: it is deleted. */
export interface Restoration<Logged extends LoggedBook = LoggedBook> {
  /** The book as it was read: it changes only if it is still so. */
  readonly logged: Logged;
  /** The state that it gets. */
  readonly to: Book | undefined;
}

/** Which changes of books are needed. */
export interface ChangesRequest {
  /** So many of the newest; there may be more. Default: all, or the newest thousand. */
  readonly newest?: number | undefined;
  /** The creation, too, if this batch created the book, or that of another change. Any other creation may be left out. */
  readonly batch?: string | undefined;
  /** The change with this version, too, however old it is; then others may be missing in between. */
  readonly version?: string | undefined;
}

/** Selects books of a batch. */
export interface BatchRange {
  /** Only ids below this. */
  readonly before: number;
  /** The maximum number of ids. */
  readonly limit: number;
  /** Books whose newest change belongs to a batch that begins so may be left out; then there may be fewer than the limit. */
  readonly except?: string | undefined;
}

/** A book that was deleted. */
export interface LoggedDelete {
  /** Its place in the trash, from which the next page goes on. */
  readonly position: string;
  /** When it was deleted. */
  readonly at: Date;
  /** The batch of the delete, if it belongs to one. */
  readonly batch: string | undefined;
  /** `undefined`: it came back, or is not a book. */
  readonly book: Book | undefined;
}

/** The numbers of the changes of a batch. */
export type LoggedBatch = Omit<BatchSummary, 'undoable'>;

/** A batch in the list of batches. */
export interface ListedBatch {
  /** Its place in the list, from which the next page goes on. */
  readonly position: string;
  /** `undefined`: none of its changes is kept. */
  readonly batch: LoggedBatch | undefined;
}

/** What can be read of a log. */
export interface ReadableLog<Logged extends LoggedBook = LoggedBook> {
  /** The books of which the log keeps a change of a batch, by descending id. None: there are no more. */
  idsOfBatch(batch: string, range: BatchRange): MaybePromise<readonly number[]>;
  /** Books with their changes. An id without a book and without a change may be left out. */
  changesOf(ids: readonly number[], request: ChangesRequest): MaybePromise<readonly Logged[]>;
  /**
   * The deleted books after a position, newest first: at most so many, and fewer if they are long. None: there are no more.
   *
   * @throws {ShelflistError} `invalid_query`: not a position (`notAPosition`).
   */
  deleted(request: HistoryRequest): MaybePromise<Iterable<LoggedDelete>>;
  /** What a batch has done; `undefined`: none of its changes is kept. */
  batch(id: string): MaybePromise<LoggedBatch | undefined>;
  /**
   * The batches after a position, by their first changes, newest first: so many, or all that follow.
   *
   * @throws {ShelflistError} `invalid_query`: not a position (`notAPosition`).
   */
  batches(request: HistoryRequest): MaybePromise<readonly ListedBatch[]>;
}

/** The log of a store. */
export interface BookLog<Logged extends LoggedBook = LoggedBook> extends ReadableLog<Logged> {
  /**
   * Gives books earlier states, each only if it is still as it was read. The log shows changes to `deleted` or `reverted`; a book
   * that has its state already is not changed.
   *
   * @returns The ids of the books that are not changed yet: others have changed them since, or time ran out. They are read and
   * changed again. It may name a book that is changed. After 1000 calls in a row that changed none of their books, the revert or
   * the undo fails with `unavailable`.
   */
  apply(changes: readonly Restoration<Logged>[], by: Attribution): MaybePromise<readonly number[]>;
}

/** The number of books that are read at once: few at first, because their histories may be long. */
const atOnce = { first: 50, most: 250 };
/** More are read at once while they are no longer than this, in bytes. */
const maxBytesAtOnce = 2 ** 20;
/** The number of these parts, or of batches, that are on their way. */
const maxParts = { undo: 3, check: 4 };
/** How long it is checked whether batches can be undone. */
const maxCheckMs = 1000;
/** The time after which a step of an undo ends, so that other writes can run. */
const maxUndoMs = 1500;
/** The number of changes that are searched for the last state: a change that brought a book back replaced none. */
const lastStates = 10;
/** The number of calls in a row of `apply` that may change nothing: no book is so busy that others always come first. */
const maxFruitless = 1000;
/** The number of deleted books that one page of the trash looks at: many may have come back. */
const maxTrashRows = 20_000;

/** As `HistoryStore.history`. @param since Older changes do not count, in milliseconds since 1970. */
export function* readHistory(
  log: ReadableLog,
  id: number,
  since: number,
): Gensync<readonly EarlierState[] | undefined> {
  const [logged] = yield* wait(log.changesOf([id], {}));
  if (logged === undefined) return undefined;
  const states = takeStates(statesOf(logged, since));
  return states.length > 0 || logged.book !== undefined ? states : undefined;
}

/** The earlier states of a book, newest first. */
function* statesOf({ changes }: LoggedBook, since: number): Generator<EarlierState> {
  for (const change of changes.toReversed()) {
    const { version, kind, at, batch, user } = change;
    if (kind === 'created' || at.getTime() < since) continue;
    const { before } = change;
    const by = { ...(batch !== undefined && { batch }), ...(user !== undefined && { user }) };
    if (typeof before === 'object') yield { version, at, change: kind, ...fieldsOf(before), ...by };
  }
}

/** The options of a revert, checked. */
export interface Revert extends Attribution, Pick<ChangeOptions, 'expected'> {
  readonly version?: string | undefined;
  /** Older changes do not count, in milliseconds since 1970. */
  readonly since: number;
}

/** As `HistoryStore.revert`. @throws {ShelflistError} `precondition_failed`; `unavailable`: the log applies nothing. */
export function* revert<Logged extends LoggedBook>(
  log: BookLog<Logged>,
  id: number,
  { version, since, expected, batch, user }: Revert,
): Gensync<Book | undefined> {
  for (let attempts = 0; attempts < maxFruitless; attempts++) {
    const [logged] = yield* wait(
      log.changesOf([id], { version, newest: version === undefined ? lastStates : 0 }),
    );
    const book = logged?.book;
    checkExpected(expected, book === 'damaged' ? undefined : book);
    const to = logged && stateOf(logged, version, since);
    if (logged === undefined || to === undefined) return undefined;
    const left = yield* wait(log.apply([{ logged, to }], { batch, user }));
    if (left.length === 0) return to;
  }
  throw fruitless();
}

function fruitless(): ShelflistError {
  return new ShelflistError('unavailable', {
    message: `the log of the store changed nothing in ${maxFruitless} attempts; try again later, or report it to the author of the store`,
  });
}

/** The state of a version, or the last one, even if that is not kept and an older one is. */
function stateOf({ changes }: LoggedBook, version: string | undefined, since: number): Book | undefined {
  for (const change of changes.toReversed()) {
    if (change.kind === 'created' || change.at.getTime() < since) continue;
    if (version !== undefined && version !== change.version) continue;
    const { before } = change;
    if (before === 'lost') return undefined;
    if (typeof before === 'object') return before;
  }
  return undefined;
}

/** As `HistoryStore.trash`. @param since Older changes do not count, in milliseconds since 1970. */
export function* readTrash(
  log: ReadableLog,
  { limit, after }: HistoryRequest,
  since: number,
  maxRows = maxTrashRows,
): Gensync<TrashPage> {
  const page = createPage(limit);
  const books: DeletedBook[] = [];
  let next = after;
  for (let rows = 0; rows < maxRows;) {
    const needed = page.maxBooks - books.length + 1;
    // After some that do not count, there are probably many.
    const most = Math.min(rows === 0 ? needed : Math.max(needed, atOnce.most), maxRows - rows);
    let isEnd = true;
    for (const { position, at, batch, book } of yield* wait(log.deleted({ limit: most, after: next }))) {
      if (page.isFull) return { books, next };
      isEnd = false;
      rows++;
      next = position;
      if (book === undefined || at.getTime() < since) continue;
      books.push({ ...book, deletedAt: at, ...(batch !== undefined && { batch }) });
      page.add(book);
    }
    if (isEnd) return { books, next: undefined };
  }
  return { books, next };
}

/** As `HistoryStore.batch`. */
export function* readBatch(
  log: ReadableLog,
  id: string,
  options: SummaryOptions = {},
): Gensync<BatchSummary | undefined> {
  const end = performance.now() + maxCheckMs;
  const [batch, more] = yield* all([wait(log.batch(id)), summarize(log, id, options, end)]);
  return batch && { ...batch, ...more };
}

/** As `HistoryStore.batches`. */
export function* readBatches(log: ReadableLog, { limit, after, books }: BatchesRequest): Gensync<BatchPage> {
  const found = yield* wait(log.batches({ limit: limit + 1, after }));
  const page = found.slice(0, limit);
  const batches: BatchSummary[] = [];
  const end = performance.now() + maxCheckMs;
  const kept = page.flatMap(({ batch }) => batch ?? []);
  for (let i = 0; i < kept.length; i += maxParts.check) {
    const some = kept.slice(i, i + maxParts.check);
    const more = yield* all(some.map(({ batch }) => summarize(log, batch, { books }, end)));
    batches.push(...some.map((batch, j) => ({ ...batch, ...more[j] })));
  }
  return { batches, next: found.length > limit ? page.at(-1)?.position : undefined };
}

type Summary = Pick<BatchSummary, 'undoable' | 'books' | 'undoneBy'>;

/** The members of a summary besides the numbers. */
function* summarize(
  log: ReadableLog,
  batch: string,
  { books }: SummaryOptions,
  end: number,
): Gensync<Summary> {
  const undoable = yield* isUndoable(log, batch, end);
  if (books === undefined || performance.now() > end) return { undoable };
  return { undoable, ...(yield* readBooks(log, batch, books)) };
}

/** The last books of a batch by id, and the undo that has begun with them: undos take them first. */
function* readBooks(log: ReadableLog, batch: string, limit: number): Gensync<Summary> {
  const ids = yield* wait(log.idsOfBatch(batch, { before: Number.MAX_SAFE_INTEGER, limit }));
  const read = new Map((yield* wait(log.changesOf(ids, { batch }))).map((logged) => [logged.id, logged]));
  const found = ids.flatMap((id) => read.get(id) ?? []);
  const newest = found[0]?.changes.at(-1)?.batch;
  return {
    books: found.flatMap((logged) => bookOfBatch(logged, batch) ?? []),
    ...(newest?.startsWith(undoPrefix(batch)) === true && { undoneBy: newest }),
  };
}

const longText = new RegExp(`^(.{${maxBatchText}}).+`, 'su');

/** `undefined`: the log does not keep how the batch left the book. */
function bookOfBatch(logged: LoggedBook, batch: string): BatchBook | undefined {
  const { id, changes } = logged;
  const last = changes.findLastIndex((change) => change.batch === batch);
  const [change, next] = changes.slice(last, last + 2);
  if (last === -1 || change === undefined) return undefined;
  const { kind, user } = change;
  const book = kind === 'deleted' ? change.before : next === undefined ? logged.book : next.before;
  if (typeof book !== 'object') return undefined;
  const fields = mapFields(fieldNames, (name) => {
    const value = book[name];
    return typeof value === 'string' ? value.replace(longText, '$1…') : value;
  }) as unknown as BookFields;
  return { id, change: kind, ...fields, ...(user !== undefined && { user }) };
}

/** Whether an undo of a batch may change a book; `true` if checking takes until `end`. */
function* isUndoable(log: ReadableLog, batch: string, end: number): Gensync<boolean> {
  const undone = undoPrefix(batch);
  let [before, limit] = [Number.MAX_SAFE_INTEGER, atOnce.first];
  while (performance.now() < end) {
    const ids = yield* wait(log.idsOfBatch(batch, { before, limit, except: undone }));
    const last = ids.at(-1);
    if (last === undefined) return false;
    before = last;
    const found = yield* wait(log.changesOf(ids, { batch }));
    for (const logged of found) {
      // A book whose newest change undoes the batch has nothing to undo. This keeps the check of an undone batch short.
      if (logged.changes.at(-1)?.batch?.startsWith(undone) === true) continue;
      if (typeof planBook(logged, batch, '') !== 'string' || performance.now() > end) return true;
    }
    limit = nextSize(found);
  }
  return true;
}

/** As `HistoryStore.undo`. @throws {ShelflistError} `unavailable`: the log applies nothing. */
export function* undoStep<Logged extends LoggedBook>(
  log: BookLog<Logged>,
  batch: string,
  { as, limit, before = Number.MAX_SAFE_INTEGER, user }: UndoRequest,
  maxMs = maxUndoMs,
): Gensync<Undone | undefined> {
  const found = yield* wait(log.idsOfBatch(batch, { before, limit: limit + 1 }));
  if (found.length === 0 && !(yield* isKept(log, batch))) return undefined;
  const end = performance.now() + maxMs; // Excludes the search, so that each step undoes some books.
  const ids = found.slice(0, limit);
  const results = new Map<number, BookResult>();
  const isDone = (i: number) => results.has(ids[i] ?? 0);
  const isOver = () => isDone(0) && performance.now() > end;
  const undo = { batch, by: { batch: as, user }, results, isOver };
  let size = atOnce.first;
  for (let start = 0; start < ids.length && !isOver();) {
    const parts = Array.from({ length: maxParts.undo }, (_, i) =>
      ids.slice(start + i * size, start + (i + 1) * size),
    );
    const read = yield* all(parts.map((part) => undoBooks(log, part, undo)));
    start += maxParts.undo * size;
    size = nextSize(read.flat());
  }
  // What was undone after the first book that was not is counted by the next step: it changes nothing there.
  const open = ids.findIndex((_, i) => !isDone(i));
  const done = open === -1 ? ids : ids.slice(0, open);
  return {
    undone: done.filter((id) => results.get(id) === 'undone').length,
    left: done.filter((id) => results.get(id) === 'left'),
    next: done.length < found.length ? done.at(-1) : undefined,
  };
}

function* isKept(log: ReadableLog, batch: string): Gensync<boolean> {
  const newest = { before: Number.MAX_SAFE_INTEGER, limit: 1 };
  return (yield* wait(log.idsOfBatch(batch, newest))).length > 0;
}

/** A step of an undo. */
interface UndoStep {
  readonly batch: string;
  readonly by: Attribution & { readonly batch: string };
  /** By book. */
  readonly results: Map<number, BookResult>;
  /** Whether the step must end: its time is over, and there is a result for its first book. */
  readonly isOver: () => boolean;
}

/** Undoes some books, unless the step ends before. @returns What was read. */
function* undoBooks<Logged extends LoggedBook>(
  log: BookLog<Logged>,
  ids: readonly number[],
  { batch, by, results, isOver }: UndoStep,
): Gensync<readonly Logged[]> {
  const read: Logged[] = [];
  let attempts = 0;
  for (let remaining = ids; remaining.length > 0 && !isOver();) {
    if (attempts++ === maxFruitless) throw fruitless();
    const found = new Map(
      (yield* wait(log.changesOf(remaining, { batch }))).map((logged) => [logged.id, logged]),
    );
    const changes: Restoration<Logged>[] = [];
    for (const id of remaining) {
      if (isOver()) break; // Plans of long histories take time, and others wait to write.
      const logged = found.get(id);
      const plan = logged === undefined ? 'unchanged' : planBook(logged, batch, by.batch);
      if (logged === undefined || typeof plan === 'string') results.set(id, plan as BookResult);
      else if (isAlready(logged, plan.to)) results.set(id, 'unchanged');
      else changes.push({ logged, to: plan.to });
    }
    const unchanged = changes.length === 0 ? [] : yield* wait(log.apply(changes, by));
    for (const { logged } of changes) if (!unchanged.includes(logged.id)) results.set(logged.id, 'undone');
    const left = remaining.filter((id) => !results.has(id));
    if (left.length < remaining.length) attempts = 0;
    remaining = left;
    read.push(...found.values());
  }
  return read;
}

function isAlready({ book }: LoggedBook, to: Book | undefined): boolean {
  return to === undefined || typeof book !== 'object' ? book === to : isSameBook(book, to);
}

/** The state that an undo gives a book, or the result if there is nothing to do. */
function planBook(
  { changes, isCut = false, book }: LoggedBook,
  batch: string,
  as: string,
): { readonly to: Book | undefined } | BookResult {
  const batches = changes.map((change) => change.batch);
  const plan = planUndo(batches, batch, as);
  if (typeof plan === 'string') return plan;
  const oldest = changes.findIndex(({ kind }) => kind !== 'created');
  if (isCut && plan.first <= Math.max(oldest, 0)) return 'left'; // Older changes may belong to the batch, too.
  // Another program may have added or removed the book without the log.
  if (book === 'damaged' || (book === undefined) !== (changes.at(-1)?.kind === 'deleted')) return 'left';
  const to = changes[plan.first]?.before;
  return to === 'lost' || to === 'damaged' ? 'left' : { to };
}

/** The number of books to read next. */
function nextSize(read: readonly LoggedBook[]): number {
  const bytes = read.reduce((sum, { bytes: each = 0 }) => sum + each, 0);
  return bytes > maxBytesAtOnce ? atOnce.first : atOnce.most;
}

/**
 * The history of a store over its log, for stores of other authors.
 *
 * @param keptSince The time of the oldest change that counts, in milliseconds since 1970. Default: all that the log has.
 *
 * @example
 * const store = { ...core, ...historyOf(log) };
 */
export function historyOf<Logged extends LoggedBook>(
  log: BookLog<Logged>,
  keptSince: () => number = () => -Infinity,
): HistoryStore {
  return {
    history: (id) => runAsync(readHistory(log, id, keptSince())),
    revert: (id, { batch, user, ...options } = {}) =>
      runAsync(revert(log, id, { ...options, batch, user, since: keptSince() })),
    trash: (request) => runAsync(readTrash(log, request, keptSince())),
    batch: (id, options) => runAsync(readBatch(log, id, options)),
    batches: (request) => runAsync(readBatches(log, request)),
    undo: (batch, request) => runAsync(undoStep(log, batch, request)),
  };
}
