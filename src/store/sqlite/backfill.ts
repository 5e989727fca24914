// Indexes books that another program put into the file, and all books again after the rules changed, some at a time.
import { changeRules, formatRules, type SortSettings } from '../../catalogue/sort-keys.ts';
import type { Row } from './binding.ts';
import type { BookTable } from './change.ts';
import { toStoredBook, type Statements } from './connection.ts';
import { indexVersion, isReindexed, readIndexedTo, readRules } from './order.ts';
import { bookColumns, unindexedMarker, newEpoch } from './schema.ts';

/** Asks for other rules of the order. {@link indexNext} then indexes all books again. */
export function setRules(statements: Statements, settings: SortSettings): void {
  const rules = readRules(statements);
  const changed = changeRules(rules, settings);
  if (changed === rules) return;
  // All connections see a change at once.
  statements.run('UPDATE meta SET sort_rules = ?, epoch = ?', formatRules(changed), newEpoch());
}

/** The number of books of other programs that are indexed in one transaction. */
const backfillBatch = 1000;
const addedBooks = `FROM books WHERE ${unindexedMarker} IS NULL ORDER BY id LIMIT ${backfillBatch}`;

/**
 * Indexes the next books that another program added, or that were indexed by other rules, within a transaction of its caller.
 * Returns their number.
 */
export function indexNext(statements: Statements, table: BookTable): number {
  const count = isReindexed(statements) ? indexAdded(statements, table) : reindex(statements, table);
  // Listings have more books than before, or another order, though no book has changed.
  if (count > 0) statements.run('UPDATE meta SET epoch = ?', newEpoch());
  return count;
}

function indexAdded(statements: Statements, table: BookTable): number {
  const rows = statements.rows(`SELECT ${bookColumns} ${addedBooks}`);
  // A record that is not a book gets only this, so that it is not selected again.
  statements.run(`UPDATE books SET ${unindexedMarker} = '' WHERE id IN (SELECT id ${addedBooks})`);
  index(table, rows);
  return rows.length;
}

/** Indexes the next books again, by the rules of this version. They stay in searches and lists meanwhile, by their old words and keys. */
function reindex(statements: Statements, table: BookTable): number {
  const start = readIndexedTo(statements) ?? 0;
  const sql = `SELECT ${bookColumns} FROM books WHERE id > ? ORDER BY id LIMIT ?`;
  const rows = statements.rows(sql, start, backfillBatch);
  index(table, rows);
  const end = rows.length < backfillBatch ? null : Number(rows.at(-1)?.[0]);
  statements.run('UPDATE meta SET folding = ?, folded_to = ?', indexVersion(readRules(statements)), end);
  return rows.length;
}

function index(table: BookTable, rows: readonly Row[]): void {
  for (const row of rows) {
    const book = toStoredBook(row);
    if (book !== undefined) table.index(book);
  }
}
