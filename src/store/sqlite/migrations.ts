// The format of the file: its number, how an older file gets the newest one, and why a newer file is refused.
import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AtomicFile } from '../../lib/atomic-file.ts';
import type { Logger } from '../../lib/logger.ts';
import { version } from '../../../package.json';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { FieldName } from '../../catalogue/fields.ts';
import { loadBinding, type Connection } from './binding.ts';
import { Statements } from './connection.ts';

/** The application id "shlf", which identifies the file, also to tools such as `file`. */
export const applicationId = 0x73686c66;

/** The table of batches, as format 3 introduced it. */
export const batchTables = `
  CREATE TABLE batches (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, batch TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    created INTEGER NOT NULL, updated INTEGER NOT NULL, deleted INTEGER NOT NULL, reverted INTEGER NOT NULL
  ) STRICT;
  CREATE TRIGGER batch_forgotten AFTER DELETE ON changes WHEN old.batch IS NOT NULL BEGIN
    UPDATE batches SET
      created = created - (old.kind = 'created'), updated = updated - (old.kind = 'updated'),
      deleted = deleted - (old.kind = 'deleted'), reverted = reverted - (old.kind = 'reverted')
    WHERE batch = old.batch;
    DELETE FROM batches WHERE batch = old.batch AND created + updated + deleted + reverted <= 0;
  END;`;

/** Fills that table from the log. */
export const fillBatches = `
  INSERT INTO batches (batch, at, created, updated, deleted, reverted)
  SELECT batch, min(at), sum(kind = 'created'), sum(kind = 'updated'), sum(kind = 'deleted'), sum(kind = 'reverted')
  FROM changes WHERE batch IS NOT NULL GROUP BY batch ORDER BY min(seq)`;

interface Migration {
  /** The format that the file has afterwards. */
  readonly to: number;
  readonly sql: string;
}

const systemTime = "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)";
const bytesOfOld =
  '(coalesce(length(CAST(old.title AS BLOB)), 0) + coalesce(length(CAST(old.author AS BLOB)), 0))';

/**
 * The tables of format 1, and the steps from there, in order. A release never changes a step of an earlier one. The tables of a new file, in
 * `schema.ts`, equal those after the last step.
 */
