// The tables, indexes and triggers, the version of the file, and the columns that queries use.
import { randomBytes } from 'node:crypto';
import type { Connection } from './binding.ts';
import {
  fieldNames,
  fields,
  indexedIntegers,
  indexedTexts,
  searchedFields,
  textFields,
  type FieldName,
} from '../../catalogue/fields.ts';
import type { SortKey } from '../../catalogue/sorts.ts';
import { defaultRules, formatRules, type SortRules } from '../../catalogue/sort-keys.ts';
import { changeKinds } from '../contract/history.ts';
import { batchTables, markFormat, readFormat } from './migrations.ts';
import { indexVersion } from './order.ts';

/** The largest id, and the largest integer that JSON represents exactly. */
export const maxInteger = Number.MAX_SAFE_INTEGER;
/** In milliseconds since 1970; `unixepoch('subsec')` is too new for many tools that may write to the file. */
const systemTime = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
/** The time of a change, as `HistoryClock` stamps it. */
const now = `max(${systemTime}, (SELECT history_clock FROM meta))`;

/** An SQL expression for an integer as a number. Another program may store integers for which the binding throws. */
export function asNumber(column: string): string {
  return `iif(typeof(${column}) = 'integer', CAST(${column} AS REAL), ${column})`;
}

function readFrom(table: string, id: string): string {
  const names = fieldNames.map((name) => (isText(name) ? `${table}.${name}` : asNumber(`${table}.${name}`)));
  return list([asNumber(`${table}.${id}`), ...names]);
}

/** The columns of a book, in the order of `toStoredBook`. */
export const bookColumns = readFrom('books', 'id');
/** The same of the state before a change. */
export const stateColumns = readFrom('changes', 'book');
/** The time of the latest change. */
export const latestSql = 'SELECT clock FROM meta';
export const maxIdSql = 'SELECT CAST(max(id) AS REAL) FROM books';
/** The last id allocated. */
export const lastIdSql = `SELECT ${asNumber('seq')} FROM sqlite_sequence WHERE name = 'books'`;

/** The column by which books are sorted; that of a text has its words as they are written. */
export function sortColumn(key: SortKey | OrderColumn): string {
  if (key === 'id') return 'books.id';
  const isOrder = orderColumns.some((column) => column === key);
  return !isOrder && isText(key as FieldName) ? `${key}_key` : key;
}

/** The columns with the keys of the orders by the indexed texts (`catalogue/sort-keys.ts`). NULL as {@link keyColumns}. */
export const orderColumns = indexedTexts.map((name) => `${name}_order` as const);
export type OrderColumn = (typeof orderColumns)[number];

/** The columns with the keys of the indexed texts, for comparing them. NULL in a book that another program added. */
export const keyColumns = indexedTexts.map((name) => `${name}_key`);
/** One of them: it is NULL in a book that is not indexed yet. */
export const [unindexedMarker = ''] = keyColumns;

function isText(name: FieldName): boolean {
  return fields[name].type === 'text';
}

function columnOf(name: FieldName): string {
  return isText(name)
    ? `${name} ANY NOT NULL CHECK (${name} >= '')` // Text or bytes: numbers sort first.
    : `${name} INTEGER NOT NULL CHECK (${name} BETWEEN -${maxInteger} AND ${maxInteger})`;
}

function list(names: readonly string[], prefix = ''): string {
  return names.map((name) => prefix + name).join(', ');
}

/** The disk space of the texts of a book, or of a change, as SQL. */
export function bytesOfTexts(prefix = ''): string {
  return `(${textFields.map((name) => `coalesce(length(CAST(${prefix}${name} AS BLOB)), 0)`).join(' + ')})`;
}
const bytesOfOld = bytesOfTexts('old.');

/**
 * For a statement with a trigger, SQLite keeps a statement journal: a copy of each changed page. It omits the journal if nothing
 * can fail halfway; with `INSERT OR FAIL`, only function calls can. So the checks call no functions, and the trigger of a create
 * does not use `now`. This halves the time of a create.
 *
 * - `books`: text is `ANY` because one with U+0000 is stored as bytes. The keys are for comparing texts
 *   (`catalogue/keyset-position.ts`) and for ordering them (`catalogue/sort-keys.ts`); other programs that add a book leave them NULL.
 * - `words`: the folded words of the searched fields, and that of `index-entry.ts` for `findDuplicatesOf`, without the text (contentless).
 * - `changes`: the change log. Triggers write it, so that every write is logged, by any program. The columns of the
 *   fields hold the state before the change, NULL if there was no book; `at` is in milliseconds since 1970. `writer.ts` adds
 *   the batch and the user. `meta.history_bytes` is the sum of the texts; the rows are counted by their sequence numbers.
 * - `batches`: the batches of which a change is kept, with the numbers of these by kind, which `writer.ts` adds.
 * - `repeats`: the idempotency keys of `createMany`, each with its first id and its number of books: those of one transaction follow
 *   each other.
 * - `meta`: one row. `clock` is the time of the latest change, `history_clock` that of the `HistoryClock`. `epoch` identifies the
 *   catalogue since it was created or restored: a restored backup gets a new one.
 *   `sort_rules` are the `SortRules` as JSON; NULL: the default ones.
 *   `folding` is the version of the rules that words and keys were made with: those of the books with ids up to `folded_to`, or
 *   of all if that is NULL.
 */
