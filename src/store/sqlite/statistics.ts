// Statistics: counted by SQLite, but for books that must be checked.
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import {
  authorField,
  maxAuthors,
  summarizeYears,
  yearField,
  type Statistics,
} from '../../catalogue/statistics.ts';
import { rankKeys } from '../../catalogue/suggestion.ts';
import { LineTally } from '../../lib/line-tally.ts';
import { toStoredBook } from './connection.ts';
import type { Reading } from './reading.ts';
import { asNumber, bookColumns, maxIdSql, sortColumn } from './schema.ts';
import { allBooks, filterOf, isExact, isFullText, smallestSource, sourcesOf, type Source } from './filter.ts';
import { spellingOf } from './suggest.ts';

/** With at most this number of matches in an index, it is always used. */
const fewMatches = 1000;
/** The part of the data file whose books are joined into one text. A search for words starts anew for each part. */
const maxPartBytes = 256 * 2 ** 20;
/** Follows every key, which consists of letters and digits. */
const afterAllKeys = '\u{10ffff}';

interface Counts {
  readonly years: Iterable<readonly [year: number, count: number]>;
  /** The most frequent ones, at least. */
  readonly authors: Iterable<readonly [key: string, count: number]>;
}

/**
 * As `BookStore.statistics`.
 *
 * @param booksPerPart The number of books whose authors are counted between two calls, apart from those of one author.
 */
export function statistics(reading: Reading, filter: BookFilter, booksPerPart = 100_000): Statistics {
  const counts = matchesEverything(filter) ? countAll(reading, booksPerPart) : countMatches(reading, filter);
  return {
    ...summarizeYears(counts.years),
    authors: rankKeys(counts.authors, maxAuthors).map(({ key, count }) => ({
      author: spellingOf(reading.statements, authorField, key),
      count,
    })),
  };
}

/** Reads only the indexes, in their order. */
function countAll({ statements, checkTime }: Reading, booksPerPart: number): Counts {
  const years: [year: number, count: number][] = [];
  for (const [year, count] of statements.each(
    `SELECT ${asNumber(yearField)}, count(*) FROM books INDEXED BY books_by_${yearField} GROUP BY ${yearField}`,
  )) {
    checkTime();
    years.push([Number(year), Number(count)]);
  }
  const key = sortColumn(authorField);
  const books = `books INDEXED BY books_by_${authorField}`;
  const lastOfPart = `SELECT ${key} FROM ${books} WHERE ${key} > ? ORDER BY ${key} LIMIT 1 OFFSET ?`;
  const part = `SELECT ${key}, count(*) AS number FROM ${books} WHERE ${key} > ? AND ${key} <= ?
    GROUP BY ${key} ORDER BY number DESC, ${key} LIMIT ?`;
  const authors: [key: string, count: number][] = [];
  for (let start = '', isLast = false; !isLast;) {
    checkTime();
    const [last] = statements.row(lastOfPart, start, booksPerPart - 1) ?? [];
    isLast = last === undefined;
    const end = String(last ?? afterAllKeys);
    for (const [each, count] of statements.rows(part, start, end, maxAuthors))
      authors.push([String(each), Number(count)]);
    start = end;
  }
  return { years, authors };
}

function countMatches(reading: Reading, filter: BookFilter): Counts {
  const sources = sourcesOf(filter);
  const lastId = reading.statements.number(maxIdSql);
  // With more matches, reading all books in their order is faster than reading them in that of an index.
  const few = Math.max(fewMatches, lastId / 20);
  const source = smallestSource(reading, sources, few) ?? sources.find(isFullText) ?? allBooks;
  const { where, values } = filterOf(filter, source);
  const query = { from: source.from, where, values };
  const id = isFullText(source) ? 'words.rowid' : 'books.id';
  return isExact(filter, source)
    ? countInParts(reading, { ...query, where: `${where} AND ${id} BETWEEN ? AND ?` }, lastId)
    : countChecked(reading, query, filter);
}

/** SQLite joins the values of many books into one text, which is much faster than reading rows. */
function countInParts(
  { statements, checkTime }: Reading,
  { from, where, values }: Source,
  lastId: number,
): Counts {
  const [years, keys] = [new LineTally(), new LineTally()];
  const joined = (column: string) => `CAST(group_concat(coalesce(${column}, ''), char(10)) AS BLOB)`;
  const columns = `${joined(`books.${yearField}`)}, ${joined(`books.${sortColumn(authorField)}`)}`;
  const fileBytes = statements.number('PRAGMA page_count') * statements.number('PRAGMA page_size');
  const length = Math.ceil((lastId * maxPartBytes) / fileBytes);
  for (let start = 1; start <= lastId; start += length) {
    checkTime();
    const end = start + length - 1;
    const row = statements.row(`SELECT ${columns} FROM ${from} WHERE ${where}`, ...values, start, end);
    const [allYears, allKeys] = row ?? [];
    if (!(allYears instanceof Uint8Array && allKeys instanceof Uint8Array)) continue; // NULL: no book matches.
    years.add(allYears);
    keys.add(allKeys); // No key contains a line feed.
  }
  return {
    years: [...years.entries()].map(([year, count]) => [Number(year), count] as const),
    authors: keys.mostFrequent(maxAuthors + 1),
  };
}

function countChecked(
  { statements, checkTime }: Reading,
  { from, where, values }: Source,
  filter: BookFilter,
): Counts {
  const years = new Map<number, number>();
  const keys = new Map<string, number>();
  for (const row of statements.each(`SELECT ${bookColumns} FROM ${from} WHERE ${where}`, ...values)) {
    checkTime();
    const book = toStoredBook(row);
    if (book === undefined || !matches(filter, book)) continue;
    const [year, key] = [book[yearField], textKey(book[authorField])];
    years.set(year, (years.get(year) ?? 0) + 1);
    keys.set(key, (keys.get(key) ?? 0) + 1);
  }
  return { years, authors: keys };
}
