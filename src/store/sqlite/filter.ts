// Translates a filter of books into SQL: sources of candidates, places in an order, full-text expressions.
import { indexedIntegers, searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import { isEndOfKey, textKey, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import { fits, indexKey, isNegative, isNumber, withoutSign, type Term } from '../../catalogue/words.ts';
import { hasWords, type BookFilter, type SortKey } from '../../catalogue/query.ts';
import type { Value } from './binding.ts';
import { toValue } from './connection.ts';
import { numberWord } from './index-entry.ts';
import { markerColumn, sortColumn, type OrderColumn } from './schema.ts';
import { checkFunction, sameTextFunction, type Reading } from './reading.ts';

/** The number of query words used, the longest ones. More would exceed the depth of an FTS5 expression. */
const maxWords = 16;
/** Shorter words are prefixes of so many that the index merges long lists, 0.1 s a word of a million books, before a match. */
const minLength = 3;
/** The number of these words used. */
const maxShortWords = 3;

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
  sources.push(...filter.words.flat().filter(isNegative).slice(0, maxShortWords).map(negativeNumber));
  const byIndex = (name: string, where: string, ...values: Value[]) => {
    sources.push({ from: `books INDEXED BY books_by_${name}`, where, values });
  };
  for (const [name, { from, to }] of Object.entries(ranges))
    byIndex(name, `${name} BETWEEN ? AND ?`, from, to);
  for (const [name, text] of Object.entries(texts)) byIndex(name, `${name}_key = ?`, textKey(text.folded));
  return sources;
}

function fullText(words: Pick<BookFilter, 'words' | 'fieldWords'>): Source {
  return {
    from: 'words CROSS JOIN books ON books.id = words.rowid',
    where: 'words MATCH ?',
    values: [matchExpression(words)],
  };
}

/** The candidates for a negative number: those that have it in a text, without its sign, or as an integer. */
function negativeNumber(word: string): Source {
  const selects = [
    'SELECT rowid FROM words WHERE words MATCH ?',
    ...indexedIntegers.map(
      (name) => `SELECT id FROM books WHERE ${name} = ? AND ${markerColumn} IS NOT NULL`,
    ),
  ];
  const values = [`"${withoutSign(word)}"*`, ...indexedIntegers.map(() => Number(word))];
  return { from: 'books', where: `books.id IN (${selects.join(' UNION ')})`, values };
}

/** The part of a filter that SQL checks, for books of a source after a position. */
export function filterOf(
  filter: OrderedFilter,
  source: Source,
  after?: KeysetPosition,
): Omit<Source, 'from'> {
  const others = sourcesOf(filter).filter((each) => each.from !== source.from && !isFullText(each));
  const place = placeOf(filter, after, source, ...others);
  const texts = Object.entries(filter.texts);
  return {
    where: [place.where, ...texts.map(([name]) => isSame(name))].filter(Boolean).join(' AND '),
    values: [
      ...place.values,
      ...texts.flatMap(([, { text, folded, spelling }]) => [text, folded, spelling].map(toValue)),
    ],
  };
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
  return `${sortColumn(sort)} IS NOT NULL${needsKeys ? ` AND ${markerColumn} IS NOT NULL` : ''}`;
}

/** The table in which the books of a source are counted: the full-text index alone has the right number. */
export function countedFrom(source: Source): string {
  return isFullText(source) ? 'words' : source.from;
}

export function isFullText({ from }: Source): boolean {
  return from.startsWith('words');
}

/** Checks the time within a statement, which may collect many books before its first row; seldom, because a call takes 1 µs. */
export function checkIn(source: Source): string {
  return `((${isFullText(source) ? 'words.rowid' : 'books.id'} & 255) > 0 OR ${checkFunction}())`;
}

/** Whether SQL alone decides: the full-text index checks the words, except negative numbers. */
export function isExact(filter: Omit<BookFilter, 'sort'>, source: Source): boolean {
  const hasAllWords = source.values[0] === matchExpression(filter);
  return !hasWords(filter) || (isFullText(source) && hasAllWords && isExactMatch(filter));
}

/**
 * The source with the fewest books, if there are at most `most`. A slow one is asked only if no other has so few.
 */
export function smallestSource(
  { statements, checkTime }: Reading,
  sources: readonly Source[],
  most: number,
): Source | undefined {
  let smallest: Source | undefined;
  let enough = Math.ceil(most) + 1;
  // The full-text index comes last, because it is the most expensive.
  for (const source of sources.toReversed()) {
    if (source.isSlow === true && smallest !== undefined) break;
    checkTime();
    const sql = `SELECT count(*) FROM (SELECT 1 FROM ${countedFrom(source)} WHERE ${source.where} LIMIT ?)`;
    const count = statements.number(sql, ...source.values, enough);
    if (count < enough) [smallest, enough] = [source, count];
  }
  return smallest;
}

/** The words that a filter asks for. */
type Words = Pick<BookFilter, 'words' | 'fieldWords'>;

/** An FTS5 expression for books that have all these words as prefixes, in any column or in that of their field. */
export function matchExpression(filter: Words): string {
  return matchedWords(filter)
    .map(({ column, term }) => {
      const numbers =
        column === undefined ? term.filter(isNumber).map((word) => `"${numberWord(word)}"`) : [];
      const starts = [...term.map((word) => `"${indexKey(word)}"*`), ...numbers];
      const any = starts.length === 1 ? starts.join() : `(${starts.join(' OR ')})`;
      return column === undefined ? any : `${column} : ${any}`;
    })
    .join(' AND ');
}

/** Whether {@link matchExpression} finds only the books with these words. */
export function isExactMatch(filter: Words): boolean {
  const words = wordsOf(filter);
  return (
    words.length === matchedWords(filter).length &&
    words.every(({ term }) => term.every(fits)) &&
    !filter.words.flat().some(isNegative)
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

/** The words that the full-text index finds. */
function wordsOf({ words, fieldWords }: Words): { term: Term; column?: SearchedField }[] {
  return [
    ...words.filter((term) => !term.some(isNegative)).map((term) => ({ term })),
    ...searchedFields.flatMap((column) => (fieldWords[column] ?? []).map((term) => ({ term, column }))),
  ];
}

function isLong(term: Term): boolean {
  return lengthOf(term) >= minLength;
}

function lengthOf(term: Term): number {
  return Math.min(...term.map((word) => word.length));
}
