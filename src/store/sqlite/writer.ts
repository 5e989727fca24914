// Runs the writes that wait in one transaction, adds their batches and users to the change log, and keeps the log within its limits.
import { exampleBook, type Book, type BookFields, type BookPatch } from '../../catalogue/book.ts';
import { ShelflistError, type ErrorCode } from '../../catalogue/errors.ts';
import type { SortSettings } from '../../catalogue/sort-keys.ts';
import { runSync } from '../../lib/gensync.ts';
import { checkIds, checkLogged } from '../contract/assertions.ts';
import { checkExpected } from '../contract/change.ts';
import { dayMs, HistoryClock } from '../contract/history-clock.ts';
import { changeKinds, type Attribution, type Undone, type UndoRequest } from '../contract/history.ts';
import { revert, undoStep } from '../contract/log.ts';
import type { NewBooks } from '../contract/create.ts';
import type { Created } from '../contract/store.ts';
import { indexNext, setRules } from './backfill.ts';
import type { Connection } from './binding.ts';
import { BookTable } from './change.ts';
import { createMany } from './create.ts';
import { WritableLog } from './log.ts';
import { keptSinceOf } from './reading.ts';
import { Statements } from './connection.ts';
import { lastIdSql, maxIdSql, originBytes } from './schema.ts';
import type { WriteQueue } from './write-queue.ts';

/** A write of a book that exists, or did. */
interface Change {
  readonly id: number;
  readonly expected?: Book | undefined;
}

/** One write. `fields`, `patch`, `batch` and `user` have been validated. */
export type Write = Partial<Attribution> &
  (
    | { readonly kind: 'create'; readonly fields: BookFields }
    | ({ readonly kind: 'createMany' } & Omit<NewBooks, keyof Attribution>)
    | ({ readonly kind: 'update'; readonly patch: BookPatch } & Change)
    | ({ readonly kind: 'delete' } & Change)
    | ({ readonly kind: 'revert'; readonly version: string | undefined } & Change)
  );

/** The result of one write: the book as it is now stored, if there is one, or those of a `createMany`. */
export interface Stored {
  readonly book?: Book | undefined;
  readonly created?: Created;
}

/** The result of one write, or the reason for its refusal. */
export type Written = Stored | { readonly code: ErrorCode; readonly message: string };

/** The limits of the change log. */
export interface HistoryLimits {
  readonly historyDays: number;
  readonly historyMaxBytes: number;
}

/** The disk space of a change without its texts: its row and its index entries. */
const bytesPerChange = 40;
/** How long a step of an undo keeps other writes waiting. */
const maxUndoMs = 1000;
/** The number of changes that are dropped at once while nobody writes. */
const maxPruned = 1000;
const historySize = `SELECT seq, (SELECT max(seq) FROM changes), history_bytes, history_clock, at
  FROM meta, changes WHERE seq = (SELECT min(seq) FROM changes)`;
const newestChange = 'SELECT max(seq) FROM changes';
/**
 * The counter of ids and the highest one, of which SQLite takes the larger: another program may have set the counter back; the number
 * of the newest change, and the newest one in the log: another program may empty it.
 */
const counters = `SELECT (${lastIdSql}), (${maxIdSql}), (SELECT seq FROM sqlite_sequence WHERE name = 'changes'), (${newestChange})`;
const addOrigin = 'UPDATE changes SET batch = ?, user = ? WHERE seq > ?';
const addOriginBytes = `UPDATE meta SET history_bytes = history_bytes + ? * ${originBytes('?', '?')}`;
/** Adds the changes after a sequence number to the numbers of a batch. */
const countBatch = `
  INSERT INTO batches (batch, at, ${changeKinds.join(', ')})
  SELECT ?, min(at), ${changeKinds.map((kind) => `sum(kind = '${kind}')`).join(', ')}
  FROM changes WHERE seq > ? HAVING count(*) > 0
  ON CONFLICT (batch) DO UPDATE SET ${changeKinds.map((kind) => `${kind} = ${kind} + excluded.${kind}`).join(', ')}`;
/** The number of rows that this connection has changed. */
const totalChanges = 'SELECT total_changes()';
/** Changes are kept at least this long if their size allows: services read them from the log to announce them. */
const minAgeMs = 60_000;
/** The clock is stored when it has moved on by this. */
const clockStepMs = 60_000;

/** Each check throws when nothing may or can be written. */
export interface WriterChecks {
  /** Checks that the files of the store are still those of the connection. */
  readonly checkFiles?: () => void;
  /** Checks that the disk accepts a write. */
  readonly checkDisk?: () => void;
  /** Checks that the tables are those of the store. A trigger of another program may undo each write. */
  readonly checkSchema?: (statements: Statements) => void;
}

const nothing = () => undefined;

