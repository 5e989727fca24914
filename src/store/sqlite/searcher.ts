import { toBook, type Book } from '../../book.ts';
import { ShelflistError } from '../../errors.ts';
import { isWholeKey, textKey, type Position } from '../../query/position.ts';
import { isUnconditional, matches, type Condition, type SortKey } from '../../query/query.ts';
import { toRanges, type IdRange } from '../ids.ts';
import { createPage, type Page } from '../page.ts';
import type { Connection, Row, Value } from './binding.ts';
import { toFields } from './connection.ts';
import { isExactMatch, matchExpression } from './match.ts';
import { Statements } from './statements.ts';

/** A source of candidates for a condition, as SQL. */
interface Source {
  readonly from: string;
  readonly where: string;
  readonly values: readonly Value[];
}

const columns = 'books.id, books.title, books.author, books.year';
const orderColumns = { id: 'books.id', title: 'title_key', author: 'author_key', year: 'year' } as const;
/** A query is abandoned after this time: its caller no longer waits. */
const maxQueryMs = 4500;
/** The maximum number of books with equal keys that are reversed in memory. */
const maxGroup = 50;
/** The maximum number of changes listed individually. */
const maxChanges = 10_000;

/** Answers queries with the indexes. It blocks, so it must run in a worker thread. */
export class Searcher {
  readonly #statements: Statements;
  #end = 0;

  constructor(db: Connection) {
    this.#statements = new Statements(db);
  }

  /** One page of the books with these ids. */
  list({ first, last }: IdRange): Page {
    const sql = `SELECT ${columns} FROM books WHERE id BETWEEN ? AND ? ORDER BY id`;
    return this.#fill(this.#statements.each(sql, first, last), undefined, Infinity);
  }

  find(condition: Condition, limit: number, after: Position | undefined): Page {
    this.#end = performance.now() + maxQueryMs;
    const sources = sourcesOf(condition);
    // Few matches are sorted. With many, a walk in sort order soon finds enough. At this number both cost about the same.
    const many = Math.max(1000, Math.sqrt(limit * this.#statements.number('SELECT max(id) FROM books')));
    const smallest = this.#smallest(sources, many);
    if (smallest !== undefined) return this.#sort(smallest, condition, limit, after);
    const [words] = condition.words.length > 0 ? sources : [];
    // The full-text index returns its matches by id.
    if (words !== undefined && condition.sort === 'id') return this.#sort(words, condition, limit, after);
    const page = this.#walk(condition, limit, after, sources.length === 0 ? Infinity : 4 * many);
    // If the matches come late in this order, the walk gives up.
    return page ?? this.#sort(sources[0] ?? allBooks, condition, limit, after);
  }

  count(condition: Condition): number {
    this.#end = performance.now() + maxQueryMs;
    if (isUnconditional(condition)) return this.#statements.number('SELECT count(*) FROM books');
    const sources = sourcesOf(condition);
    const source = this.#smallest(sources, 1000) ?? sources[0] ?? allBooks;
    const { where, values } = filterOf(condition, source);
    if (isExact(condition, source)) {
      const sql = `SELECT count(*) FROM ${source.from} WHERE ${where}`;
      return this.#statements.number(sql, ...values);
    }
    let count = 0;
    for (const row of this.#statements.each(
      `SELECT ${columns} FROM ${source.from} WHERE ${where}`,
      ...values,
    )) {
      this.#checkTime();
      const book = bookOf(row);
      if (book !== undefined && matches(condition, book)) count++;
    }
    return count;
  }

  /** The ids of the books that changed after a position in the change log; `undefined`: any book may have changed. */
  changedSince(seq: number): IdRange[] | undefined {
    const sql = 'SELECT book FROM changes WHERE seq > ? ORDER BY seq LIMIT ?';
    const ids = this.#statements.rows(sql, seq, maxChanges + 1).map(([id]) => Number(id));
    // After the changes: what the log has forgotten meanwhile makes the answer unknown.
    const oldest = this.#statements.number('SELECT seq FROM changes ORDER BY seq LIMIT 1');
    const isKnown = seq + 1 >= oldest && (oldest > 0 || ids.length > 0) && ids.length <= maxChanges;
    return isKnown ? toRanges(ids) : undefined;
  }

  /** The source with the fewest books, if there are at most `most`. */
  #smallest(sources: readonly Source[], most: number): Source | undefined {
    let smallest: Source | undefined;
    let enough = Math.ceil(most) + 1;
    // The full-text index comes last, because it is the most expensive.
    for (const source of sources.toReversed()) {
      const sql = `SELECT count(*) FROM (SELECT 1 FROM ${source.from} WHERE ${source.where} LIMIT ?)`;
      const count = this.#statements.number(sql, ...source.values, enough);
      if (count < enough) [smallest, enough] = [source, count];
    }
    return smallest;
  }

