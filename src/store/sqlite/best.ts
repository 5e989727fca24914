// A page in the order by fitness.
import { fitnessOf, maxCompared, type FitnessWords } from '../../catalogue/fitness.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { matches, type BookFilter } from '../../catalogue/query.ts';
import { runSteps } from '../../lib/steps.ts';
import { findBest, type FitnessStore, type KeyRange } from '../contract/best.ts';
import type { Page } from '../contract/page.ts';
import { toStoredBook, toText } from './connection.ts';
import {
  allBooks,
  checkTimeIn,
  countedFrom,
  filterOf,
  isExact,
  orderOf,
  smallestSource,
  sourcesOf,
  type Source,
} from './filter.ts';
import type { Reading } from './reading.ts';
import { asNumber, bookColumns, sortColumn } from './schema.ts';

/** @param most As `findBest`. */
export function findByFitness(
  reading: Reading,
  filter: BookFilter & { readonly best: FitnessWords },
  limit: number,
  after: KeysetPosition | undefined,
  most?: number,
): Page {
  return runSteps(
    findBest(storeOf(reading, { ...filter, best: undefined }, filter.best), filter.best, limit, after, most),
  );
}

const inTitles = `books INDEXED BY books_by_title`;
const inRange = `${sortColumn('title')} >= ? AND ${sortColumn('title')} < ?`;

/** The places of the books of a source that decides alone. One call takes half the time of one for each row. */
function placesAtOnce(
  { statements, checkTime }: Reading,
  source: Source,
  filter: BookFilter,
  words: FitnessWords,
): KeysetPosition[] {
  const { where, values } = filterOf(filter, source);
  const columns = `${asNumber('books.id')}, substr(books.title, 1, ${maxCompared}), substr(books.author, 1, ${maxCompared})`;
  const rows = statements.rows(
    `SELECT ${columns} FROM ${source.from} WHERE ${where} AND ${checkTimeIn(source)}`,
    ...values,
  );
  return rows.map(([id, title = null, author = null]) => {
    checkTime();
    return { key: fitnessOf(words, { title: toText(title), author: toText(author) }), id: Number(id) };
  });
}

function storeOf(reading: Reading, filter: BookFilter, words: FitnessWords): FitnessStore {
  const { statements, checkTime } = reading;
  const sources = sourcesOf(filter);
  // A single source is read whatever its size.
  const few = sources.length > 1 ? smallestSource(reading, sources, 1000) : undefined;
  const source = few ?? sources[0] ?? allBooks;
  const isSure = isExact(filter, source);
  /** The places of the books of a source that match. */
  function* placesIn(from: Source, isChecked: boolean): Generator<KeysetPosition> {
    const { where, values } = filterOf(filter, from);
    for (const row of statements.each(`SELECT ${bookColumns} FROM ${from.from} WHERE ${where}`, ...values)) {
      checkTime();
      const book = toStoredBook(row);
      if (book === undefined || (isChecked && !matches(filter, book))) continue;
      yield { key: fitnessOf(words, book), id: book.id };
    }
  }
  const hasAtMost = (most: number) => {
    const candidates = `SELECT 1 FROM ${countedFrom(source)} WHERE ${source.where} LIMIT ?`;
    return statements.number(`SELECT count(*) FROM (${candidates})`, ...source.values, most + 1) <= most;
  };
  return {
    rankMatches(most) {
      const isFew = (few !== undefined && most >= 1000) || hasAtMost(most);
      if (isSure && isFew) return placesAtOnce(reading, source, filter, words);
      if (isSure && sources.length === 1) return undefined;
      const found: KeysetPosition[] = [];
      for (const place of placesIn(source, !isSure)) {
        if (found.length === most) return undefined;
        found.push(place);
      }
      return found;
    },
    countTitles({ from, to }: KeyRange, most) {
      const titles = `SELECT 1 FROM ${inTitles} WHERE ${inRange} LIMIT ?`;
      return statements.number(`SELECT count(*) FROM (${titles})`, from, to, most);
    },
    rankTitles: ({ from, to }: KeyRange) => [
      ...placesIn({ from: inTitles, where: inRange, values: [from, to] }, true),
    ],
    idsAfter(id, limit) {
      const byId = { ...filter, sort: 'id', isDescending: false } as const;
      const { where, values } = filterOf(byId, source, { key: id, id });
      const sql = `SELECT ${asNumber('books.id')} FROM ${source.from} WHERE ${where} AND ${checkTimeIn(source)} ORDER BY ${orderOf(byId, source)} LIMIT ?`;
      return statements.rows(sql, ...values, limit).map(([each]) => Number(each));
    },
    read(ids) {
      return ids.flatMap((id) => {
        const row = statements.row(`SELECT ${bookColumns} FROM books WHERE id = ?`, id);
        const book = row && toStoredBook(row);
        return book !== undefined && (isSure || matches(filter, book)) ? [book] : [];
      });
    },
  };
}
