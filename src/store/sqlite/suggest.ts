// Suggestions: a sample of the books decides which values are counted.
import { fieldNames, type SuggestedField } from '../../catalogue/fields.ts';
import { hasWords, haveStarts, matches, type BookFilter } from '../../catalogue/query.ts';
import {
  rankKeys,
  commonSpelling,
  countKeys,
  maxSpellings,
  type KeyCount,
  type Suggestion,
} from '../../catalogue/suggestion.ts';
import { searchTerms } from '../../catalogue/words.ts';
import type { Row } from './binding.ts';
import { toStoredBook, toText, type Statements } from './connection.ts';
import { isExactMatch, matchExpression } from './filter.ts';
import type { Reading } from './reading.ts';
import { asNumber, bookColumns, maxIdSql, sortColumn } from './schema.ts';

/** Up to this number of books, all of them determine the candidates; beyond it, a sample does. */
const maxWhole = 50_000;
/** The sample of a larger catalogue: runs of consecutive ids, spread over all ids. */
const sampleRuns = 125;
const maxRunLength = 40;
/** With at least this number of matches in the sample, no other books are read. */
const minSampled = 250;
/** The approximate number of matches that are read. Of more, an even selection is read. */
const maxMatches = 1500;
/** With fewer books that have all words, among those read for the rarest one, the index is asked for all words. */
const minSelected = 50;
/** Spreads consecutive integers over the range of 32 bits: 2 ** 32 divided by the golden ratio. */
const hashFactor = 2_654_435_761;
/** The number of values whose books are counted. */
const maxCandidates = 40;

/**
 * As `BookStore.suggest`: finds the values that probably are the most frequent ones, then counts the books of each.
 *
 * @param filter The words that the values must have.
 */
export function suggest(
  reading: Reading,
  name: SuggestedField,
  filter: BookFilter,
  limit: number,
): Suggestion[] {
  const sql = `SELECT count(*) FROM books INDEXED BY books_by_${name} WHERE ${sortColumn(name)} = ?`;
  const { statements, checkTime } = reading;
  const candidates = isLarge(statements) ? likelyKeys(reading, name, filter) : allKeys(reading, name, filter);
  const counted = candidates.slice(0, Math.max(maxCandidates, limit)).map(({ key }) => {
    checkTime();
    return [key, statements.number(sql, key)] as const;
  });
  return rankKeys(counted, limit).map(({ key, count }) => ({
    value: spellingOf(statements, name, key),
    count,
  }));
}

/** Whether there are more than {@link maxWhole} books. The highest id is not enough: most books may be deleted. */
function isLarge(statements: Statements): boolean {
  if (statements.number(maxIdSql) <= maxWhole) return false;
  return statements.number('SELECT count(*) FROM (SELECT 1 FROM books LIMIT ?)', maxWhole + 1) > maxWhole;
}

/** The keys of the matching books, most frequent ones first. */
function allKeys({ statements, checkTime }: Reading, name: SuggestedField, filter: BookFilter): KeyCount[] {
  const key = `books.${sortColumn(name)}`;
  if (!hasWords(filter)) {
    const sql = `SELECT ${key} FROM books INDEXED BY books_by_${name} WHERE ${key} > ''`;
    return countKeys(statements.rows(sql).map(keyOf));
  }
  const from = 'words CROSS JOIN books ON books.id = words.rowid WHERE words MATCH ?';
  const expression = matchExpression(filter);
  if (isExactMatch(filter))
    return countKeys(statements.rows(`SELECT ${key} FROM ${from}`, expression).map(keyOf));
  const keys: string[] = [];
  for (const row of statements.each(`SELECT ${bookColumns}, ${key} FROM ${from}`, expression)) {
    checkTime();
    const book = toStoredBook(row);
    if (book !== undefined && matches(filter, book)) keys.push(keyOf(row.slice(1 + fieldNames.length)));
  }
  return countKeys(keys);
}