  /** Sorts the ids of all books of a source, then reads only the books of the page. */
  #sort(source: Source, condition: Condition, limit: number, after: Position | undefined): Page {
    const { where, values } = filterOf(condition, source, after);
    const sql = `SELECT books.id FROM ${source.from} WHERE ${where} ORDER BY ${orderOf(condition, source)}`;
    const check = isExact(condition, source) ? undefined : condition;
    return this.#fill(this.#booksOf(this.#statements.each(sql, ...values)), check, limit);
  }

  *#booksOf(ids: Iterable<Row>): Generator<Row> {
    for (const [id = null] of ids) {
      const row = this.#statements.row(`SELECT ${columns} FROM books WHERE id = ?`, id);
      if (row !== undefined) yield row;
    }
  }

  /** Reads books in sort order and keeps those that match; `undefined` if `patience` books did not fill the page. */
  #walk(
    condition: Condition,
    limit: number,
    after: Position | undefined,
    patience: number,
  ): Page | undefined {
    const { sort, isDescending } = condition;
    if (sort !== 'id' && isDescending)
      return this.#fill(this.#walkBackwards(sort, after), condition, limit, patience);
    const from = sort === 'id' ? 'books NOT INDEXED' : `books INDEXED BY books_by_${sort}`;
    const source = { from, where: `${orderColumns[sort]} IS NOT NULL`, values: [] };
    const { where, values } = placeOf(condition, after, source);
    const sql = `SELECT ${columns} FROM ${from} WHERE ${where} ORDER BY ${orderOf(condition, source)}`;
    return this.#fill(this.#statements.each(sql, ...values), condition, limit, patience);
  }

  /**
   * Books by descending key; books with equal keys by ascending id. An index gives ids in one direction with their keys, so
   * each group of equal keys is turned round; a large one is read apart, in its own order.
   */
  *#walkBackwards(sort: 'title' | 'author' | 'year', after: Position | undefined): Generator<Row> {
    const key = orderColumns[sort];
    const select = `SELECT ${columns}, ${key} FROM books INDEXED BY books_by_${sort} WHERE`;
    const equal = `${select} ${key} = ? AND books.id > ? ORDER BY books.id`;
    if (after !== undefined) yield* this.#statements.each(equal, after.key, after.id);
    let bound: Value | undefined = after?.key;
    for (let isOver = false; !isOver;) {
      const place: string = bound === undefined ? `${key} IS NOT NULL` : `${key} < ?`;
      const sql = `${select} ${place} ORDER BY ${key} DESC, books.id DESC`;
      const group: Row[] = [];
      isOver = true;
      for (const row of this.#statements.each(sql, ...(bound === undefined ? [] : [bound]))) {
        if (group.length > 0 && group[0]?.[4] !== row[4]) yield* group.splice(0).reverse();
        if (group.push(row) <= maxGroup) continue;
        [bound, isOver] = [row[4], false];
        break;
      }
      if (isOver) yield* group.reverse();
      else yield* this.#statements.each(equal, bound ?? null, 0);
    }
  }

  #fill(rows: Iterable<Row>, check: Condition | undefined, limit: number): Page;
  #fill(rows: Iterable<Row>, check: Condition | undefined, limit: number, patience: number): Page | undefined;
  #fill(
    rows: Iterable<Row>,
    check: Condition | undefined,
    limit: number,
    patience = Infinity,
  ): Page | undefined {
    const page = createPage(limit);
    let steps = 0;
    for (const row of rows) {
      if (++steps > patience) return undefined;
      if (check !== undefined) this.#checkTime();
      const book = bookOf(row);
      if (book === undefined || (check !== undefined && !matches(check, book))) continue;
      if (page.isFull) return { books: page.books, isLast: false };
      page.add(book);
    }
    return { books: page.books, isLast: true };
  }

  #checkTime(): void {
    if (performance.now() > this.#end)
      throw new ShelflistError('unavailable', { message: 'the query takes too long; narrow it' });
  }
}

