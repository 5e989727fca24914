import type { Book, BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { hasWords, matchesEverything, matches, type BookFilter } from '../../catalogue/query.ts';
import { toRanges, type IdRange } from '../contract/ids.ts';
import { maxEvents, type ChangeEvents } from '../contract/events.ts';
import {
  keptSince,
  type BatchSummary,
  type EarlierState,
  type TrashPage,
  type TrashRequest,
} from '../contract/history.ts';
import { createPage, type Page } from '../contract/page.ts';
import { chooseSame, sameHash } from '../contract/duplicates.ts';
import { defaultHistory } from '../contract/store.ts';
import type { Connection, Row } from './binding.ts';
import { eventsSince, type LogPlace } from './events.ts';
import { readBatch, readHistory, readTrash } from './history.ts';
import { isUndoable } from './undo.ts';
import { toStoredBook, Statements } from './connection.ts';
import { sameWord } from './match.ts';
import { walkInOrder } from './merge-ranges.ts';
import {
  allBooks,
  countedFrom,
  filterOf,
  isExact,
  isFullText,
  isIndexedBy,
  orderOf,
  placeInRange,
  placeOf,
  smallestSource,
  sourcesOf,
  type Source,
} from './sources.ts';
import { asNumber, bookColumns, maxIdSql, sortColumn } from './schema.ts';
import type { SearchedField, SuggestedField } from '../../catalogue/fields.ts';
import type { Statistics } from '../../catalogue/statistics.ts';
import type { Suggestion } from '../../catalogue/suggestion.ts';
import { statistics } from './statistics.ts';
import { suggest } from './suggest.ts';
import { countWords } from './vocabulary.ts';

/** A query is abandoned after this time: its caller no longer waits. */
const maxQueryMs = 4500;
/** Up to this multiple of the number above which a walk is faster, the matches of a search are collected before the walk. */
const maxWalked = 10;
/** The maximum number of changes listed individually. */
const maxChanges = 10_000;

/** The SQL function that throws when the query takes too long. The binding cannot interrupt a statement. */
const checkFunction = 'check_time';

/** Checks the time within a statement, which may collect many books before its first row; seldom, because a call takes 1 µs. */
function checkIn(source: Source): string {
  return `((${isFullText(source) ? 'words.rowid' : 'books.id'} & 255) > 0 OR ${checkFunction}())`;
}

/** Answers queries with the indexes. It blocks, so it must run in a worker thread. */
export class Searcher {
  readonly #db: Connection;
  readonly #statements: Statements;
  readonly #isStopped: () => boolean;
  readonly #historyDays: number;
  #end = Infinity;

  /** @param isStopped Whether the caller of the query no longer waits. The query is then abandoned, too. */
  constructor(db: Connection, isStopped = () => false, historyDays: number = defaultHistory.historyDays) {
    this.#db = db;
    db.function(checkFunction, () => {
      try {
        this.#checkTime();
        return 1;
      } catch (error) {
        this.#statements.clear(); // A statement that failed fails again when it is reset.
        throw error;
      }
    });
    this.#statements = new Statements(db);
    this.#isStopped = isStopped;
    this.#historyDays = historyDays;
  }

  /** Answers one question within the time of a query, from one state of the file. */
  answer<T>(question: (searcher: this) => T): T {
    this.#end = performance.now() + maxQueryMs;
    this.#db.exec('BEGIN');
    try {
      return question(this);
    } finally {
      if (this.#db.isTransaction) this.#db.exec('COMMIT');
    }
  }

  /** One page of the books with these ids. */
  list({ first, last }: IdRange): Page {
    const sql = `SELECT ${bookColumns} FROM books WHERE id BETWEEN ? AND ? ORDER BY id`;
    return this.#fill(this.#statements.each(sql, first, last), undefined, Infinity);
  }

  find(filter: BookFilter, limit: number, after: KeysetPosition | undefined): Page {
    const sources = sourcesOf(filter);
    // Few matches are sorted. With many, a walk in sort order soon finds enough. At this number both cost about the same.
    const many = Math.max(1000, Math.sqrt(limit * this.#statements.number(maxIdSql)));
    const smallest = smallestSource(this.#statements, sources, many, this.#checkTime);
    if (smallest !== undefined) return this.#sort(smallest, filter, limit, after);
    const [words] = hasWords(filter) ? sources : [];
    // The full-text index returns its matches by id.
    if (words !== undefined && filter.sort === 'id') return this.#sort(words, filter, limit, after);
    // Each range of an order without articles would collect the matches again.
    const isAlone = words !== undefined && sources.every(isFullText) && filter.articles.length === 0;
    if (isAlone && smallestSource(this.#statements, [words], maxWalked * many, this.#checkTime) !== undefined)
      return this.#walkMatches(words, filter, limit, after);
    const page = this.#walk(filter, limit, after, sources.length === 0 ? Infinity : 4 * many);
    // If the matches come late in this order, the walk gives up.
    return page ?? this.#sort(sources[0] ?? allBooks, filter, limit, after);
  }

  findSame(wanted: readonly BookFields[]): (Readonly<Book> | undefined)[] {
    return chooseSame(wanted, this.#booksWith(new Set(wanted.map(sameHash))));
  }

  *#booksWith(hashes: Iterable<number>): Generator<Book> {
    const sql = `SELECT ${bookColumns} FROM words CROSS JOIN books ON books.id = words.rowid WHERE words MATCH ?`;
    for (const hash of hashes) {
      for (const row of this.#statements.each(sql, `"${sameWord(hash)}"`)) {
        this.#checkTime();
        const book = toStoredBook(row);
        if (book !== undefined) yield book;
      }
    }
  }

  count(filter: BookFilter): number {
    if (matchesEverything(filter)) return this.#statements.number('SELECT count(*) FROM books');
    const sources = sourcesOf(filter);
    const source = smallestSource(this.#statements, sources, 1000, this.#checkTime) ?? sources[0] ?? allBooks;
    const { where, values } = filterOf(filter, source);
    if (isExact(filter, source)) {
      const from = sources.every(isFullText) ? countedFrom(source) : source.from;
      const sql = `SELECT count(*) FROM ${from} WHERE ${where} AND ${checkIn(source)}`;
      return this.#statements.number(sql, ...values);
    }
    let count = 0;
    for (const row of this.#statements.each(
      `SELECT ${bookColumns} FROM ${source.from} WHERE ${where}`,
      ...values,
    )) {
      this.#checkTime();
      const book = toStoredBook(row);
      if (book !== undefined && matches(filter, book)) count++;
    }
    return count;
  }

  statistics(filter: BookFilter): Statistics {
    return statistics(this.#statements, filter, this.#checkTime);
  }

  suggest(name: SuggestedField, filter: BookFilter, limit: number): Suggestion[] {
    return suggest(this.#statements, name, filter, limit, this.#checkTime);
  }

  countWords(words: readonly string[], name: SearchedField | undefined): [word: string, count: number][] {
    return countWords(this.#statements, words, name, this.#checkTime);
  }

  batch(id: string): BatchSummary | undefined {
    const summary = readBatch(this.#statements, id, this.#checkTime);
    return summary && { ...summary, undoable: isUndoable(this.#statements, id) };
  }

  history(id: number): readonly EarlierState[] | undefined {
    return readHistory(this.#statements, id, keptSince(this.#historyDays));
  }

  trash(request: TrashRequest): TrashPage {
    return readTrash(this.#statements, request, keptSince(this.#historyDays));
  }

  eventsSince(place: LogPlace): ChangeEvents {
    return eventsSince(this.#statements, place, maxEvents);
  }

  /** The ids of the books that changed after a place in the change log; `undefined`: any book may have changed. */
  changedSince(place: LogPlace): IdRange[] | undefined {
    const { events, isCurrent } = eventsSince(this.#statements, place, maxChanges);
    return events && isCurrent ? toRanges(events.map(({ id }) => id)) : undefined;
  }

  /** Sorts the ids of all books of a source, then reads only the books of the page. */
  #sort(source: Source, filter: BookFilter, limit: number, after: KeysetPosition | undefined): Page {
    const { where, values } = filterOf(filter, source, after);
    const sql = `SELECT ${asNumber('books.id')} FROM ${source.from} WHERE ${where} AND ${checkIn(source)} ORDER BY ${orderOf(filter, source)}`;
    const check = isExact(filter, source) ? undefined : filter;
    return this.#fill(this.#booksOf(this.#statements.each(sql, ...values)), check, limit);
  }

  *#booksOf(ids: Iterable<Row>): Generator<Row> {
    for (const [id = null] of ids) {
      const row = this.#statements.row(`SELECT ${bookColumns} FROM books WHERE id = ?`, id);
      if (row !== undefined) yield row;
    }
  }

  /** Walks the index of the sort key, which has the ids, and reads only the books that have the words. */
  #walkMatches(words: Source, filter: BookFilter, limit: number, after: KeysetPosition | undefined): Page {
    const column = sortColumn(filter.sort);
    const where = `${column} IS NOT NULL AND books.id IN (SELECT rowid FROM words WHERE ${words.where})`;
    const source = { from: `books INDEXED BY books_by_${filter.sort}`, where, values: words.values };
    const place = placeOf(filter, after, source);
    const sql = `SELECT ${asNumber('books.id')} FROM ${source.from} WHERE ${place.where} AND ${checkIn(source)} ORDER BY ${orderOf(filter, source)}`;
    return this.#fill(this.#booksOf(this.#statements.each(sql, ...place.values)), filter, limit);
  }

  /** Reads books in sort order and keeps those that match; `undefined` if `patience` books did not fill the page. */
  #walk(
    filter: BookFilter,
    limit: number,
    after: KeysetPosition | undefined,
    patience: number,
  ): Page | undefined {
    const { sort } = filter;
    const from = sort === 'id' ? 'books NOT INDEXED' : `books INDEXED BY books_by_${sort}`;
    const source = { from, where: isIndexedBy(sort, filter), values: [] };
    const key = asNumber(sortColumn(sort));
    const stored = { ...filter, articles: [] }; // The index holds whole keys.
    const rows = walkInOrder(filter, after, (position, range) => {
      const { where, values } = placeInRange(stored, position, range, source);
      const sql = `SELECT ${bookColumns}, ${key} FROM ${from} WHERE ${where} ORDER BY ${orderOf(stored, source)}`;
      return this.#statements.each(sql, ...values);
    });
    return this.#fill(rows, filter, limit, patience);
  }

  #fill(rows: Iterable<Row>, check: BookFilter | undefined, limit: number): Page;
  #fill(
    rows: Iterable<Row>,
    check: BookFilter | undefined,
    limit: number,
    patience: number,
  ): Page | undefined;
  #fill(
    rows: Iterable<Row>,
    check: BookFilter | undefined,
    limit: number,
    patience = Infinity,
  ): Page | undefined {
    const page = createPage(limit);
    let steps = 0;
    for (const row of rows) {
      if (++steps > patience) return undefined;
      this.#checkTime();
      const book = toStoredBook(row);
      if (book === undefined || (check !== undefined && !matches(check, book))) continue;
      if (page.isFull) return { books: page.books, isLast: false };
      page.add(book);
    }
    return { books: page.books, isLast: true };
  }

  readonly #checkTime = (): void => {
    if (this.#isStopped()) throw new ShelflistError('unavailable', { message: 'the query was abandoned' });
    if (performance.now() > this.#end)
      throw new ShelflistError('unavailable', { message: 'the query takes too long; narrow it' });
  };
}