const migrations: readonly Migration[] = [
  {
    to: 1,
    sql: `
      CREATE TABLE books (
        id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id BETWEEN 1 AND 9007199254740991),
        title ANY NOT NULL CHECK (title >= ''), author ANY NOT NULL CHECK (author >= ''),
        year INTEGER NOT NULL CHECK (year BETWEEN -9007199254740991 AND 9007199254740991), title_key TEXT, author_key TEXT
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
        kind TEXT NOT NULL CHECK (kind = 'created' OR kind = 'updated' OR kind = 'deleted' OR kind = 'reverted'),
        at INTEGER NOT NULL,
        title ANY, author ANY, year INTEGER,
        batch TEXT
      ) STRICT;
      CREATE INDEX changes_by_book ON changes (book) WHERE kind <> 'created';
      CREATE INDEX changes_by_batch ON changes (batch, book) WHERE batch IS NOT NULL;
      CREATE INDEX changes_deleted ON changes (kind) WHERE kind = 'deleted';
      CREATE TABLE meta (
        epoch TEXT NOT NULL, clock INTEGER NOT NULL, history_bytes INTEGER NOT NULL, folding TEXT NOT NULL, folded_to INTEGER
      ) STRICT;
      CREATE TRIGGER book_created AFTER INSERT ON books BEGIN
        INSERT INTO changes (book, kind, at) VALUES (new.id, 'created', (SELECT clock FROM meta));
      END;
      CREATE TRIGGER book_updated AFTER UPDATE OF title, author, year ON books
      WHEN (old.title, old.author, old.year) IS NOT (new.title, new.author, new.year) BEGIN
        INSERT INTO changes (book, kind, at, title, author, year)
        VALUES (old.id, 'updated', NOW, old.title, old.author, old.year);
        UPDATE meta SET clock = NOW, history_bytes = history_bytes + BYTES;
      END;
      CREATE TRIGGER book_deleted AFTER DELETE ON books BEGIN
        INSERT INTO changes (book, kind, at, title, author, year)
        VALUES (old.id, 'deleted', NOW, old.title, old.author, old.year);
        UPDATE meta SET clock = NOW, history_bytes = history_bytes + BYTES;
        DELETE FROM words WHERE rowid = old.id;
      END;
      CREATE TRIGGER change_forgotten AFTER DELETE ON changes WHEN old.kind <> 'created' OR old.batch IS NOT NULL BEGIN
        UPDATE meta SET history_bytes = history_bytes - BYTES - coalesce(2 * length(old.batch), 0);
      END;`
      .replaceAll('NOW', systemTime)
      .replaceAll('BYTES', bytesOfOld),
  },
  {
    to: 2,
    sql: `
      CREATE TABLE repeats (
        key TEXT PRIMARY KEY, digest TEXT NOT NULL, first INTEGER NOT NULL, books INTEGER NOT NULL, batch TEXT, at INTEGER NOT NULL
      ) STRICT, WITHOUT ROWID;
      CREATE INDEX repeats_by_time ON repeats (at);`,
  },
  {
    to: 3, // The clock of the history begins with the latest change, unless that is in the future.
    sql: `
      ALTER TABLE meta ADD COLUMN release TEXT;
      ALTER TABLE meta ADD COLUMN history_clock INTEGER NOT NULL DEFAULT 0;
      ALTER TABLE meta ADD COLUMN title_order TEXT;
      ALTER TABLE books ADD COLUMN order_a TEXT;
      ALTER TABLE books ADD COLUMN order_b TEXT;
      CREATE INDEX books_by_order_a ON books (order_a) WHERE order_a IS NOT NULL;
      CREATE INDEX books_by_order_b ON books (order_b) WHERE order_b IS NOT NULL;
      UPDATE meta SET history_clock = min(clock, CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER));
      DROP TRIGGER book_updated;
      DROP TRIGGER book_deleted;
      CREATE TRIGGER book_updated AFTER UPDATE OF title, author, year ON books
      WHEN (old.title, old.author, old.year) IS NOT (new.title, new.author, new.year) BEGIN
        INSERT INTO changes (book, kind, at, title, author, year)
        VALUES (old.id, 'updated', NOW, old.title, old.author, old.year);
        UPDATE meta SET clock = NOW, history_bytes = history_bytes + BYTES;
      END;
      CREATE TRIGGER book_deleted AFTER DELETE ON books BEGIN
        INSERT INTO changes (book, kind, at, title, author, year)
        VALUES (old.id, 'deleted', NOW, old.title, old.author, old.year);
        UPDATE meta SET clock = NOW, history_bytes = history_bytes + BYTES;
        DELETE FROM words WHERE rowid = old.id;
      END;
      ${batchTables}
      ${fillBatches};`
      .replaceAll('NOW', `max(${systemTime}, (SELECT history_clock FROM meta))`)
      .replaceAll('BYTES', bytesOfOld),
  },
  {
    to: 4, // The user of a change.
    sql: `
      ALTER TABLE changes ADD COLUMN user TEXT;
      DROP TRIGGER change_forgotten;
      CREATE TRIGGER change_forgotten AFTER DELETE ON changes
      WHEN old.kind <> 'created' OR old.batch IS NOT NULL OR old.user IS NOT NULL BEGIN
        UPDATE meta SET history_bytes = history_bytes - (coalesce(length(CAST(old.title AS BLOB)), 0) + coalesce(length(CAST(old.author AS BLOB)), 0)) - (coalesce(2 * length(old.batch), 0) + coalesce(length(CAST(old.user AS BLOB)), 0));
      END;`,
  },
  {
    to: 5, // Keys of their own for both orders. Those of equal texts stand in for them until they are made.
    sql: `
      DROP INDEX books_by_order_a;
      DROP INDEX books_by_order_b;
      ALTER TABLE books RENAME COLUMN order_a TO title_order;
      ALTER TABLE books RENAME COLUMN order_b TO author_order;
      UPDATE books SET title_order = title_key, author_order = author_key;
      CREATE INDEX books_by_title_order ON books (title_order);
      CREATE INDEX books_by_author_order ON books (author_order);
      ALTER TABLE meta RENAME COLUMN title_order TO sort_rules;
      UPDATE meta SET sort_rules = CASE WHEN json_valid(sort_rules) THEN json_object(
        'articles', json(coalesce(sort_rules -> '$.next.articles', sort_rules -> '$.articles')), 'names', 'family'
      ) END;`,
  },
];

/** The format in which each field of a book appears. A new field needs a step to it, which gives the field to older files. */
export const fieldFormats: Readonly<Record<FieldName, number>> = { title: 1, author: 1, year: 1 };

/** The format of new files. */
export const newestFormat = migrations.at(-1)?.to ?? 1;

/** Creates the tables of a format in an empty database, to compare a file with them. */
export function createTables(db: Connection, format: number): void {
  for (const { to, sql } of migrations) if (to <= format) db.exec(sql);
}

/** How often the log says how far a copy is. */
const progressMs = 5000;
/** The number of pages that are copied between two looks at the time: 16 MiB. */
const pagesAtOnce = 4096;

/** Formats 1 and 2 were identified by a hash of their tables. */
const hashedFormats = new Map([
  [315695680, 1],
  [248359319, 2],
]);

