// Opens the file, tells errors of SQLite apart, converts rows to books, and keeps prepared statements.
import { pathToFileURL } from 'node:url';
import { toBook, type Book, type BookFields } from '../../catalogue/book.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import { loadBinding, type Connection, type Row, type Statement, type Value } from './binding.ts';

/** The result codes of SQLite that are distinguished here (sqlite.org/rescode.html). */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  ioError: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  constraint: 19,
  notADatabase: 26,
} as const;

/** The default size of the page cache. */
const defaultCacheKiB = 4096;
/** The number of pages between checkpoints: 16 MiB of log. */
const checkpointPages = 4000;

export interface ConnectOptions {
  /** The path of the binding, for worker threads. */
  readonly binding?: string;
  /** The size of the page cache. Default 4 MiB. */
  readonly cacheKiB?: number;
  /** How long it waits for a lock. Default 0: it throws ({@link isBusy}). */
  readonly waitMs?: number;
  /** Whether a missing file is created: only for a new store. Beside an empty file, SQLite removes the log of a lost one. */
  readonly isNew?: boolean;
  /** Throws if the file must not be used. Called before SQLite reads or writes anything. */
  readonly check?: () => void;
}

/** Opens a database file for reading and writing. */
export function connect(
  file: string,
  { binding, cacheKiB = defaultCacheKiB, waitMs = 0, isNew = false, check }: ConnectOptions = {},
): Connection {
  const { DatabaseSync } = loadBinding(binding);
  const db = new DatabaseSync(fileUri(file, { mode: isNew ? 'rwc' : 'rw' }), {
    timeout: waitMs,
    returnArrays: true,
    defensive: true,
    enableForeignKeyConstraints: false,
  });
  try {
    check?.();
    // In WAL mode bindings default to NORMAL, which loses the last writes in a power cut. mmap is off: with it, a damaged file
    // causes SIGBUS.
    db.exec(`
      PRAGMA synchronous = FULL;
      PRAGMA cache_size = -${cacheKiB};
      PRAGMA mmap_size = 0;
      PRAGMA trusted_schema = OFF;
      PRAGMA wal_autocheckpoint = ${checkpointPages};
      PRAGMA journal_size_limit = ${checkpointPages * 4096};
    `);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** The name of the file in the connection of {@link readFile}. */
export const readName = 'file';

/**
 * Reads a file without creating files beside it.
 *
 * @param isImmutable No process writes to it.
 */
export function readFile<T>(file: string, isImmutable: boolean, action: (db: Connection) => T): T {
  const { DatabaseSync } = loadBinding();
  const uri = fileUri(file, { mode: 'ro', ...(isImmutable && { immutable: '1' }) });
  const db = new DatabaseSync(':memory:', { timeout: 1000, returnArrays: true, defensive: true });
  try {
    db.prepare(`ATTACH ? AS ${readName}`).run(uri);
    return action(db);
  } finally {
    detach(db);
    db.close();
  }
}

/** A path as a URI (sqlite.org/uri.html), whose host must be empty: a Windows share goes into its path. */
export function fileUri(file: string, parameters: Readonly<Record<string, string>>): string {
  const { host, pathname } = pathToFileURL(file); // Escapes a percent sign, too.
  return `file://${host === '' ? '' : `//${host}`}${pathname}?${new URLSearchParams(parameters).toString()}`;
}

/** Closes the file. Without it, `close` leaves it open until the statements of the connection are garbage collected. */
function detach(db: Connection): void {
  try {
    db.exec(`DETACH ${readName}`);
  } catch {
    // It could not be attached, or a statement that failed still reads it.
  }
}

/** The result code of SQLite that an error carries; `undefined` for any other error. */
function codeOf(error: unknown): number | undefined {
  const { errcode } = Object(error) as { errcode?: unknown };
  return typeof errcode === 'number' ? errcode & 0xff : undefined;
}

/** Whether another connection holds a lock: the same call may succeed soon. */
export function isBusy(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.busy || code === codes.locked;
}

export function isConstraint(error: unknown): boolean {
  return codeOf(error) === codes.constraint;
}

/** Whether the file is damaged, or not a database. Errors of `all` and `iterate` have no result code. */
export function isDamaged(error: unknown): boolean {
  const code = codeOf(error);
  const { message } = Object(error) as { message?: unknown };
  return (
    code === codes.corrupt || code === codes.notADatabase || message === 'database disk image is malformed'
  );
}

/**
 * Runs a read, or a transaction that it rolls back if it fails; runs it once more if it finds the file damaged. SQLite reports an
 * error of the disk while it reads (EIO) as damage, too, and the disk may read the same page a moment later.
 *
 * @param forget Drops the statements that have failed: each would fail again when it is reset.
 */
export function repeatIfDamaged<T>(action: () => T, forget: () => void = () => undefined): T {
  try {
    return action();
  } catch (error) {
    if (!isDamaged(error)) throw error;
    forget();
    return action();
  }
}

/** Whether a disk is full: that of the file, or that of temporary files. */
export function isFull(error: unknown): boolean {
  return codeOf(error) === codes.full;
}

export function isIoError(error: unknown): boolean {
  return codeOf(error) === codes.ioError;
}

/** Whether the file cannot be opened or written by this user. */
export function isForbidden(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.cannotOpen || code === codes.readOnly;
}

/** The values to store for the fields of a book, in their order. */
export function toColumns(book: BookFields): Value[] {
  return fieldNames.map((name) => toValue(book[name]));
}

/** A value to store, or to compare with stored ones. When reading, the binding cuts text at U+0000. */
export function toValue(value: string | number | null): Value {
  return typeof value === 'string' && value.includes('\0') ? Buffer.from(value) : value;
}

export function toText(value: Value): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : String(value ?? '');
}

/** A book from its id and its fields, in their order; `undefined` if another program left something else there. */
export function toStoredBook(row: Row): Book | undefined {
  const record: Record<string, unknown> = { id: row[0] };
  for (let i = 0; i < fieldNames.length; i++) {
    const value = row[i + 1];
    record[fieldNames[i] ?? ''] = value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
  }
  return toBook(record);
}

/** Beyond this number, all cached statements are dropped. Queries have few shapes. */
const maxStatements = 200;

/** Prepares each statement once, and types its results. */
export class Statements {
  readonly #db: Connection;
  readonly #prepared = new Map<string, Statement>();

  constructor(db: Connection) {
    this.#db = db;
  }

  row(sql: string, ...values: readonly Value[]): Row | undefined {
    return this.#prepare(sql).get(...values) as Row | undefined;
  }

  /** All rows at once: only for small results. */
  rows(sql: string, ...values: readonly Value[]): readonly Row[] {
    return this.#prepare(sql).all(...values) as readonly Row[];
  }

  /** The rows one by one. Each statement allows one reader at a time. */
  each(sql: string, ...values: readonly Value[]): IterableIterator<Row> {
    return this.#prepare(sql).iterate(...values) as IterableIterator<Row>;
  }

  /** The first column of the first row, as a number; 0 if there is none. */
  number(sql: string, ...values: readonly Value[]): number {
    return Number(this.row(sql, ...values)?.[0] ?? 0);
  }

  run(sql: string, ...values: readonly Value[]): void {
    // Not by its `run`, which fails when the last row that SQLite inserted, perhaps into an index of words, has too large an id.
    this.#prepare(sql).get(...values);
  }

  /** Runs an INSERT; returns the row id. */
  insert(sql: string, ...values: readonly Value[]): number {
    return Number(this.#prepare(sql).run(...values).lastInsertRowid);
  }

  clear(): void {
    this.#prepared.clear();
  }

  #prepare(sql: string): Statement {
    const found = this.#prepared.get(sql);
    if (found !== undefined) return found;
    if (this.#prepared.size >= maxStatements) this.#prepared.clear();
    const statement = this.#db.prepare(sql);
    this.#prepared.set(sql, statement);
    return statement;
  }
}
