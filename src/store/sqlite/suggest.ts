// Suggestions: a sample of the books decides which values are counted.
import type { SuggestedField } from '../../catalogue/fields.ts';
import { haveStarts, type BookFilter } from '../../catalogue/query.ts';
import { commonSpelling, maxSpellings, type Suggestion } from '../../catalogue/suggestion.ts';
import { searchTerms, type Term } from '../../catalogue/words.ts';
import { runSync } from '../../lib/gensync.ts';
import { fewMatches, firstMatches, takeSample } from '../questions/sample.ts';
import { suggestOf } from '../questions/statistics.ts';
import type { Row } from './binding.ts';
import { toText, type Statements } from './connection.ts';
import { matchExpression } from './filter.ts';
import type { QueryContext } from './reading.ts';
import { sampleOf } from './sample.ts';
import { sortColumn } from './schema.ts';

/**
 * As `BookStore.suggest`: finds the values that probably are the most frequent ones, then counts the books of each.
 *
 * @param filter The words that the values must have.
 */
export function suggest(
  reading: QueryContext,
  name: SuggestedField,
  filter: BookFilter,
  limit: number,
  sampleSize?: number,
): Suggestion[] {
  const { statements, checkTime } = reading;
  const sql = `SELECT count(*) FROM books INDEXED BY books_by_${name} WHERE ${sortColumn(name)} = ?`;
  const count = (keys: readonly string[]) =>
    keys.map((key) => {
      checkTime();
      return [key, statements.number(sql, key)] as const;
    });
  const found = findKeys(reading, name, filter.fieldWords[name] ?? [], sampleSize);
  return runSync(suggestOf(found, limit, count, spell(statements, name)));
}

/** The keys of matching books: those of a sample, and if these are few, the first ones of the full-text index. */
function findKeys(
  reading: QueryContext,
  name: SuggestedField,
  starts: readonly Term[],
  sampleSize?: number,
): string[] {
  if (starts.some((term) => term.length === 0)) return [];
  const columns = `books.${sortColumn(name)}, books.${name}`;
  const sample = takeSample(
    sampleOf(reading, [columns, []], (row) => row),
    0,
    sampleSize,
  );
  const { found: rows, factor } = runSync(sample);
  const decided = new Map<string, boolean>(); // Many books have the same author.
  const isMatch = (row: Row) => {
    const text = toText(row[1] ?? null);
    const found =
      decided.get(text) ?? (hasStarts(keyOf(row), starts) || haveStarts(searchTerms(text), starts));
    decided.set(text, found);
    return found;
  };
  const keys = rows.filter(isMatch).map(keyOf);
  if (factor === 1 || starts.length === 0 || keys.length >= fewMatches) return keys;
  reading.checkTime();
  const first = reading.statements.rows(
    `SELECT ${columns} FROM words CROSS JOIN books ON books.id = words.rowid WHERE words MATCH ? LIMIT ?`,
    matchExpression({ words: [], fieldWords: { [name]: rareOf(starts, rows.map(keyOf)) } }),
    firstMatches,
  );
  return [...keys, ...first.filter(isMatch).map(keyOf)];
}

/** The words that few keys of a sample have, or else the rarest: the index takes long to find a frequent one. */
function rareOf(starts: readonly Term[], keys: readonly string[]): Term[] {
  const counted = starts
    .map((start) => ({ start, count: keys.filter((key) => hasStarts(key, [start])).length }))
    .sort((a, b) => a.count - b.count);
  return counted.filter(({ count }, i) => i === 0 || count < fewMatches).map(({ start }) => start);
}

/** Whether a key has these starts of words. It does not show the parts of words, which the index contains, too. */
function hasStarts(key: string, starts: readonly Term[]): boolean {
  return starts.every((term) => term.some((start) => key.startsWith(start) || key.includes(` ${start}`)));
}

function keyOf([key]: Row): string {
  return typeof key === 'string' ? key : '';
}

/** The usual spellings of the texts with some keys. */
export function spell(statements: Statements, name: SuggestedField) {
  const sql = `SELECT ${name} FROM books INDEXED BY books_by_${name} WHERE ${sortColumn(name)} = ? ORDER BY id LIMIT ?`;
  return (keys: readonly string[]): string[] =>
    keys.map((key) => {
      const rows = statements.rows(sql, key, maxSpellings);
      return commonSpelling(rows.map(([value = null]) => toText(value)));
    });
}