const allBooks: Source = { from: 'books', where: 'true', values: [] };

/** The indexes that narrow a condition; the full-text index comes first. */
function sourcesOf({ words, title, author, yearFrom, yearTo }: Condition): Source[] {
  const sources: Source[] = [];
  if (words.length > 0)
    sources.push({
      from: 'words CROSS JOIN books ON books.id = words.rowid',
      where: 'words MATCH ?',
      values: [matchExpression(words)],
    });
  const byIndex = (name: string, where: string, ...values: Value[]) => {
    sources.push({ from: `books INDEXED BY books_by_${name}`, where, values });
  };
  if (yearFrom > Number.MIN_SAFE_INTEGER || yearTo < Number.MAX_SAFE_INTEGER)
    byIndex('year', 'year BETWEEN ? AND ?', yearFrom, yearTo);
  if (author !== undefined) byIndex('author', 'author_key = ?', textKey(author));
  if (title !== undefined) byIndex('title', 'title_key = ?', textKey(title));
  return sources;
}

/** The part of a condition that SQL checks, for books of a source after a position. */
function filterOf(condition: Condition, source: Source, after?: Position): Omit<Source, 'from'> {
  const others = sourcesOf(condition).filter((each) => each.from !== source.from && !isFullText(each));
  return placeOf(condition, after, source, ...others);
}

function placeOf(
  { sort, isDescending }: Condition,
  after: Position | undefined,
  ...sources: readonly Source[]
): Omit<Source, 'from'> {
  const wheres = sources.map(({ where }) => where);
  const values = sources.flatMap((source) => source.values);
  if (after !== undefined) {
    const column = orderColumn(sort, ...sources);
    if (sort === 'id') {
      wheres.push(`${column} ${isDescending ? '<' : '>'} ?`);
      values.push(after.id);
    } else if (isDescending) {
      wheres.push(`${column} <= ? AND (${column} < ? OR books.id > ?)`);
      values.push(after.key, after.key, after.id);
    } else {
      wheres.push(`(${column}, books.id) > (?, ?)`);
      values.push(after.key, after.id);
    }
  }
  return { where: wheres.join(' AND '), values };
}

function orderOf({ sort, isDescending }: Condition, source: Source): string {
  const order = `${orderColumn(sort, source)} ${isDescending ? 'DESC' : 'ASC'}`;
  return sort === 'id' ? order : `${order}, books.id`;
}

/** The full-text index is ordered by its row ids, which are the ids of the books. */
function orderColumn(sort: SortKey, ...sources: readonly Source[]): string {
  return sort === 'id' && sources.some(isFullText) ? 'words.rowid' : orderColumns[sort];
}

function isFullText({ from }: Source): boolean {
  return from.startsWith('words');
}

/** Whether SQL alone decides: no key was cut, and the full-text index checks the words. */
function isExact({ words, title = '', author = '' }: Condition, source: Source): boolean {
  const areWordsExact = words.length === 0 || (isFullText(source) && isExactMatch(words));
  return areWordsExact && isWholeKey(textKey(title)) && isWholeKey(textKey(author));
}

/** `undefined` for a record that is not a book: no search finds it; `get`, the list and `doctor` name it. */
function bookOf([id, title, author, year]: Row): Book | undefined {
  return toBook({ id, ...toFields(title, author, year) });
}
