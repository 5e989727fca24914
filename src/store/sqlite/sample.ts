// Reads a sample of the books, and checks words without leaving SQLite where the stored keys decide.
import { indexedIntegers, searchedFields, type SearchedField } from '../../catalogue/fields.ts';
import { isNumber, withoutSign } from '../../catalogue/words.ts';
import type { BookFilter } from '../../catalogue/query.ts';
import type { SampledPart, SampledStore } from '../questions/sample.ts';
import type { Row, Value } from './binding.ts';
import type { Statements } from './connection.ts';
import type { QueryContext } from './reading.ts';
import { asNumber, sortColumn } from './schema.ts';

/**
 * A sample of the books, for `takeSample`.
 *
 * @param columns What it reads of `books`, as SQL, and the values of its parameters.
 * @param select Returns what to keep of a row, if anything.
 */
export function sampleOf<Found>(
  { statements, checkTime }: QueryContext,
  [columns, values]: readonly [sql: string, values: readonly Value[]],
  select: (row: Row) => Found | undefined,
): SampledStore<Found> {
  const sql = `SELECT ${columns} FROM books NOT INDEXED`;
  const toPart = (rows: readonly Row[]): SampledPart<Found> => {
    checkTime();
    return { books: rows.length, found: rows.map(select).filter((each) => each !== undefined) };
  };
  return {
    count: (most) => count(statements, most),
    nextId(place, direction) {
      const [which, order] = direction === 1 ? ['>=', 'ASC'] : ['<=', 'DESC'];
      const sql = `SELECT ${asNumber('id')} FROM books WHERE id ${which} ? ORDER BY id ${order} LIMIT 1`;
      return Number(statements.row(sql, place)?.[0] ?? NaN) || undefined;
    },
    read(ranges) {
      const parts = ranges.map(({ first, last }) =>
        toPart(statements.rows(`${sql} WHERE id BETWEEN ? AND ?`, ...values, first, last)),
      );
      return {
        books: parts.reduce((sum, { books }) => sum + books, 0),
        found: parts.flatMap(({ found }) => found),
      };
    },
    readFirst: (most = -1) => toPart(statements.rows(`${sql} ORDER BY id LIMIT ?`, ...values, most)),
  };
}

/** Whether there are at most so many books. */
export function hasAtMost(statements: Statements, most: number): boolean {
  return count(statements, most + 1) <= most;
}

function count(statements: Statements, most = -1): number {
  return statements.number('SELECT count(*) FROM (SELECT 1 FROM books LIMIT ?)', most);
}

/** Whether the keys have all words of the searched texts: they are not cut, and search reads the whole texts. */
const areWhole = searchedFields
  .map((name) => `typeof(${name}) = 'text' AND length(${name}) < 30000 AND length(${sortColumn(name)}) < 240`)
  .join(' AND ');
/**
 * Whether the texts have no further forms of words: they are in ASCII, without apostrophes, full stops, hyphens, signs, and particles
 * of names.
 */
const arePlain = ['*[^ !"$%()*,/-_a-~]*', '*[ADELM][aceilou] [A-Z]*', '*[DMSTV][aeo][clnrs] [A-Z]*']
  .flatMap((pattern) => searchedFields.map((name) => `${name} NOT GLOB '${pattern}'`))
  .join(' AND ');

/** SQL for whether an integer of a book is a number, as an alternative. */
const numberCheck = (word: string) => indexedIntegers.map((name) => ` OR ${name} = ${word}`).join('');

/**
 * SQL for whether a book has the words of a filter: 1, 0, or NULL where `matches` must decide: about texts that are longer than
 * their keys, and those with further forms of words.
 */
export function wordsCheck({
  words,
  fieldWords,
}: BookFilter): readonly [sql: string, values: readonly Value[]] {
  const keyOf = (names: readonly SearchedField[]) =>
    names.map((name) => `' ' || ${sortColumn(name)}`).join(' || ');
  const terms = [
    ...words.map(
      (term) => [keyOf(searchedFields), term, term.filter(isNumber).map(numberCheck).join('')] as const,
    ),
    ...searchedFields.flatMap((name) =>
      (fieldWords[name] ?? []).map((term) => [keyOf([name]), term, ''] as const),
    ),
  ];
  if (terms.length === 0) return ['1', []];
  const eachHas = terms.map(
    ([key, term, orNumber]) => `(false${term.map(() => ` OR instr(${key}, ?) > 0`).join('')}${orNumber})`,
  );
  const sql = `CASE WHEN ${areWhole} THEN CASE WHEN ${eachHas.join(' AND ')} THEN 1 WHEN ${arePlain} THEN 0 END END`;
  return [sql, terms.flatMap(([, term]) => term.map((word) => ` ${withoutSign(word)}`))];
}
