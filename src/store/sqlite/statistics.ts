// Statistics: counted by SQLite where an index leads to few enough books, estimated from a sample of the others.
import type { Book } from '../../catalogue/book.ts';
import { hasWords, matches, matchesEverything, toFilter, type BookFilter } from '../../catalogue/query.ts';
import {
  authorField,
  BookTally,
  maxAuthors,
  summarizeYears,
  yearField,
  type Statistics,
  type YearSummary,
} from '../../catalogue/statistics.ts';
import { countKeys, rankKeys, type KeyCount } from '../../catalogue/suggestion.ts';
import { maxCandidates, sampleSize, wantedMatches } from '../contract/sample.ts';
import type { Row, Value } from './binding.ts';
import { toStoredBook, type Statements } from './connection.ts';
import { count } from './count.ts';
import {
  allBooks,
  checkIn,
  filterOf,
  isExact,
  isFullText,
  smallestSource,
  sourcesOf,
  type Source,
} from './filter.ts';
import type { Reading } from './reading.ts';
import { hasAtMost, readSample, wordsCheck, type Sample } from './sample.ts';
import { asNumber, bookColumns, sortColumn } from './schema.ts';
import { spellingOf } from './suggest.ts';

/** The numbers of books that are counted one by one, and of those in a round of a sample of more. */
export const statisticsLimits = { all: 500_000, matches: 100_000, sample: sampleSize };

interface Counts {
  readonly years: YearSummary;
  /** The most frequent ones, at least. */
  readonly authors: Iterable<AuthorCount>;
}

type AuthorCount = readonly [key: string, count: number];
type Years = Statistics['years'];

const authorKey = sortColumn(authorField);
const byAuthor = `books INDEXED BY books_by_${authorField}`;
const byYear = `books INDEXED BY books_by_${yearField}`;
const maxYear = Number.MAX_SAFE_INTEGER;
const everything = toFilter({});

/** As `BookStore.statistics`. */
export function statistics(reading: Reading, filter: BookFilter, limits = statisticsLimits): Statistics {
  const [{ years, authors }, estimated] = matchesEverything(filter)
    ? summarizeAll(reading, filter, limits)
    : summarizeMatches(reading, filter, limits);
  return {
    ...years,
    authors: rankKeys(authors, maxAuthors).map(({ key, count: books }) => ({
      author: spellingOf(reading.statements, authorField, key),
      count: books,
    })),
    estimated,
  };
}

type Counted = [counts: Counts, estimated: boolean];

/** Reads only the indexes. */
function summarizeAll(
  reading: Reading,
  filter: BookFilter,
  { all, sample }: typeof statisticsLimits,
): Counted {
  const { statements, checkTime } = reading;
  if (!hasAtMost(statements, all))
    return [estimate(reading, filter, findInSample(reading, filter, wantedMatches, sample)), true];
  checkTime();
  const check = checkIn(allBooks);
  const years = statements.rows(
    `SELECT CAST(${yearField} AS REAL), count(*) FROM ${byYear} WHERE ${check} GROUP BY ${yearField}`,
  );
  checkTime();
  const authors = statements.rows(
    `SELECT ${authorKey}, count(*) AS number FROM ${byAuthor} WHERE ${authorKey} > '' AND ${check}
     GROUP BY ${authorKey} ORDER BY number DESC, ${authorKey} LIMIT ?`,
    maxAuthors,
  );
  return [{ years: summarizeYears(years.map(toYear)), authors: authors.map(toAuthor) }, false];
}

function summarizeMatches(reading: Reading, filter: BookFilter, limits: typeof statisticsLimits): Counted {
  const sources = sourcesOf(filter);
  const words = sources.find(isFullText);
  const exactly = (source: Source): Counted => [countIn(reading, filter, source), false];
  if (hasAtMost(reading.statements, limits.matches))
    return exactly(smallestSource(reading, sources, limits.matches / 20) ?? words ?? allBooks);
  const others = sources.filter((each) => !isFullText(each));
  const smallest = smallestSource(reading, others, limits.matches);
  if (smallest !== undefined) return exactly(smallest);
  // The full-text index takes long to find a frequent word; the sample shows whether these words are frequent.
  let sample = findInSample(reading, filter, 0, limits.sample);
  if (words !== undefined && sample.withWords * sample.factor <= limits.matches) return exactly(words);
  if (sample.found.length < wantedMatches)
    sample = findInSample(reading, filter, wantedMatches, limits.sample);
  return [estimate(reading, filter, sample), true];
}

