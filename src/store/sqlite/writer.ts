import type { Book, BookFields, BookPatch } from '../../book.ts';
import { toBook } from '../../book.ts';
import { ShelflistError, type ErrorCode } from '../../errors.ts';
import { expectBook, isSameBook } from '../expect.ts';
import type { Connection, Row } from './binding.ts';
import { isConstraint, toColumn, toFields } from './connection.ts';
import { indexEntry } from './match.ts';
import { newEpoch } from './schema.ts';
import { Statements } from './statements.ts';
import type { WriteTurn } from './write-turn.ts';

/** One write. `fields` and `patch` have been validated. */
export type Write =
  | { readonly kind: 'create'; readonly fields: BookFields }
  | {
      readonly kind: 'update';
      readonly id: number;
      readonly patch: BookPatch;
      readonly expected?: Book | undefined;
    }
  | { readonly kind: 'delete'; readonly id: number; readonly expected?: Book | undefined };

/** The result of one write: the book as it is now stored, if there is one; or the reason for the refusal. */
export type Written =
  { readonly book: Book | undefined } | { readonly code: ErrorCode; readonly message: string };

/** The limits of the change log. */
export interface HistoryLimits {
  readonly historyDays: number;
  readonly historyMaxBytes: number;
}

/** How long a transaction waits for other processes. */
const maxWaitMs = 4000;
/** The number of books of other programs that are indexed in one transaction. */
const backfillBatch = 1000;
/** The disk space of a change without its texts: its row and its index entry. */
const bytesPerChange = 40;
const historySize =
  'SELECT (SELECT min(seq) FROM changes), (SELECT max(seq) FROM changes), history_bytes FROM meta';
const addWords = 'INSERT INTO words (rowid, title, author) VALUES (?, ?, ?)';
const dayMs = 24 * 60 * 60 * 1000;

/** Writes batches, each in one transaction. It blocks, so it must run in a worker thread. */
export class Writer {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #turn: WriteTurn;
  readonly #limits: HistoryLimits;

  constructor(db: Connection, turn: WriteTurn, limits: HistoryLimits) {
    this.#db = db;
    this.#statements = new Statements(db);
    this.#turn = turn;
    this.#limits = limits;
  }

  /** Returns when the whole batch is on disk. Throws an error of SQLite if none of it was stored. */
  write(batch: readonly Write[]): Written[] {
    return this.#transact(() => {
      const written = batch.map((write) => this.#apply(write));
      this.#forget(2 * batch.length);
      return written;
    });
  }

  /** Indexes the next books that another program added; returns their number. */
  backfill(): number {
    return this.#transact(() => {
      const sql = 'SELECT id, title, author, year FROM books WHERE title_key IS NULL LIMIT ?';
      const rows = this.#statements.rows(sql, backfillBatch);
      for (const row of rows) this.#index(bookOf(row));
      // Listings have more books than before, though no book has changed.
      if (rows.length > 0) this.#statements.run('UPDATE meta SET epoch = ?', newEpoch());
      return rows.length;
    });
  }

  /**
   * Moves the log into the data file, as far as readers allow: a copy of that file alone is then the whole store. SQLite
   * does so when the last connection closes, but the binding keeps one open until its statements are garbage collected.
   */
  checkpoint(): void {
    this.#db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  #transact<T>(action: () => T): T {
    this.#turn.begin(this.#db, maxWaitMs);
    try {
      const result = action();
      this.#db.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  #apply(write: Write): Written {
    try {
      switch (write.kind) {
        case 'create':
          return { book: this.#create(write.fields) };
        case 'update':
          return { book: this.#update(write.id, write.patch, write.expected) };
        case 'delete':
          this.#delete(write.id, write.expected);
          return { book: undefined };
      }
    } catch (error) {
      // Only these errors are thrown before anything is written.
      if (!(error instanceof ShelflistError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  #create({ title, author, year }: BookFields): Book {
    const entries = entriesOf(title, author);
    const id = this.#insert([toColumn(title), toColumn(author), year, ...entries.keys]);
    this.#statements.run(addWords, id, ...entries.words);
    return { id, title, author, year };
  }

  #insert(values: Row): number {
    const sql = 'INSERT INTO books (title, author, year, title_key, author_key) VALUES (?, ?, ?, ?, ?)';
    try {
      return this.#statements.insert(sql, ...values);
    } catch (error) {
      const lastId = this.#statements.number("SELECT seq FROM sqlite_sequence WHERE name = 'books'");
      if (isConstraint(error) && lastId >= Number.MAX_SAFE_INTEGER)
        throw new ShelflistError('unavailable', { message: 'there are no ids left' });
      throw error;
    }
  }

  #update(id: number, patch: BookPatch, expected: Book | undefined): Book | undefined {
    const book = this.#read(id);
    if (book === undefined) return undefined;
    expectBook(expected, book);
    const updated = { ...book, ...patch };
    if (isSameBook(book, updated)) return updated;
    const { title, author, year } = updated;
    this.#statements.run(
      'UPDATE books SET title = ?, author = ?, year = ? WHERE id = ?',
      toColumn(title),
      toColumn(author),
      year,
      id,
    );
    if (title !== book.title || author !== book.author) this.#index(updated);
    return updated;
  }

  #delete(id: number, expected: Book | undefined): void {
    if (expected !== undefined) expectBook(expected, this.#read(id));
    this.#statements.run('DELETE FROM books WHERE id = ?', id);
  }

  #read(id: number): Book | undefined {
    const row = this.#statements.row('SELECT id, title, author, year FROM books WHERE id = ?', id);
    return row && bookOf(row);
  }

  #index({ id, title, author }: Book): void {
    const { keys, words } = entriesOf(title, author);
    this.#statements.run('UPDATE books SET title_key = ?, author_key = ? WHERE id = ?', ...keys, id);
    this.#statements.run('DELETE FROM words WHERE rowid = ?', id);
    this.#statements.run(addWords, id, ...words);
  }

  /** Drops the oldest changes beyond a limit, a bounded number at a time, so that no write waits long for it. */
  #forget(most: number): void {
    const { historyDays, historyMaxBytes } = this.#limits;
    const [first, newest, textBytes] = (this.#statements.row(historySize) ?? []).map(Number);
    if (first === undefined || newest === undefined || textBytes === undefined) return;
    const isTooLarge = (newest - first) * bytesPerChange + textBytes > historyMaxBytes;
    // The newest one stays, so that its sequence number is never reused.
    const last = this.#statements.number(
      'SELECT max(seq) FROM (SELECT seq, at FROM changes ORDER BY seq LIMIT ?) WHERE seq < ? AND (? OR at < ?)',
      most,
      newest,
      isTooLarge ? 1 : 0,
      Date.now() - historyDays * dayMs,
    );
    if (last > 0) this.#statements.run('DELETE FROM changes WHERE seq <= ?', last);
  }
}

function entriesOf(title: string, author: string) {
  const [ofTitle, ofAuthor] = [indexEntry(title), indexEntry(author)];
  return { keys: [ofTitle.key, ofAuthor.key], words: [ofTitle.words, ofAuthor.words] } as const;
}

/** @throws {ShelflistError} `store_damaged` */
function bookOf([id, title, author, year]: Row): Book {
  const book = toBook({ id, ...toFields(title, author, year) });
  if (book) return book;
  throw new ShelflistError('store_damaged', { message: `record ${Number(id)} is not a book` });
}