/** Writes batches, each in one transaction. It blocks, so it must run in a worker thread. */
export class Writer {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #queue: WriteQueue;
  readonly #limits: HistoryLimits;
  readonly #clock = new HistoryClock();
  readonly #table: BookTable;
  readonly #log: WritableLog;
  readonly #checkFiles: () => void;
  readonly #checkDisk: () => void;
  readonly #checkSchema: (statements: Statements) => void;
  /** The number that SQLite changes whenever the tables change (sqlite.org/pragma.html#pragma_schema_version). */
  #schemaVersion: number | undefined;
  /** Whether a transaction failed, and none has written since. */
  #hasFailed = false;
  /** The run of changes of one origin: they follow this sequence number. */
  #run: (Attribution & { readonly after: number }) | undefined;

  constructor(
    db: Connection,
    queue: WriteQueue,
    limits: HistoryLimits,
    { checkFiles = nothing, checkDisk = nothing, checkSchema = nothing }: WriterChecks = {},
  ) {
    this.#db = db;
    this.#statements = new Statements(db);
    this.#queue = queue;
    this.#limits = limits;
    this.#checkFiles = checkFiles;
    this.#checkDisk = checkDisk;
    this.#checkSchema = checkSchema;
    this.#table = new BookTable(this.#statements);
    this.#log = new WritableLog(this.#statements, this.#table);
  }