/** Counts all matching books of a source: in SQLite, or one by one if they must be checked. */
function countIn({ statements, checkTime }: Reading, filter: BookFilter, source: Source): Counts {
  const { where, values } = filterOf(filter, source);
  const from = `${source.from} WHERE ${where}`;
  if (isExact(filter, source)) {
    checkTime();
    const rows = statements.rows(
      `WITH found AS MATERIALIZED (
         SELECT books.${yearField} AS year, books.${authorKey} AS author FROM ${from} AND ${checkIn(source)}
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
  for (const row of statements.each(`SELECT ${bookColumns} FROM ${from}`, ...values)) {
    checkTime();
    const book = toStoredBook(row);
    if (book !== undefined && matches(filter, book)) found.add(book);
  }
  return { years: summarizeYears(found.years), authors: found.authors };
}

interface FoundInSample extends Sample<readonly [year: number, authorKey: string]> {
  /** The number of books of the sample that have the words of the filter, whatever else it asks for. */
  readonly withWords: number;
}

function findInSample(reading: Reading, filter: BookFilter, wanted: number, size: number): FoundInSample {
  const [check, checked] = wordsCheck(filter);
  const { where, values } = filterOf(filter, allBooks);
  const columns = `${check}, ${where || 'true'}, CAST(${yearField} AS REAL), ${authorKey}, ${asNumber('id')}`;
  let withWords = 0;
  const select = ([hasWords, isOther, year, key, id = null]: Row) => {
    const book = hasWords === null ? readBook(reading.statements, id) : undefined;
    if (
      hasWords === 0 ||
      (hasWords === null && !(book && matches({ ...filter, texts: {}, ranges: {} }, book)))
    )
      return undefined;
    withWords++;
    const isMatch = isOther === 1 && (book === undefined || matches(filter, book));
    return isMatch ? ([Number(year), String(key ?? '')] as const) : undefined;
  };
  const sample = readSample(reading, [columns, [...checked, ...values]], select, wanted, size);
  return { ...sample, withWords };
}

/** Scales a sample; counts its most frequent authors in the index. */
function estimate(reading: Reading, filter: BookFilter, { found, factor }: FoundInSample): Counts {
  // Without words, an index counts the books.
  const total = hasWords(filter) ? found.length * factor : count(reading, filter);
  const sampled = found.map(([year]) => [year, 1] as const);
  const summary = summarizeYears(sampled, total / Math.max(1, found.length));
  const years = { ...summary.years, ...rangeOfYears(reading, filter, summary.years) };
  const likely = countKeys(found.map(([, key]) => key)).slice(0, maxCandidates);
  return { years: { ...summary, years }, authors: countAuthors(reading, filter, likely) };
}

function readBook(statements: Statements, id: Value): Book | undefined {
  const row = statements.row(`SELECT ${bookColumns} FROM books WHERE id = ?`, id);
  return row && toStoredBook(row);
}

/** The range of the years, as far as their index shows it soon; and without words, the number of books that have none. */
function rangeOfYears(reading: Reading, filter: BookFilter, sampled: Years): Partial<Years> {
  const asked = filter.ranges[yearField] ?? { from: -maxYear, to: maxYear };
  const end = (from: number, to: number, direction: 'ASC' | 'DESC') =>
    firstYear(reading, filter, Math.max(from, asked.from), Math.min(to, asked.to), direction);
  const ends = [
    end(-maxYear, -1, 'ASC') ?? end(1, maxYear, 'ASC'),
    end(1, maxYear, 'DESC') ?? end(-maxYear, -1, 'DESC'),
    sampled.first,
    sampled.last,
  ].filter((year) => typeof year === 'number');
  const range = ends.length === 0 ? {} : { first: Math.min(...ends), last: Math.max(...ends) };
  if (hasWords(filter) || asked.from > 0 || asked.to < 0) return range;
  return { ...range, without: count(reading, { ...filter, ranges: { [yearField]: { from: 0, to: 0 } } }) };
}

/** The year of the first matching book of a range, if it comes soon. */
function firstYear(
  { statements }: Reading,
  filter: BookFilter,
  from: number,
  to: number,
  direction: 'ASC' | 'DESC',
): number | undefined {
  const sql = `SELECT ${bookColumns} FROM ${byYear} WHERE ${yearField} BETWEEN ? AND ? ORDER BY ${yearField} ${direction} LIMIT ?`;
  for (const row of statements.each(sql, from, to, wantedMatches)) {
    const book = toStoredBook(row);
    if (book !== undefined && matches(filter, book)) return book[yearField];
  }
  return undefined;
}

/** The exact numbers of books of the most frequent of some authors. */
function countAuthors(reading: Reading, filter: BookFilter, likely: readonly KeyCount[]): AuthorCount[] {
  const totals = likely.map(({ key }) => [key, countAuthor(reading, everything, key)] as const);
  if (matchesEverything(filter)) return totals;
  const best: AuthorCount[] = [];
  for (const [key, total] of totals) {
    // Whoever has fewer books than these have matches is not among them.
    const least = rankKeys(best, maxAuthors)[maxAuthors - 1]?.count ?? 0;
    if (total >= least) best.push([key, countAuthor(reading, filter, key)]);
  }
  return best;
}

/** The exact number of matching books of an author: in SQLite, but for books that must be checked. */
function countAuthor({ statements, checkTime }: Reading, filter: BookFilter, key: string): number {
  checkTime();
  const source = { from: byAuthor, where: `${authorKey} = ?`, values: [key] };
  const { where, values } = filterOf(filter, source);
  const from = `${byAuthor} WHERE ${where} AND ${checkIn(source)}`;
  if (isExact(filter, source)) return statements.number(`SELECT count(*) FROM ${from}`, ...values);
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
