// Statistics: counted by SQLite where an index leads to few enough books, estimated from a sample of the others.
import { maxAuthors } from '../../catalogue/limits.ts';
import { authorField, yearField } from '../../catalogue/fields.ts';
import { hasWords, matches, matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import { BookTally, summarizeYears, type Statistics } from '../../catalogue/statistics.ts';
import { runSync } from '../../lib/gensync.ts';
import { sampleSize, wantedMatches, type Sample, type SampledStore } from '../questions/sample.ts';
import {
  statisticsOf,
  type AuthorCount,
  type Counts,
  type StatisticsStore,
  type YearAndAuthor,
} from '../questions/statistics.ts';
import type { Row } from './binding.ts';
import { toStoredBook } from './connection.ts';
import { count } from './count.ts';
import {
  allBooks,
  checkTimeIn,
  filterOf,
  isExact,
  isFullText,
  smallestSource,
  sourcesOf,
  type Source,
} from './filter.ts';
import { matchesIn, readBook } from './read-books.ts';
import type { QueryContext } from './reading.ts';
import { hasAtMost, sampleOf, wordsCheck } from './sample.ts';
import { asNumber, bookColumns, sortColumn } from './schema.ts';
import { spell } from './suggest.ts';

/** The numbers of books that are counted one by one, and of those in a round of a sample of more. */
export const statisticsLimits = { all: 500_000, matches: 100_000, sample: sampleSize };

const authorKey = sortColumn(authorField);
const byAuthor = `books INDEXED BY books_by_${authorField}`;
const byYear = `books INDEXED BY books_by_${yearField}`;

/** As `BookStore.statistics`. */
export function statistics(reading: QueryContext, filter: BookFilter, limits = statisticsLimits): Statistics {
  return runSync(statisticsOf(storeOf(reading, filter, limits), filter, limits.sample));
}

function storeOf(
  reading: QueryContext,
  filter: BookFilter,
  limits: typeof statisticsLimits,
): StatisticsStore {
  const { statements } = reading;
  const sources = sourcesOf(filter);
  const words = sources.find(isFullText);
  // The books of a number are many, and would have to be checked for other words.
  const others = sources.filter(
    (each) => !isFullText(each) && (words === undefined || each.checkIn === undefined),
  );
  const isDecidedByWords = words !== undefined && isExact(filter, words);
  // Without words, an index counts the books.
  const isCounted = !hasWords(filter);
  const { from, to } = filter.ranges[yearField] ?? { from: 0, to: 0 };
  const withoutYear = { ...filter, ranges: { [yearField]: { from: 0, to: 0 } } };
  let withWords = 0;
  const few = (sample: Sample<unknown> | undefined) => {
    // The full-text index takes long to find a frequent word; the sample shows whether these words are frequent.
    if (sample !== undefined) return withWords * sample.factor <= limits.matches ? words : undefined;
    if (!hasAtMost(statements, limits.matches)) return smallestSource(reading, others, limits.matches);
    return smallestSource(reading, sources, limits.matches / 20) ?? words ?? allBooks;
  };
  return {
    sampled: sampleWords(reading, filter, () => withWords++),
    spell: spell(statements, authorField),
    countFew(sample) {
      if (matchesEverything(filter))
        return sample === undefined && hasAtMost(statements, limits.all) ? countAll(reading) : undefined;
      const source = few(sample);
      return source && countIn(reading, filter, source);
    },
    count: () => (isCounted ? count(reading, filter) : undefined),
    countWithoutYear: () => (isCounted && from <= 0 && to >= 0 ? count(reading, withoutYear) : undefined),
    nextYear: (...range) => nextYear(reading, filter, ...range),
    countsTogether: isDecidedByWords,
    countAuthors: (of, keys) =>
      isDecidedByWords && of === filter
        ? countAuthorsOf(reading, of, words, keys)
        : keys.map((key) => [key, countAuthor(reading, of, key)] as const),
  };
}

/** Reads only the indexes. */
function countAll({ statements, checkTime }: QueryContext): Counts {
  checkTime();
  const check = checkTimeIn(allBooks);
  const years = statements.rows(
    `SELECT CAST(${yearField} AS REAL), count(*) FROM ${byYear} WHERE ${check} GROUP BY ${yearField}`,
  );
  checkTime();
  const authors = statements.rows(
    `SELECT ${authorKey}, count(*) AS number FROM ${byAuthor} WHERE ${authorKey} > '' AND ${check}
     GROUP BY ${authorKey} ORDER BY number DESC, ${authorKey} LIMIT ?`,
    maxAuthors,
  );
  return { years: summarizeYears(years.map(toYear)), authors: authors.map(toAuthor) };
}

/** Counts all matching books of a source: in SQLite, or one by one if they must be checked. */
function countIn(reading: QueryContext, filter: BookFilter, source: Source): Counts {
  const { statements, checkTime } = reading;
  const { where, values } = filterOf(filter, source);
  const from = `${source.from} WHERE ${where}`;
  if (isExact(filter, source)) {
    checkTime();
    const rows = statements.rows(
      `WITH found AS MATERIALIZED (
         SELECT books.${yearField} AS year, books.${authorKey} AS author FROM ${from} AND ${checkTimeIn(source)}
       )
       SELECT CAST(year AS REAL), count(*) FROM found GROUP BY year
       UNION ALL SELECT * FROM (
         SELECT author, count(*) AS number FROM found WHERE author > '' GROUP BY author ORDER BY number DESC, author LIMIT ?
       )`,
      ...values,
      maxAuthors,
    );
    const isYear = ([value]: Row) => typeof value === 'number';
    return {
      years: summarizeYears(rows.filter(isYear).map(toYear)),
      authors: rows.filter((row) => !isYear(row)).map(toAuthor),
    };
  }
  const found = new BookTally();
  for (const book of matchesIn(reading, { ...source, where, values }, filter)) found.add(book);
  return { years: summarizeYears(found.years), authors: found.authors };
}

/** @param onWords Called for each book of the sample that has the words of the filter, whatever else it asks for. */
function sampleWords(
  reading: QueryContext,
  filter: BookFilter,
  onWords: () => void,
): SampledStore<YearAndAuthor> {
  const [check, checked] = wordsCheck(filter);
  const { where, values } = filterOf({ ...filter, words: [] }, allBooks);
  const columns = `${check}, ${where || 'true'}, CAST(${yearField} AS REAL), ${authorKey}, ${asNumber('id')}`;
  const onlyWords = { ...filter, texts: {}, ranges: {} };
  return sampleOf(
    reading,
    [columns, [...checked, ...values]],
    ([hasWords, isOther, year, key, id = null]: Row): YearAndAuthor | undefined => {
      const book = hasWords === null ? readBook(reading.statements, id) : undefined;
      if (hasWords === 0 || (hasWords === null && !(book && matches(onlyWords, book)))) return undefined;
      onWords();
      const isMatch = isOther === 1 && (book === undefined || matches(filter, book));
      return isMatch ? [Number(year), String(key ?? '')] : undefined;
    },
  );
}

/** The year of the first matching book of a range, if it comes soon. */
function nextYear(
  { statements }: QueryContext,
  filter: BookFilter,
  from: number,
  to: number,
  direction: 1 | -1,
): number | undefined {
  const order = direction === 1 ? 'ASC' : 'DESC';
  const sql = `SELECT ${bookColumns} FROM ${byYear} WHERE ${yearField} BETWEEN ? AND ? ORDER BY ${yearField} ${order} LIMIT ?`;
  for (const row of statements.each(sql, from, to, wantedMatches)) {
    const book = toStoredBook(row);
    if (book !== undefined && matches(filter, book)) return book[yearField];
  }
  return undefined;
}

/** The exact numbers of matching books of authors, where the full-text index decides about words. */
function countAuthorsOf(
  reading: QueryContext,
  filter: BookFilter,
  words: Source,
  keys: readonly string[],
): AuthorCount[] {
  // The ids of all books with the words are collected once, and the indexes alone are read. The plus sign keeps SQLite from looking
  // up each of these ids for each author.
  const where = `${authorKey} IN (SELECT value FROM json_each(?)) AND +books.id IN (SELECT rowid FROM words WHERE ${words.where})`;
  const source = { from: byAuthor, where, values: [JSON.stringify(keys), ...words.values] };
  const others = filterOf(filter, source);
  const rows = reading.statements.rows(
    `SELECT ${authorKey}, count(*) FROM ${byAuthor} WHERE ${others.where} AND ${checkTimeIn(source)} GROUP BY ${authorKey}`,
    ...others.values,
  );
  const counts = new Map(rows.map(toAuthor));
  return keys.map((key) => [key, counts.get(key) ?? 0] as const);
}

/** The exact number of matching books of an author: in SQLite, but for books that must be checked. */
function countAuthor({ statements, checkTime }: QueryContext, filter: BookFilter, key: string): number {
  checkTime();
  const source = { from: byAuthor, where: `${authorKey} = ?`, values: [key] };
  // The words are checked below, numbers among them: their source would collect its books anew for each author.
  const { where, values } = filterOf({ ...filter, words: [] }, source);
  const from = `${byAuthor} WHERE ${where} AND ${checkTimeIn(source)}`;
  if (!hasWords(filter)) return statements.number(`SELECT count(*) FROM ${from}`, ...values);
  const [check, checked] = wordsCheck(filter);
  const [sure, unsure] =
    statements.row(
      `WITH found AS MATERIALIZED (SELECT id, ${check} AS isFound FROM ${from})
       SELECT total(isFound), json_group_array(id) FILTER (WHERE isFound IS NULL) FROM found`,
      ...checked,
      ...values,
    ) ?? [];
  const ids = JSON.parse(String(unsure)) as number[];
  const isMatch = (id: number) => {
    checkTime();
    const book = readBook(statements, id);
    return book !== undefined && matches(filter, book);
  };
  return Number(sure) + ids.filter(isMatch).length;
}

const toYear = ([year, books]: Row) => [Number(year), Number(books)] as const;
const toAuthor = ([key, books]: Row) => [String(key), Number(books)] as const;