const tables = (epoch: string, clock: number, rules: SortRules) => `
  CREATE TABLE books (
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND ${maxInteger}),
    ${list([...fieldNames.map(columnOf), ...[...keyColumns, ...orderColumns].map((name) => `${name} TEXT`)])}
  ) STRICT;
  ${[...indexedTexts, ...indexedIntegers, ...orderColumns].map((name) => `CREATE INDEX books_by_${name} ON books (${sortColumn(name)});`).join('')}
  CREATE INDEX books_without_keys ON books (id) WHERE ${unindexedMarker} IS NULL;

  CREATE VIRTUAL TABLE words USING fts5 (
    ${list(searchedFields)}, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii'
  );

  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    book INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (${changeKinds.map((kind) => `kind = '${kind}'`).join(' OR ')}),
    at INTEGER NOT NULL,
    ${list(fieldNames.map((name) => `${name} ${isText(name) ? 'ANY' : 'INTEGER'}`))},
    batch TEXT, user TEXT
  ) STRICT;
  CREATE INDEX changes_by_book ON changes (book) WHERE kind <> 'created';
  CREATE INDEX changes_by_batch ON changes (batch, book) WHERE batch IS NOT NULL;
  CREATE INDEX changes_deleted ON changes (kind) WHERE kind = 'deleted';

  ${batchTables}

  CREATE TABLE repeats (
    key TEXT PRIMARY KEY, digest TEXT NOT NULL, first INTEGER NOT NULL, books INTEGER NOT NULL, batch TEXT, at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX repeats_by_time ON repeats (at);

  CREATE TABLE meta (
    epoch TEXT NOT NULL, clock INTEGER NOT NULL, history_bytes INTEGER NOT NULL, folding TEXT NOT NULL, folded_to INTEGER,
    release TEXT, history_clock INTEGER NOT NULL DEFAULT 0, sort_rules TEXT
  ) STRICT;
  INSERT INTO meta VALUES (
    '${epoch}', ${clock}, 0, '${indexVersion(rules)}', NULL, NULL, ${clock}, '${formatRules(rules).replaceAll("'", "''")}'
  );

  CREATE TRIGGER book_created AFTER INSERT ON books BEGIN
    INSERT INTO changes (book, kind, at) VALUES (new.id, 'created', (SELECT clock FROM meta));
  END;
  CREATE TRIGGER book_updated AFTER UPDATE OF ${list(fieldNames)} ON books
  WHEN (${list(fieldNames, 'old.')}) IS NOT (${list(fieldNames, 'new.')}) BEGIN
    INSERT INTO changes (book, kind, at, ${list(fieldNames)})
    VALUES (old.id, 'updated', ${now}, ${list(fieldNames, 'old.')});
    UPDATE meta SET clock = ${now}, history_bytes = history_bytes + ${bytesOfOld};
  END;
  CREATE TRIGGER book_deleted AFTER DELETE ON books BEGIN
    INSERT INTO changes (book, kind, at, ${list(fieldNames)})
    VALUES (old.id, 'deleted', ${now}, ${list(fieldNames, 'old.')});
    UPDATE meta SET clock = ${now}, history_bytes = history_bytes + ${bytesOfOld};
    DELETE FROM words WHERE rowid = old.id;
  END;
  CREATE TRIGGER change_forgotten AFTER DELETE ON changes
  WHEN old.kind <> 'created' OR old.batch IS NOT NULL OR old.user IS NOT NULL BEGIN
    UPDATE meta SET history_bytes = history_bytes - ${bytesOfOld} - ${originBytes('old.batch', 'old.user')};
  END;
`;

/** The disk space of the batch of a change, which an index has, too, and of its user, as SQL. */
export function originBytes(batch: string, user: string): string {
  return `(coalesce(2 * length(${batch}), 0) + coalesce(length(CAST(${user} AS BLOB)), 0))`;
}

/** The sum of `meta.history_bytes`, as SQL. */
export function bytesOfHistory(format: number): string {
  const bytes = `${bytesOfTexts()} + ${originBytes('batch', format < 4 ? 'NULL' : 'user')}`;
  return `(SELECT coalesce(sum(${bytes}), 0) FROM changes)`;
}

/** Makes a random epoch, which no other catalogue or restore has. */
export function newEpoch(): string {
  return randomBytes(9).toString('base64url').replaceAll('_', '-');
}

/**
 * Creates the tables in a new file; takes constant time. Sets write-ahead mode, which stays in the file.
 *
 * @param rules Those of the orders of a new file.
 * @throws As {@link readFormat}.
 */
export function prepareSchema(db: Connection, rules = defaultRules): void {
  const isReady = readFormat(db) !== undefined;
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('SELECT 1 FROM sqlite_schema'); // Creates the log of a restored file: the mode alone does not.
  if (isReady) return;
  db.exec('BEGIN IMMEDIATE');
  try {
    // Another process may have created the tables.
    if (readFormat(db) === undefined) {
      db.exec(tables(newEpoch(), Date.now(), rules));
      markFormat(db);
    }
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/** The largest id of any book, including those in the trash. */
export const maxUsedIdSql = `SELECT CAST(max(
  coalesce((SELECT max(id) FROM books), 0),
  coalesce((SELECT max(book) FROM changes INDEXED BY changes_by_book WHERE kind <> 'created'), 0)
) AS REAL)`;
