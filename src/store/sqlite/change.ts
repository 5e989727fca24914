// Writes single books with their index entries, within a transaction of the writer.
import type { Book, BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { fieldNames, searchedFields, textFields } from '../../catalogue/fields.ts';
import type { SortRules } from '../../catalogue/sort-keys.ts';
import { isSameBook } from '../contract/change.ts';
import type { Row, Value } from './binding.ts';
import { isConstraint, toColumns, toStoredBook, type Statements } from './connection.ts';
import { indexEntry, type IndexEntry } from './index-entry.ts';
import { readRules } from './order.ts';
import { bookColumns, keyColumns, lastIdSql, orderColumns } from './schema.ts';

const storedColumns = [...fieldNames, ...keyColumns, ...orderColumns];
export const addBook = insertInto('books', storedColumns);
const putBook = insertInto('books', ['id', ...storedColumns]);
const addWords = insertInto('words', ['rowid', ...searchedFields]);
const setFields = updateBook(fieldNames);
const setKeys = updateBook([...keyColumns, ...orderColumns]);
const markReverted = "UPDATE changes SET kind = 'reverted' WHERE seq = (SELECT max(seq) FROM changes)";

/** Writes single books with their index entries, within a transaction of its caller. Triggers log the changes. */
export class BookTable {
  readonly #statements: Statements;
  #rules: SortRules | undefined;
  #changes = 0;
  #created = 0;

  constructor(statements: Statements) {
    this.#statements = statements;
  }

  /** Called in each transaction, before it writes: another process may have changed the rules of the order. */
  begin(): void {
    this.#rules = undefined;
    this.#changes = 0;
    this.#created = 0;
  }

  /** What this transaction has written: changes of books, and how many of them are books with new ids. */
  get written(): { readonly changes: number; readonly created: number } {
    return { changes: this.#changes, created: this.#created };
  }

  /** As {@link readBook}. */
  read(id: number): Book | undefined {
    return readBook(this.#statements, id);
  }

  create(fields: BookFields): Book {
    const id = this.#insert(addBook, fields);
    this.#created++;
    return { id, ...fields };
  }

  /** Stores a book under its id. */
  put(book: Book): void {
    this.#insert(putBook, book, book.id);
  }

  /** Changes a book to the fields of another state. */
  update(book: Book, updated: Book): void {
    if (isSameBook(book, updated)) return;
    this.#statements.run(setFields, ...toColumns(updated), book.id);
    this.#changes++;
    // Integers have indexes of SQLite's own.
    if (textFields.some((name) => book[name] !== updated[name])) this.index(updated);
  }

  /** Gives a book an earlier state; brings it back if there is none. The log shows that it is a revert. */
  revert(book: Book | undefined, earlier: Book): void {
    if (book !== undefined && isSameBook(book, earlier)) return;
    if (book === undefined) this.put(earlier);
    else this.update(book, earlier);
    this.#statements.run(markReverted);
  }

  delete(id: number): void {
    if (this.#statements.row('DELETE FROM books WHERE id = ? RETURNING id', id) !== undefined)
      this.#changes++;
  }

  index({ id, ...fields }: Book): void {
    const { keys, words } = this.#entry(fields);
    this.#statements.run(setKeys, ...keys, id);
    this.#statements.run('DELETE FROM words WHERE rowid = ?', id);
    this.#statements.run(addWords, id, ...words);
  }

  #insert(sql: string, fields: BookFields, ...givenId: Value[]): number {
    const { keys, words } = this.#entry(fields);
    const id = this.#run(sql, [...givenId, ...toColumns(fields), ...keys]);
    this.#changes++;
    this.#statements.run(addWords, id, ...words);
    return id;
  }

  #entry(fields: BookFields): IndexEntry {
    return indexEntry(fields, (this.#rules ??= readRules(this.#statements)));
  }

  #run(sql: string, values: Row): number {
    try {
      return this.#statements.insert(sql, ...values);
    } catch (error) {
      const lastId = this.#statements.number(lastIdSql);
      if (isConstraint(error) && lastId >= Number.MAX_SAFE_INTEGER)
        throw new ShelflistError('unavailable', { message: 'all ids are used' });
      throw error;
    }
  }
}

/** @throws {ShelflistError} `store_damaged`: another program wrote the record. */
export function readBook(statements: Statements, id: number): Book | undefined {
  const row = statements.row(`SELECT ${bookColumns} FROM books WHERE id = ?`, id);
  if (row === undefined) return undefined;
  const book = toStoredBook(row);
  if (book) return book;
  throw new ShelflistError('store_damaged', { message: `record ${id} is not a book` });
}

/** `OR FAIL` halves the time of a create (`schema.ts`). A row that breaks a constraint changes nothing. */
function insertInto(table: string, columns: readonly string[]): string {
  return `INSERT OR FAIL INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

function updateBook(columns: readonly string[]): string {
  return `UPDATE books SET ${columns.map((name) => `${name} = ?`).join(', ')} WHERE id = ?`;
}
