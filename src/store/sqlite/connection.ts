import { pathToFileURL } from 'node:url';
import type { BookFields } from '../../book.ts';
import { loadBinding, type Connection, type Value } from './binding.ts';

/** The result codes of SQLite that are distinguished here (sqlite.org/rescode.html). */
const codes = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  corrupt: 11,
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
}

/**
 * Opens a database file for reading and writing; creates it if it is missing. It never waits for a lock, but throws
 * ({@link isBusy}).
 */
export function connect(
  file: string,
  { binding, cacheKiB = defaultCacheKiB }: ConnectOptions = {},
): Connection {
  const { DatabaseSync } = loadBinding(binding);
  const db = new DatabaseSync(file, {
    timeout: 0,
    returnArrays: true,
    defensive: true,
    enableForeignKeyConstraints: false,
  });
  try {
    // In WAL mode bindings default to NORMAL, which loses the last writes in a power cut. mmap is off: with it, a damaged file
    // causes SIGBUS.
    db.exec(`
      PRAGMA journal_mode = WAL;
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

/** Opens a file that no process writes to, without creating files beside it. */
export function connectReadOnly(file: string, { isImmutable }: { isImmutable: boolean }): Connection {
  const { DatabaseSync } = loadBinding();
  const url = pathToFileURL(file); // Escapes a percent sign, too.
  if (isImmutable) url.searchParams.set('immutable', '1');
  return new DatabaseSync(url.href, { readOnly: true, timeout: 1000, returnArrays: true, defensive: true });
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

/** Whether the file is damaged, or not a database. */
export function isDamaged(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.corrupt || code === codes.notADatabase;
}

/** Whether the file cannot be opened or written by this user. */
export function isForbidden(error: unknown): boolean {
  const code = codeOf(error);
  return code === codes.cannotOpen || code === codes.readOnly;
}

/** Converts a text for storage. When reading, the binding cuts text at U+0000, so text with U+0000 is stored as bytes. */
export function toColumn(text: string): string | Uint8Array {
  return text.includes('\0') ? Buffer.from(text) : text;
}

/** The fields of a book from its columns title, author and year, unchecked. */
export function toFields(
  title: Value | undefined,
  author: Value | undefined,
  year: Value | undefined,
): Record<keyof BookFields, unknown> {
  return { title: toText(title), author: toText(author), year };
}

function toText(value: Value | undefined): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('utf8') : value;
}
