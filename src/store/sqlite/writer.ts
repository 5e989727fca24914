import type { Book, BookFields, BookPatch } from '../../book.ts';
import { toBook } from '../../book.ts';
import { ShelflistError, type ErrorCode } from '../../errors.ts';
import { textKey } from '../../query/position.ts';
import { expectBook, isSameBook } from '../expect.ts';
import type { Connection, Row } from './binding.ts';
import { isConstraint, toColumn, toFields } from './connection.ts';
import { wordsColumn } from './match.ts';
import { Statements } from './statements.ts';
import type { WriteTurn } from './write-turn.ts';

/** One write. `fields` and `patch` were checked before. */
export type Write =
  | { readonly kind: 'create'; readonly fields: BookFields }
  | {
      readonly kind: 'update';
      readonly id: number;
      readonly patch: BookPatch;
      readonly expected?: Book | undefined;
    }
  | { readonly kind: 'delete'; readonly id: number; readonly expected?: Book | undefined };

/** The result of one write: the book as it is stored now, if there is one; or why it was refused. */
export type Written =
  { readonly book: Book | undefined } | { readonly code: ErrorCode; readonly message: string };

/** How much of the change log is kept. */
export interface HistoryLimits {
  readonly historyDays: number;
  readonly historyMaxBytes: number;
}

/** How long a transaction waits for other processes. */
const maxWaitMs = 4000;
/** Books of other programs that get their index entry in one transaction. */
const backfillBatch = 1000;
const dayMs = 24 * 60 * 60 * 1000;

/** Writes batches, each in one transaction. It blocks: it belongs in a thread. */
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

  /** Returns when all of the batch is on the disk. Throws an error of SQLite if nothing of it was stored. */
  write(batch: readonly Write[]): Written[] {
    return this.#transact(() => {
      const written = batch.map((write) => this.#apply(write));
      this.#forget(2 * batch.length);
      return written;
    });
  }

  /** Indexes the next books that another program added; gives how many there were. */
  backfill(): number {
    return this.#transact(() => {
      const sql = 'SELECT id, title, author, year FROM books WHERE title_key IS NULL LIMIT ?';
      const rows = this.#statements.rows(sql, backfillBatch);
      for (const row of rows) this.#index(bookOf(row));
      return rows.length;
    });
  }

  /**
   * Moves the log into the data file, as far as nobody reads it: a copy of that file alone is then the whole store. SQLite
   * does it when the last connection closes; the binding leaves one open until its statements are garbage collected.
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
      // Only these are thrown before anything was written.
      if (!(error instanceof ShelflistError)) throw error;
      return { code: error.code, message: error.message };
    }
  }

  #create({ title, author, year }: BookFields): Book {
    const sql = `INSERT INTO books (title, author, year, title_key, author_key) VALUES (?, ?, ?, ?, ?) RETURNING id`;
    const id = this.#insert(sql, [toColumn(title), toColumn(author), year, textKey(title), textKey(author)]);
    this.#addWords(id, title, author);
    return { id, title, author, year };
  }

  #insert(sql: string, values: Row): number {
    try {
      return this.#statements.number(sql, ...values);
    } catch (error) {
      // The counter is at its end: every other constraint was checked before.
      if (isConstraint(error)) throw new ShelflistError('unavailable', { message: 'there are no ids left' });
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
    const keys = [textKey(title), textKey(author)] as const;
    const sql =
      'UPDATE books SET title = ?, author = ?, year = ?, title_key = ?, author_key = ? WHERE id = ?';
    this.#statements.run(sql, toColumn(title), toColumn(author), year, ...keys, id);
    const isSameText = title === book.title && author === book.author;
    if (!isSameText) {
      this.#statements.run('DELETE FROM words WHERE rowid = ?', id);
      this.#addWords(id, title, author);
    }
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
    const sql = 'UPDATE books SET title_key = ?, author_key = ? WHERE id = ?';
    this.#statements.run(sql, textKey(title), textKey(author), id);
    this.#statements.run('DELETE FROM words WHERE rowid = ?', id);
    this.#addWords(id, title, author);
  }

  #addWords(id: number, title: string, author: string): void {
    const sql = 'INSERT INTO words (rowid, title, author) VALUES (?, ?, ?)';
    this.#statements.run(sql, id, wordsColumn(title), wordsColumn(author));
  }

  /** Drops the oldest changes that are past a limit, but only so many: no write has to wait long for it. */
  #forget(most: number): void {
    const { historyDays, historyMaxBytes } = this.#limits;
    const isTooLarge = this.#statements.number('SELECT history_bytes FROM meta') > historyMaxBytes;
    const expired = Date.now() - historyDays * dayMs;
    const last = this.#statements.row(
      'SELECT max(seq) FROM (SELECT seq, at FROM changes ORDER BY seq LIMIT ?) WHERE ? OR at < ?',
      most,
      isTooLarge ? 1 : 0,
      expired,
    )?.[0];
    if (typeof last === 'number') this.#statements.run('DELETE FROM changes WHERE seq <= ?', last);
  }
}

/** @throws {ShelflistError} `store_damaged` */
function bookOf([id, title, author, year]: Row): Book {
  const book = toBook({ id, ...toFields(title, author, year) });
  if (book) return book;
  throw new ShelflistError('store_damaged', { message: `record ${Number(id)} is not a book` });
}
