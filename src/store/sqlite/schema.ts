import { randomBytes } from 'node:crypto';
import { ShelflistError } from '../../errors.ts';
import type { Connection } from './binding.ts';

/** The application id "shlf", which identifies the file, also to tools such as `file`. */
const applicationId = 0x73686c66;
/** The version of the tables below. */
const schemaVersion = 1;

const maxInteger = Number.MAX_SAFE_INTEGER;
/** In milliseconds since 1970; `unixepoch('subsec')` is too new for many tools that may write to the file. */
const now = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";

/**
 * - `books`: text is `ANY` because one with U+0000 is stored as bytes. The keys are for comparing and ordering
 *   titles and authors (`query/position.ts`); other programs that add a book leave them NULL.
 * - `words`: the folded words of title and author, without the text (contentless).
 * - `changes`: the change log. Triggers write it, so that every write is logged, by any program. Its columns title,
 *   author and year hold the state before the change; `at` is in milliseconds since 1970.
 *   `meta.history_bytes` is the sum of its texts; its rows are counted by their sequence numbers.
 * - `meta`: one row. `epoch` identifies the catalogue since it was created or restored: a restored backup gets a new one.
 */
const tables = () => `
  CREATE TABLE books (
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND ${maxInteger}),
    title ANY NOT NULL CHECK (typeof(title) IN ('text', 'blob')),
    author ANY NOT NULL CHECK (typeof(author) IN ('text', 'blob')),
    year INTEGER NOT NULL CHECK (year BETWEEN -${maxInteger} AND ${maxInteger}),
    title_key TEXT,
    author_key TEXT
  ) STRICT;
  CREATE INDEX books_by_title ON books (title_key);
  CREATE INDEX books_by_author ON books (author_key);
  CREATE INDEX books_by_year ON books (year);
  CREATE INDEX books_without_keys ON books (id) WHERE title_key IS NULL;

  CREATE VIRTUAL TABLE words USING fts5 (
    title, author, content = '', contentless_delete = 1, detail = column, tokenize = 'ascii'
  );

  CREATE TABLE changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    book INTEGER NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('created', 'updated', 'deleted')),
    at INTEGER NOT NULL,
    title ANY,
    author ANY,
    year INTEGER
  ) STRICT;
  CREATE INDEX changes_by_book ON changes (book) WHERE kind <> 'created';

  CREATE TABLE meta (epoch TEXT NOT NULL, history_bytes INTEGER NOT NULL) STRICT;
  INSERT INTO meta VALUES ('${newEpoch()}', 0);

  CREATE TRIGGER book_created AFTER INSERT ON books BEGIN
    INSERT INTO changes (book, kind, at) VALUES (new.id, 'created', ${now});
  END;
  CREATE TRIGGER book_updated AFTER UPDATE OF title, author, year ON books
  WHEN (old.title, old.author, old.year) IS NOT (new.title, new.author, new.year) BEGIN
    INSERT INTO changes (book, kind, at, title, author, year)
    VALUES (old.id, 'updated', ${now}, old.title, old.author, old.year);
  END;
  CREATE TRIGGER book_deleted AFTER DELETE ON books BEGIN
    INSERT INTO changes (book, kind, at, title, author, year)
    VALUES (old.id, 'deleted', ${now}, old.title, old.author, old.year);
    DELETE FROM words WHERE rowid = old.id;
  END;
  CREATE TRIGGER change_logged AFTER INSERT ON changes WHEN new.kind <> 'created' BEGIN
    UPDATE meta SET history_bytes = history_bytes + ${bytesOf('new')};
  END;
  CREATE TRIGGER change_forgotten AFTER DELETE ON changes WHEN old.kind <> 'created' BEGIN
    UPDATE meta SET history_bytes = history_bytes - ${bytesOf('old')};
  END;

  PRAGMA application_id = ${applicationId};
  PRAGMA user_version = ${schemaVersion};
`;

/** The disk space of the texts of a change, as SQL. */
function bytesOf(row: 'new' | 'old'): string {
  const length = (column: string) => `coalesce(length(CAST(${row}.${column} AS BLOB)), 0)`;
  return `(${length('title')} + ${length('author')})`;
}

/** Makes a random epoch, which no other catalogue or restore has. */
export function newEpoch(): string {
  return randomBytes(9).toString('base64url').replaceAll('_', '-');
}

/**
 * Creates the tables in a new file, and checks those of an existing one; takes constant time.
 *
 * @throws {ShelflistError} `store_unusable`: the file belongs to another program or another version.
 */
export function prepareSchema(db: Connection): void {
  if (isOurs(db)) return;
  db.exec('BEGIN IMMEDIATE'); // What is there is judged as a whole: another process may be creating it.
  try {
    // Another process may have created the tables.
    if (!hasSchema(db)) db.exec(tables());
    db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}

/**
 * Whether a file contains our tables; `false` for an empty one.
 *
 * @throws {ShelflistError} As {@link prepareSchema}; an error of SQLite for a damaged file.
 */
export function hasSchema(db: Connection): boolean {
  if (isOurs(db)) return true;
  const version = readNumber(db, 'PRAGMA user_version');
  if (readNumber(db, 'PRAGMA application_id') === applicationId)
    throw unusable(
      `it was written by another version of shelflist (format ${version}, not ${schemaVersion}); upgrade`,
    );
  if (readNumber(db, 'SELECT count(*) FROM sqlite_schema') > 0)
    throw unusable('the file belongs to another program; name another folder');
  return false;
}

function isOurs(db: Connection): boolean {
  return (
    readNumber(db, 'PRAGMA application_id') === applicationId &&
    readNumber(db, 'PRAGMA user_version') === schemaVersion
  );
}

/** The first column of the first row; 0 where there is none. */
export function readNumber(db: Connection, sql: string): number {
  const row = db.prepare(sql).get() as unknown as readonly unknown[] | undefined;
  return Number(row?.[0] ?? 0);
}

function unusable(problem: string): ShelflistError {
  return new ShelflistError('store_unusable', { message: problem });
}
