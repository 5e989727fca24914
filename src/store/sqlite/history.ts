// Earlier states of a book, and the trash, from the change log.
import { fieldsOf, parseId, type Book } from '../../catalogue/book.ts';
import { fieldNames } from '../../catalogue/fields.ts';
import {
  historyLimits,
  notAPosition,
  takeStates,
  type DeletedBook,
  type EarlierState,
  type TrashPage,
  type HistoryPage,
} from '../contract/history.ts';
import { keptSince } from '../contract/history-clock.ts';
import { createPage } from '../contract/page.ts';
import { toStoredBook, type Statements } from './connection.ts';
import { stateColumns } from './schema.ts';

/** The rows that one page of the trash looks at: many may be books that came back. */
const maxRowsPerPage = 20_000;

const [firstField = ''] = fieldNames;
/** The changes of a book since a time that have an earlier state. One that brings a book back has none. */
const states = `FROM changes INDEXED BY changes_by_book
  WHERE book = ? AND at >= ? AND kind <> 'created' AND ${firstField} IS NOT NULL`;
const isGone = `
  SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM books WHERE id = ?1)
  AND ?2 = (
    SELECT max(seq) FROM changes INDEXED BY changes_by_book
    WHERE book = ?1 AND kind <> 'created' AND kind = 'deleted'
  )`;

const readClock = 'SELECT history_clock FROM meta';

/** Older changes do not count. */
function sinceOf(statements: Statements, historyDays: number): number {
  return keptSince(statements.number(readClock), historyDays);
}

/** The newest state of a book, or that of a version; `undefined` if it is not kept. */
export function findState(
  statements: Statements,
  id: number,
  version: string | undefined,
  historyDays: number,
): Book | undefined {
  const since = sinceOf(statements, historyDays);
  const seq = version === undefined ? undefined : parseId(version);
  if (version !== undefined && seq === undefined) return undefined;
  const [place, values] = seq === undefined ? ['', [id, since]] : [' AND seq = ?', [id, since, seq]];
  const sql = `SELECT ${stateColumns} ${states}${place} ORDER BY seq DESC LIMIT ${historyLimits.maxStates}`;
  // Another program may have made the record something that is not a book.
  for (const row of statements.each(sql, ...values)) {
    const book = toStoredBook(row);
    if (book !== undefined) return book;
  }
  return undefined;
}

/** As `BookStore.history`. */
export function readHistory(
  statements: Statements,
  id: number,
  historyDays: number,
): readonly EarlierState[] | undefined {
  const found = takeStates(statesOf(statements, id, sinceOf(statements, historyDays)));
  const exists = found.length > 0 || statements.row('SELECT 1 FROM books WHERE id = ?', id) !== undefined;
  return exists ? found : undefined;
}

/** The earlier states of a book, newest first. */
function* statesOf(statements: Statements, id: number, since: number): Generator<EarlierState> {
  const sql = `SELECT ${stateColumns}, seq, at, kind, batch ${states} ORDER BY seq DESC LIMIT ?`;
  for (const row of statements.each(sql, id, since, historyLimits.maxStates)) {
    const book = toStoredBook(row);
    if (book === undefined) continue;
    const [seq, at, kind, batch] = row.slice(1 + fieldNames.length);
    const change = kind as EarlierState['change'];
    yield {
      version: String(seq),
      at: new Date(Number(at)),
      change,
      ...fieldsOf(book),
      ...(typeof batch === 'string' && { batch }),
    };
  }
}

/** As `BookStore.trash`. */
export function readTrash(
  statements: Statements,
  { limit, after }: HistoryPage,
  historyDays: number,
  maxRows = maxRowsPerPage,
): TrashPage {
  const since = sinceOf(statements, historyDays);
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : parseId(after);
  if (before === undefined) throw notAPosition();
  const books: DeletedBook[] = [];
  const page = createPage(limit);
  const sql = `SELECT ${stateColumns}, seq, at, batch FROM changes INDEXED BY changes_deleted
    WHERE kind = 'deleted' AND seq < ? ORDER BY seq DESC LIMIT ?`;
  let last: string | undefined;
  let rows = 0;
  for (const row of statements.each(sql, before, maxRows)) {
    if (page.isFull) return { books, next: last };
    const [seq = 0, at = 0, batch] = row.slice(1 + fieldNames.length);
    last = String(seq);
    rows++;
    const book = toStoredBook(row);
    if (book === undefined || Number(at) < since) continue;
    if (statements.row(isGone, book.id, seq) === undefined) continue;
    books.push({ ...book, deletedAt: new Date(Number(at)), ...(typeof batch === 'string' && { batch }) });
    page.add(book);
  }
  return { books, next: rows < maxRows ? undefined : last };
}