  /** Returns when the whole batch is on disk. Throws an error of SQLite if none of it was stored. */
  write(batch: readonly Write[]): Written[] {
    return this.#transactChecked(() => {
      if (batch.some(({ kind }) => kind !== 'update' && kind !== 'delete')) this.#setClock();
      const written = batch.map((write) => this.#apply(write));
      this.#enter({});
      this.#prune(2 * countOf(batch));
      return written;
    });
  }

  /**
   * Undoes some books of a batch. Returns when that is on disk; `undefined` if no change of the batch is kept. The log drops
   * nothing meanwhile: its oldest changes may be those that the next step undoes.
   */
  undo(batch: string, request: UndoRequest): Undone | undefined {
    return this.#transactChecked(() => {
      this.#setClock();
      this.#enter({ batch: request.as, user: request.user });
      const undone = runSync(undoStep(this.#log, batch, request, maxUndoMs));
      this.#enter({});
      return undone;
    });
  }

  /** Throws while no write would succeed. Writes only after a failed write, because it is called every second. */
  checkWrites(): void {
    this.#transact(() => {
      this.#checkDisk();
      this.#checkSchema(this.#statements); // Also its values, which any program may have changed.
      if (!this.#hasFailed) return;
      this.#tryInsert();
      this.#statements.run('UPDATE meta SET clock = clock'); // What is rolled back does not reach the disk.
    });
  }

  /** Inserts a book, and takes it back. */
  #tryInsert(): void {
    this.#db.exec('SAVEPOINT probe');
    this.#setClock();
    this.#table.create(exampleBook);
    this.#db.exec('ROLLBACK TO probe; RELEASE probe');
  }

  /** Moves the clock of the history on, and drops what is too old. */
  prune(): void {
    this.#transact(() => {
      this.#prune(maxPruned);
    });
  }

  /** As {@link indexNext}, in one transaction. */
  backfill(): number {
    return this.#transact(() => indexNext(this.#statements, this.#table));
  }

  /** As {@link setRules}, in one transaction. */
  sortBy(settings: SortSettings): void {
    this.#transact(() => {
      setRules(this.#statements, settings);
    });
  }

  /**
   * Moves the log into the data file, as far as readers allow: a copy of that file alone is then the whole store. SQLite
   * does so when the last connection closes, but the binding keeps one open until its statements are garbage collected.
   */
  checkpoint(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  /**
   * As {@link #transact}, with a check of each write: every change is in the log once, and each new book took the next id. If a bug,
   * a trigger or another program breaks that, nothing is stored, and the caller gets an error.
   */
  #transactChecked<T>(action: () => T): T {
    return this.#transact(() => {
      const [lastId = 0, highestId = 0, change = 0] = this.#readCounters();
      const result = action();
      const [newLastId = 0, , newChange = 0, logged = 0] = this.#readCounters();
      const id = Math.max(lastId, highestId);
      const newId = Math.max(newLastId, id);
      const { changes, created } = this.#table.written;
      checkLogged(changes, { from: change, to: newChange, newest: logged });
      checkIds(created, { from: id, to: newId });
      return result;
    });
  }

  #readCounters(): number[] {
    return (this.#statements.row(counters) ?? []).map(Number);
  }

  #transact<T>(action: () => T): T {
    this.#queue.begin(this.#db);
    this.#table.begin();
    try {
      this.#checkFiles(); // Before: the log may belong to another store by now.
      const schemaVersion = this.#statements.number('PRAGMA schema_version');
      if (schemaVersion !== this.#schemaVersion) this.#checkSchema(this.#statements);
      this.#schemaVersion = schemaVersion;
      const changes = this.#statements.number(totalChanges);
      const result = action();
      this.#db.exec('COMMIT');
      this.#checkFiles(); // After: no later start would find what is in a removed file.
      if (this.#statements.number(totalChanges) > changes) this.#hasFailed = false;
      return result;
    } catch (error) {
      this.#hasFailed = true;
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#statements.clear(); // A statement that failed fails again when it is reset.
      this.#run = undefined;
      throw error;
    }
  }

  /** Sets the time of the books that this transaction inserts (`schema.ts`). */
  #setClock(): void {
    this.#statements.run('UPDATE meta SET clock = max(?, history_clock)', Date.now());
  }

  #apply(write: Write): Written {
    try {
      this.#enter(write);
      switch (write.kind) {
        case 'create':
          return { book: this.#table.create(write.fields) };
        case 'createMany':
          return { created: createMany(this.#statements, this.#table, write) };
        case 'update':
          return { book: this.#update(write.id, write.patch, write.expected) };
        case 'delete':
          this.#delete(write.id, write.expected);
          return { book: undefined };
        case 'revert':
          return { book: this.#revert(write.id, write.version, write.expected) };
      }
    } catch (error) {
      // Only these errors are thrown before anything is written.
      if (!(error instanceof ShelflistError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  #update(id: number, patch: BookPatch, expected: Book | undefined): Book | undefined {
    const book = this.#table.read(id);
    if (book === undefined) return undefined;
    checkExpected(expected, book);
    const updated = { ...book, ...patch };
    this.#table.update(book, updated);
    return updated;
  }

  #delete(id: number, expected: Book | undefined): void {
    if (expected !== undefined) checkExpected(expected, this.#table.read(id));
    this.#table.delete(id);
  }

  #revert(id: number, version: string | undefined, expected: Book | undefined): Book | undefined {
    const since = keptSinceOf(this.#statements, this.#limits.historyDays);
    const options = { version, expected, since, batch: undefined, user: undefined }; // The run has these two.
    return runSync(revert(this.#log, id, options));
  }

  /** Begins a run of changes of one origin, or of none. It is added to the log at the end of the run, in one step. */
  #enter({ batch, user }: Partial<Attribution>): void {
    if (batch === this.#run?.batch && user === this.#run?.user) return;
    if (this.#run !== undefined) {
      const { batch: ended = null, user: by = null, after } = this.#run;
      this.#statements.run(addOrigin, ended, by, after);
      if (ended !== null) this.#statements.run(countBatch, ended, after);
      // Sequence numbers have no gaps.
      this.#statements.run(addOriginBytes, this.#statements.number(newestChange) - after, ended, by);
    }
    const isPlain = batch === undefined && user === undefined;
    this.#run = isPlain ? undefined : { batch, user, after: this.#statements.number(newestChange) };
  }

  /** Drops the oldest changes beyond a limit, a bounded number at a time, so that no write waits long for it. */
  #prune(most: number): void {
    const { historyDays, historyMaxBytes } = this.#limits;
    const row = (this.#statements.row(historySize) ?? []).map(Number);
    const [first = 0, newest = 0, textBytes = 0, stored = 0, firstAt = 0] = row;
    if (row.length === 0) return;
    // Changes that follow one from the future are older.
    const nextLoss = firstAt <= Date.now() ? firstAt + historyDays * dayMs : 0;
    const time = this.#clock.read(stored, nextLoss);
    if (time >= stored + clockStepMs) this.#statements.run('UPDATE meta SET history_clock = ?', time);
    const isTooLarge = (newest - first) * bytesPerChange + textBytes > historyMaxBytes;
    // Keeps all from the first one that is young enough; and the newest, so that its sequence number is never reused.
    const firstKept = this.#statements.number(
      'SELECT seq FROM changes WHERE seq >= ? OR NOT (? OR at < ?) ORDER BY seq LIMIT 1',
      Math.min(newest, first + most),
      isTooLarge ? 1 : 0,
      time - Math.max(historyDays * dayMs, minAgeMs),
    );
    if (firstKept === first) return;
    this.#statements.run('DELETE FROM changes WHERE seq < ?', firstKept);
    // Another program may have changed the sum, which a start refuses below 0.
    this.#statements.run('UPDATE meta SET history_bytes = 0 WHERE history_bytes < 0');
  }
}

/** The number of changes of a transaction, at most. */
function countOf(writes: readonly Write[]): number {
  return writes.reduce((sum, write) => sum + (write.kind === 'createMany' ? write.books.length : 1), 0);
}
