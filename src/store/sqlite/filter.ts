// Translates a filter of books into SQL: sources of candidates, places in an order, full-text expressions.
import { indexedIntegers, searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import { isDecidedByKey, isEndOfKey, textKey, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import { fits, indexKey, isNumber, withoutSign, type Term } from '../../catalogue/words.ts';
import { hasWords, type BookFilter } from '../../catalogue/query.ts';
import type { SortKey } from '../../catalogue/sorts.ts';
import type { Value } from './binding.ts';
import { toValue } from './connection.ts';
import { unindexedMarker, sortColumn, type OrderColumn } from './schema.ts';
import { checkFunction, sameTextFunction, type QueryContext } from './reading.ts';

/** The number of query words used, the longest ones. More would exceed the depth of an FTS5 expression. */
const maxWords = 16;
/** Shorter words are prefixes of so many that the index merges long lists, 0.1 s a word of a million books, before a match. */
const minLength = 3;
/** The number of these words used. */
const maxShortWords = 3;
/** The number of numbers used. */
const maxNumbers = 3;

/** A filter whose order is that of a column: one by a text usually has a column of its own. */
export interface OrderedFilter extends Omit<BookFilter, 'sort'> {
  readonly sort: SortKey | OrderColumn;
}

/** A source of candidates for a filter, as SQL. */
export interface Source {
  readonly from: string;
  readonly where: string;
  readonly values: readonly Value[];
  /** Whether finding its first book takes long. */
  readonly isSlow?: boolean;
  /** Whether its index returns its books by id. */
  readonly isById?: boolean;
  /** Whether it is known to have few books. */
  readonly isFew?: boolean;
  /** SQL that checks the books of another source, with the same values; by default `where`. */
  readonly checkIn?: (other: Source) => string;
}

export const allBooks: Source = { from: 'books', where: 'true', values: [] };
/** For words that no book has. */
const noBooks: Source = { from: 'books', where: 'false', values: [] };

/** The indexes that narrow a filter; the full-text index comes first, with all words, then with those that it finds fast. */
export function sourcesOf(filter: Omit<BookFilter, 'sort'>): Source[] {
  const { texts, ranges, words, fieldWords } = filter;
  if ([words, ...Object.values(fieldWords)].flat().some((term) => term.length === 0)) return [noBooks];
  const sources: Source[] = [];
  const longWords = longWordsOf(filter);
  if (wordsOf(filter).length > 0) sources.push({ ...fullText(filter), isSlow: longWords !== undefined });
  if (longWords !== undefined) sources.push(fullText(longWords));
  sources.push(...numbersOf(filter).slice(0, maxNumbers).map(numberSource));
  const byIndex = (name: string, where: string, ...values: Value[]) => {
    sources.push({ from: `books INDEXED BY books_by_${name}`, where, values });
  };
  for (const [name, { from, to }] of Object.entries(ranges))
    byIndex(name, `${name} BETWEEN ? AND ?`, from, to);
  for (const [name, { folded }] of Object.entries(texts))
    sources.push({
      from: `books INDEXED BY books_by_${name}`,
      where: `${name}_key = ?`,
      values: [textKey(folded)],
      isById: true,
    });
  return sources;
}

function fullText(words: Pick<BookFilter, 'words' | 'fieldWords'>): Source {
  return {
    from: 'words CROSS JOIN books ON books.id = words.rowid',
    where: 'words MATCH ?',
    values: [matchExpression(words)],
    isById: true,
  };
}

/**
 * The books that have a number, as the beginning of a word or as an integer. The full-text index has no integers: an update of the
 * year would rewrite its entry.
 */
function numberSource(term: Term): Source {
  const inTexts = 'SELECT rowid FROM words WHERE words MATCH ?';
  const numbers = term.filter(isNumber).map(Number);
  const integers = indexedIntegers.flatMap((name) => numbers.map((number) => [name, number] as const));
  const byInteger = integers.map(
    ([name]) => `SELECT id FROM books WHERE ${name} = ? AND ${unindexedMarker} IS NOT NULL`,
  );
  const hasInteger = integers.map(([name]) => `(books.${name} = ? AND books.${unindexedMarker} IS NOT NULL)`);
  const all = [...byInteger, inTexts].join(' UNION ');
  return {
    from: 'books',
    where: `books.id IN (${all})`,
    values: [...integers.map(([, number]) => number), anyOf(term)],
    isSlow: true,
    // A year has thousands of books: collecting their ids is worth it only for as many candidates, before these are read.
    checkIn: (other) =>
      other.isFew === true
        ? `(${[...hasInteger, `books.id IN (${inTexts})`].join(' OR ')})`
        : // The plus sign keeps SQLite from looking for the words once for each of these ids.
          `+${isFullText(other) ? 'words.rowid' : 'books.id'} IN (${all})`,
  };
}

/** The part of a filter that SQL checks, for books of a source after a position. */
export function filterOf(
  filter: OrderedFilter,
  source: Source,
  after?: KeysetPosition,
): Omit<Source, 'from'> {
  const others = sourcesOf(filter)
    .filter((each) => !isFullText(each) && !isSameSource(each, source))
    .map((each) => ({ ...each, where: each.checkIn?.(source) ?? each.where }));
  const place = placeOf(filter, after, source, ...others);
  const texts = Object.entries(filter.texts).filter(([, text]) => !isDecidedByKey(text));
  return {
    where: [place.where, ...texts.map(([name]) => isSame(name))].filter(Boolean).join(' AND '),
    values: [
      ...place.values,
      ...texts.flatMap(([, { text, folded, spelling }]) => [text, folded, spelling ?? null].map(toValue)),
    ],
  };
}

function isSameSource(a: Source, b: Source): boolean {
  return a.where === b.where && a.values.every((value, i) => value === b.values[i]);
}

/** SQL for whether a text is the one that is asked for: its key is only that of a candidate. */
function isSame(name: string): string {
  return `(books.${name} = ? OR ${sameTextFunction}(books.${name}, ?, ?))`;
}

/**
 * The parts of the index of a sort key after a position, in order: the rest of the books with the same key, then those beyond. As
 * one comparison, `(key, id) > (?, ?)`, most versions of SQLite would look up the key alone, and step over every book that has it.
 */
export function placesOf(
  filter: OrderedFilter,
  after: KeysetPosition | undefined,
  source: Source,
): Omit<Source, 'from'>[] {
  if (after === undefined || filter.sort === 'id') return [placeOf(filter, after, source)];
  const column = sortColumn(filter.sort);
  const sign = filter.isDescending ? '<' : '>';
  const part = (where: string, ...values: Value[]) => ({
    where: `${source.where} AND ${where}`,
    values: [...source.values, ...values],
  });
  const beyond = part(`${column} ${sign} ?`, after.key);
  if (isEndOfKey(filter, after)) return [beyond];
  return [part(`${column} = ? AND books.id ${sign} ?`, after.key, after.id), beyond];
}

function placeOf(
  filter: OrderedFilter,
  after: KeysetPosition | undefined,
  ...sources: readonly Source[]
): Omit<Source, 'from'> {
  const wheres = sources.map(({ where }) => where);
  const values = sources.flatMap((source) => source.values);
  if (after !== undefined) {
    const columns = orderColumns(filter, ...sources);
    const position = [after.key, after.id].slice(-columns.length);
    const places = position.map(() => '?').join(', ');
    wheres.push(`(${columns.join(', ')}) ${filter.isDescending ? '<' : '>'} (${places})`);
    values.push(...position);
  }
  return { where: wheres.join(' AND '), values };
}

export function orderOf(filter: OrderedFilter, source: Source): string {
  const direction = filter.isDescending ? 'DESC' : 'ASC';
  return orderColumns(filter, source)
    .map((column) => `${column} ${direction}`)
    .join(', ');
}

/** The full-text index is ordered by its row ids, which are the ids of the books. */
function orderColumns(filter: OrderedFilter, ...sources: readonly Source[]): string[] {
  if (filter.sort === 'id') return [sources.some(isFullText) ? 'words.rowid' : 'books.id'];
  return [sortColumn(filter.sort), 'books.id'];
}

/**
 * Whether a book has the key of an order; and, if a filter asks for text, the keys of its texts: a book that another program
 * added has none until it is indexed, and no text search finds it before.
 */
export function isIndexedBy({ sort, ...filter }: OrderedFilter): string {
  const needsKeys = hasWords(filter) || Object.keys(filter.texts).length > 0;
  return `${sortColumn(sort)} IS NOT NULL${needsKeys ? ` AND ${unindexedMarker} IS NOT NULL` : ''}`;
}

/** The table in which the books of a source are counted: the full-text index alone has the right number. */
export function countedFrom(source: Source): string {
  return isFullText(source) ? 'words' : source.from;
}

export function isFullText({ from }: Source): boolean {
  return from.startsWith('words');
}

/** Checks the time within a statement, which may collect many books before its first row; seldom, because a call takes 1 µs. */
export function checkTimeIn(source: Source): string {
  return `((${isFullText(source) ? 'words.rowid' : 'books.id'} & 255) > 0 OR ${checkFunction}())`;
}

/** Whether SQL alone decides: the full-text index checks the words. */
export function isExact(filter: Omit<BookFilter, 'sort'>, source: Source): boolean {
  if (!hasWords(filter)) return true;
  const hasAllWords = isFullText(source)
    ? source.values[0] === matchExpression(filter)
    : wordsOf(filter).length === 0;
  return hasAllWords && isExactMatch(filter);
}

/**
 * The source with the fewest books, if there are at most `most`. A slow one is asked only if no other has so few.
 */
export function smallestSource(
  { statements, checkTime }: QueryContext,
  sources: readonly Source[],
  most: number,
): Source | undefined {
  let smallest: Source | undefined;
  let enough = Math.ceil(most) + 1;
  // Of each kind, the full-text index comes last, because it is the most expensive.
  const backwards = sources.toReversed();
  for (const source of [...backwards.filter((each) => !isSlow(each)), ...backwards.filter(isSlow)]) {
    if (isSlow(source) && smallest !== undefined) break;
    checkTime();
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${countedFrom(source)} WHERE ${source.where} LIMIT ?)`;
    const count = statements.number(sql, ...source.values, enough);
    if (count < enough) [smallest, enough] = [{ ...source, isFew: true }, count];
  }
  return smallest;
}

function isSlow(source: Source): boolean {
  return source.isSlow === true;
}

/** The words that a filter asks for. */
type Words = Pick<BookFilter, 'words' | 'fieldWords'>;

/**
 * An FTS5 expression for books that have all these words as prefixes, in any column or in that of their field. Numbers are
 * looked for apart from it.
 */
export function matchExpression(filter: Words): string {
  return matchedWords(filter)
    .map(({ column, term }) => (column === undefined ? anyOf(term) : `${column} : ${anyOf(term)}`))
    .join(' AND ');
}

function anyOf(term: Term): string {
  const starts = term.map((word) => `"${indexKey(withoutSign(word))}"*`);
  return starts.length === 1 ? starts.join() : `(${starts.join(' OR ')})`;
}

/** Whether {@link matchExpression} and the sources of numbers find only the books with these words. */
function isExactMatch(filter: Words): boolean {
  const words = wordsOf(filter);
  const numbers = numbersOf(filter);
  return (
    words.length === matchedWords(filter).length &&
    numbers.length <= maxNumbers &&
    [...words.map(({ term }) => term), ...numbers].every((term) => term.every(fits))
  );
}

function matchedWords(filter: Words) {
  const words = wordsOf(filter).sort((a, b) => lengthOf(b.term) - lengthOf(a.term));
  const longCount = words.filter(({ term }) => isLong(term)).length;
  return words.slice(0, Math.min(maxWords, longCount + maxShortWords));
}

/** The words of a filter that take little time to look up; `undefined` if these are all or none. */
export function longWordsOf({ words, fieldWords }: Words): Words | undefined {
  const fields = Object.entries(fieldWords).map(([name, some]) => [name, some.filter(isLong)] as const);
  const long = { words: words.filter(isLong), fieldWords: Object.fromEntries(fields) };
  const count = wordsOf(long).length;
  return count === 0 || count === wordsOf({ words, fieldWords }).length ? undefined : long;
}

/** The terms that find integers, too. */
function numbersOf({ words }: Words): Term[] {
  return words.filter((term) => term.some(isNumber));
}

/** The words that the full-text index finds. */
function wordsOf({ words, fieldWords }: Words): { term: Term; column?: SearchedField }[] {
  return [
    ...words.filter((term) => !term.some(isNumber)).map((term) => ({ term })),
    ...searchedFields.flatMap((column) => (fieldWords[column] ?? []).map((term) => ({ term, column }))),
  ];
}

function isLong(term: Term): boolean {
  return lengthOf(term) >= minLength;
}

function lengthOf(term: Term): number {
  return Math.min(...term.map((word) => word.length));
}
