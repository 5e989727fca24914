// Reads many books with few calls: the binding takes 2 µs for a row, and more for each of its values.
import { fieldNames } from '../../catalogue/fields.ts';
import type { Book } from '../../catalogue/book.ts';
import { matches, type BookFilter } from '../../catalogue/query.ts';
import type { Row, Value } from './binding.ts';
import { toStoredBook, type Statements } from './connection.ts';
import type { Source } from './filter.ts';
import type { QueryContext } from './reading.ts';
import { asNumber, bookColumns } from './schema.ts';

/** The number of books read at once. */
const maxAtOnce = 100;
/** The same of the first ones, of which a few may be enough. */
const firstAtOnce = 25;
/** Books with longer values are read one by one, in characters of each. */
const maxLength = 5000;

/** Which books to read: the rest of a SELECT, from FROM on, and the values of its parameters. */
export interface Selection {
  readonly from: string;
  readonly values: readonly Value[];
}

/** A value in JSON, which cannot hold bytes: text with U+0000 is stored so. */
function asJson(column: string): string {
  return `iif(typeof(${column}) = 'blob' OR length(${column}) > ${maxLength}, NULL, ${column})`;
}

const wantedBooks = `SELECT json_group_array(json_array(books.id, ${fieldNames
  .map((name) => asJson(`books.${name}`))
  .join(', ')})) FROM json_each(?) AS wanted CROSS JOIN books ON books.id = wanted.value`;

/** The books with these ids, in their order, without those that do not exist. */
export function* readBooks(reading: QueryContext, ids: readonly number[]): Generator<Book> {
  const { statements, checkTime } = reading;
  for (let start = 0; start < ids.length; start += maxAtOnce) {
    const part = ids.slice(start, start + maxAtOnce);
    for (const row of jsonRows(statements, wantedBooks, JSON.stringify(part))) {
      checkTime();
      const book = row.includes(null) ? readBook(statements, row[0]) : toStoredBook(row);
      if (book !== undefined) yield book;
    }
  }
}

/** A book; `undefined`: there is none, or another program left something else there. */
export function readBook(statements: Statements, id: Value = null): Book | undefined {
  const row = statements.row(`SELECT ${bookColumns} FROM books WHERE id = ?`, id);
  return row && toStoredBook(row);
}

/** What a statement returns as one JSON array. */
export function jsonRows<Item = Row>(
  statements: Statements,
  sql: string,
  ...values: readonly Value[]
): Item[] {
  return JSON.parse(String(statements.row(sql, ...values)?.[0] ?? '[]')) as Item[];
}

/**
 * The books of a selection, in its order.
 *
 * @param count How many will be asked for, unless some records are no books; by default that is unknown.
 */
export function* booksOf(reading: QueryContext, selection: Selection, count?: number): Generator<Book> {
  for (const ids of count === undefined ? idsOf(reading, selection) : idsAtOnce(reading, selection, count))
    yield* readBooks(reading, ids);
}

function* idsAtOnce(
  { statements }: QueryContext,
  { from, values }: Selection,
  count: number,
): Generator<number[]> {
  // The limit keeps the order of the inner statement.
  const sql = `SELECT json_group_array(id) FROM (SELECT books.id AS id ${from} LIMIT ? OFFSET ?)`;
  for (let offset = 0; ; offset += count) {
    const ids = jsonRows<number>(statements, sql, ...values, count, offset);
    yield ids;
    if (ids.length < count) return;
  }
}

function* idsOf({ statements }: QueryContext, { from, values }: Selection): Generator<number[]> {
  let [ids, size]: [number[], number] = [[], firstAtOnce];
  for (const [id] of statements.each(`SELECT ${asNumber('books.id')} ${from}`, ...values)) {
    if (ids.push(Number(id)) < size) continue;
    yield ids;
    [ids, size] = [[], maxAtOnce];
  }
  yield ids;
}

/** The books of a source that match. */
export function* matchesIn(
  reading: QueryContext,
  source: Pick<Source, 'from' | 'where' | 'values'>,
  filter: Omit<BookFilter, 'sort'>,
): Generator<Book> {
  const { from, where, values } = source;
  for (const book of booksOf(reading, { from: `FROM ${from} WHERE ${where}`, values }))
    if (matches(filter, book)) yield book;
}