/** As above for a large catalogue, from a sample of its books or of the matches. */
function likelyKeys(reading: Reading, name: SuggestedField, filter: BookFilter): KeyCount[] {
  const starts = filter.fieldWords[name] ?? [];
  const { keys: sample, booksPerKey } = sampleKeys(reading, name);
  const sampled = sample.filter((key) => hasStarts(key, starts));
  if (starts.length === 0 || sampled.length >= minSampled) return countKeys(sampled);
  const frequencyOf = (some: readonly string[]) => sample.filter((key) => hasStarts(key, some)).length;
  const select = (some: readonly string[]) => {
    reading.checkTime();
    return selectKeys(reading.statements, name, some, starts, frequencyOf(some) * booksPerKey);
  };
  if (starts.length === 1) return countKeys(select(starts));
  // Reading books with the rarest word takes less time than finding those with all words in the index.
  const rarest = starts
    .map((start) => ({ start, frequency: frequencyOf([start]) }))
    .sort((a, b) => a.frequency - b.frequency);
  const keys = select(rarest.slice(0, 1).map(({ start }) => start));
  return countKeys(keys.length >= minSelected ? keys : select(starts));
}

/** Whether a key has these starts of words. It does not show the parts of words, which the index contains, too. */
function hasStarts(key: string, starts: readonly string[]): boolean {
  return starts.every((start) => key.startsWith(start) || key.includes(` ${start}`));
}

/**
 * Reads an even selection of the books with some starts of words; returns the keys of those with all starts.
 *
 * @param estimate About how many books have the first ones.
 */
function selectKeys(
  statements: Statements,
  name: SuggestedField,
  some: readonly string[],
  all: readonly string[],
  estimate: number,
): string[] {
  // Hashed ids spread the selection even if books repeat at regular distances, as imports make them.
  const rows = statements.rows(
    `SELECT books.${sortColumn(name)}, books.${name} FROM words CROSS JOIN books ON books.id = words.rowid
     WHERE words MATCH ? AND (words.rowid & 2147483647) * ${hashFactor} & 4294967295 < ? LIMIT ?`,
    matchExpression({ words: [], fieldWords: { [name]: some } }),
    Math.round(2 ** 32 * Math.min(1, maxMatches / Math.max(1, estimate))),
    2 * maxMatches,
  );
  const decided = new Map<string, boolean>(); // Many books have the same author.
  const isMatch = (row: Row) => {
    const text = toText(row[1] ?? null);
    const found = decided.get(text) ?? (hasStarts(keyOf(row), all) || haveStarts(searchTerms(text), all));
    decided.set(text, found);
    return found;
  };
  return rows.filter(isMatch).map(keyOf);
}

/** Keys of runs of books, and how many books there are for each. */
function sampleKeys(
  { statements, checkTime }: Reading,
  name: SuggestedField,
): { keys: string[]; booksPerKey: number } {
  const lastId = statements.number(maxIdSql);
  const sql = `SELECT ${sortColumn(name)}, ${asNumber('id')} FROM books NOT INDEXED WHERE id >= ? ORDER BY id LIMIT ?`;
  const part = Math.floor(lastId / sampleRuns);
  const keys: string[] = [];
  let [next, readIds] = [1, 0];
  for (let run = 0; run < sampleRuns; run++) {
    checkTime();
    // Each run starts elsewhere in its part, because imports may repeat at regular distances.
    const offset = ((run * hashFactor) % 2 ** 32) % (part - maxRunLength);
    const start = Math.max(next, 1 + run * part + offset); // After a gap, the previous run may have read further.
    const rows = statements.rows(sql, start, maxRunLength);
    keys.push(...rows.map(keyOf));
    next = Number(rows.at(-1)?.[1] ?? lastId) + 1;
    readIds += next - start;
  }
  return { keys, booksPerKey: lastId / Math.max(1, readIds) };
}

function keyOf([key]: Row): string {
  return typeof key === 'string' ? key : '';
}

/** The usual spelling of the texts with a key. */
export function spellingOf(statements: Statements, name: SuggestedField, key: string): string {
  const rows = statements.rows(
    `SELECT ${name} FROM books INDEXED BY books_by_${name} WHERE ${sortColumn(name)} = ? ORDER BY id LIMIT ?`,
    key,
    maxSpellings,
  );
  return commonSpelling(rows.map(([value = null]) => toText(value)));
}