/**
 * The format of a file; `undefined` for an empty one.
 *
 * @param name The name of the file in this connection.
 * @throws {ShelflistError} `store_unusable`: the file belongs to another program or to a newer release; an error of SQLite for
 *   a damaged file.
 */
export function readFormat(db: Connection, name = 'main'): number | undefined {
  const statements = new Statements(db);
  // In this order: another process may create the tables meanwhile, in one transaction.
  const isEmpty = statements.number(`SELECT count(*) FROM ${name}.sqlite_schema`) === 0;
  if (statements.number(`PRAGMA ${name}.application_id`) !== applicationId) {
    if (isEmpty) return undefined;
    throw unusable('the file belongs to another program; name another folder');
  }
  const number = statements.number(`PRAGMA ${name}.user_version`);
  const format = hashedFormats.get(number) ?? number;
  if (!(format >= 1)) throw unusable(`it has no format of shelflist (${number}); restore a backup`);
  if (format <= newestFormat) return format;
  throw unusable(
    `shelflist ${readRelease(statements, name)} wrote it in format ${format}, and this is ${version}, which knows formats up to ` +
      `${newestFormat}; use that release or a later one`,
  );
}

function readRelease(statements: Statements, name: string): string {
  try {
    const [release] = statements.row(`SELECT release FROM ${name}.meta`) ?? [];
    if (typeof release === 'string' && /^[\w.+-]{1,50}$/.test(release)) return release;
  } catch {
    // A later format may record it elsewhere.
  }
  return 'of a later release';
}

/** Marks a file as one of the newest format, within the transaction that made it so. */
export function markFormat(db: Connection): void {
  db.exec(`
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${newestFormat};
    UPDATE meta SET release = '${version}'`);
}

/**
 * Migrates a file to the newest format, in one transaction, after copying it to `FILE.format-N`. No other process can use it
 * meanwhile. A killed process leaves the file as it was.
 *
 * @param db A connection to the file, the only one of this process.
 * @param logger Gets warnings, which the default level shows.
 * @throws An error of SQLite: another process has the file open (`isBusy`).
 * @throws {ShelflistError} `store_unusable`: there is no space for the copy.
 */
export async function migrate(db: Connection, file: string, logger: Logger | undefined): Promise<void> {
  try {
    // Leaving write-ahead mode fails while another process, of whatever release, has the file open.
    db.exec('PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT');
    const from = readFormat(db); // Only now: another process may have migrated it before.
    if (from === undefined || from === newestFormat) return;
    const copy = `${file}.format-${from}`;
    logger?.warn({ from, to: newestFormat, copy }, 'migrating the store to a newer format, after a copy');
    await copyTo(db, copy, logger);
    db.exec('BEGIN EXCLUSIVE');
    for (const { to, sql } of migrations) {
      if (to <= from) continue;
      logger?.warn({ to }, 'migrating the copied store, one format at a time');
      db.exec(sql);
    }
    markFormat(db);
    db.exec('COMMIT');
    logger?.warn(
      { format: newestFormat, copy },
      'migrated the store; to roll back, restore the copy with the previous release',
    );
  } finally {
    if (db.isTransaction) db.exec('ROLLBACK');
    db.exec('PRAGMA locking_mode = NORMAL; SELECT 1 FROM sqlite_schema'); // A read releases the lock.
  }
}

async function copyTo(db: Connection, path: string, logger: Logger | undefined): Promise<void> {
  const copy = new AtomicFile(path, { replace: true });
  try {
    // Removes drafts of killed processes, each as large as the file. No other process copies now.
    const [folder, prefix] = [dirname(path), `${basename(path)}.`];
    for (const name of await readdir(folder))
      if (name.startsWith(prefix) && /^[a-z0-9]{1,8}\.tmp(-journal)?$/.test(name.slice(prefix.length)))
        await rm(join(folder, name), { force: true });
    let next = performance.now() + progressMs;
    await loadBinding().backup(db, copy.draft, {
      rate: pagesAtOnce,
      progress({ totalPages, remainingPages }) {
        if (performance.now() < next) return;
        next = performance.now() + progressMs;
        const percent = Math.floor((100 * (totalPages - remainingPages)) / totalPages);
        logger?.warn({ copy: path, percent }, 'copying the store before its migration');
      },
    });
    await copy.commit(0o600);
  } catch (cause) {
    await copy.discard();
    const { message, code = '' } = cause as NodeJS.ErrnoException;
    const isTaken = ['EISDIR', 'ENOTEMPTY', 'EEXIST', 'EPERM'].includes(code) && existsSync(path);
    const advice = isTaken ? `move ${path} away` : 'make space in its folder';
    throw unusable(`it cannot be copied before its migration (${message}); ${advice}`, cause);
  }
}

function unusable(message: string, cause?: unknown): ShelflistError {
  return new ShelflistError('store_unusable', { message, cause });
}
