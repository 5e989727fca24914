// Reads a sample of the books, and checks words without leaving SQLite where the stored keys decide.
import { searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import { isWholeKey, textKey } from '../../catalogue/keyset-position.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import { isEnough, sampleRounds, sampleSize } from '../contract/sample.ts';
import type { Row, Value } from './binding.ts';
import type { Statements } from './connection.ts';
import type { Reading } from './reading.ts';
import { asNumber, maxIdSql, sortColumn } from './schema.ts';

/** What was found in a sample. */
export interface Sample<Found> {
  readonly found: Found[];
  /** The number of all books for each of these. */
  readonly factor: number;
}

/**
 * Reads books of a sample until there are enough; a small catalogue as a whole.
 *
 * @param columns What it reads of `books`, as SQL, and the values of its parameters.
 * @param select Returns what to keep of a row, if anything.
 * @param wanted The number of rows to keep.
 */
export function readSample<Found>(
  { statements, checkTime }: Reading,
  [columns, values]: readonly [sql: string, values: readonly Value[]],
  select: (row: Row) => Found | undefined,
  wanted: number,
  size = sampleSize,
): Sample<Found> {
  const all = {
    first: statements.number(`SELECT ${asNumber('id')} FROM books ORDER BY id LIMIT 1`),
    last: statements.number(maxIdSql),
  };
  const sql = `SELECT ${columns} FROM books NOT INDEXED WHERE id BETWEEN ? AND ?`;
  const found: Found[] = [];
  let [books, factor] = [0, 1];
  // Most books of a large range of ids may be deleted.
  const rounds = hasAtMost(statements, size) ? [{ ranges: [all], factor: 1 }] : sampleRounds(all, size);
  for (const round of rounds) {
    factor = round.factor;
    for (const { first, last } of round.ranges) {
      checkTime();
      for (const row of statements.rows(sql, ...values, first, last)) {
        books++;
        const each = select(row);
        if (each !== undefined) found.push(each);
      }
    }
    if (isEnough(books, found.length, wanted, size)) break;
  }
  if (2 * books >= size || factor === 1) return { found, factor };
  // Some ids are far away from the others: the first books stand for all.
  const first = statements.rows(`${sql} ORDER BY id LIMIT ?`, ...values, all.first, all.last, size);
  const count = statements.number('SELECT count(*) FROM books');
  return { found: first.flatMap((row) => select(row) ?? []), factor: count / Math.max(1, first.length) };
}

/** Whether there are at most so many books. */
export function hasAtMost(statements: Statements, most: number): boolean {
  return statements.number('SELECT count(*) FROM (SELECT 1 FROM books LIMIT ?)', most + 1) <= most;
}

/** Whether the keys have all words of the searched texts: they are not cut, and search reads the whole texts. */
const areWhole = searchedFields
  .map((name) => `typeof(${name}) = 'text' AND length(${name}) < 30000 AND length(${sortColumn(name)}) < 240`)
  .join(' AND ');
/** Whether the texts have no further forms of words: they are in ASCII, without apostrophes. */
const arePlain = searchedFields.map((name) => `${name} NOT GLOB '*[^ -&(-_a-~]*'`).join(' AND ');

/**
 * SQL for whether a book has the words of a filter: 1, 0, or NULL where `matches` must decide, also about texts that are longer
 * than their keys. Every form of a word is a part of the word as the key has it.
 */
export function wordsCheck({
  words,
  fieldWords,
  texts,
}: BookFilter): readonly [sql: string, values: readonly Value[]] {
  const keyOf = (names: readonly SearchedField[]) =>
    names.map((name) => `' ' || ${sortColumn(name)}`).join(' || ');
  const terms = [
    ...words.map((word) => [keyOf(searchedFields), word] as const),
    ...searchedFields.flatMap((name) =>
      (fieldWords[name] ?? []).map((word) => [keyOf([name]), word] as const),
    ),
  ];
  if (!Object.values(texts).every((text) => isWholeKey(textKey(text)))) return ['NULL', []];
  if (terms.length === 0) return ['1', []];
  const eachHas = terms.map(([key]) => `instr(${key}, ?) > 0`).join(' AND ');
  const sql = `CASE WHEN ${areWhole} THEN CASE WHEN ${eachHas} THEN 1 WHEN NOT (${eachHas}) OR (${arePlain}) THEN 0 END END`;
  return [sql, [...terms.map(([, word]) => ` ${word}`), ...terms.map(([, word]) => word)]];
}
