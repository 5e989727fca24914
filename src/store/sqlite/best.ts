// A page in the order by rank.
import { nameField } from '../../catalogue/fields.ts';
import { rankOf, type RankingWords } from '../../catalogue/ranking.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { matches, type BookFilter } from '../../catalogue/query.ts';
import { runSync } from '../../lib/gensync.ts';
import { findBest, type RankingStore, type KeyRange, type RankedId } from '../contract/best.ts';
import type { StorePage } from '../contract/page.ts';
import {
  allBooks,
  checkTimeIn,
  countedFrom,
  filterOf,
  isExact,
  isFullText,
  orderOf,
  smallestSource,
  sourcesOf,
  type Source,
} from './filter.ts';
import { comparedBooks } from './compared-books.ts';
import { jsonRows, matchesIn, readBooks } from './read-books.ts';
import type { QueryContext } from './reading.ts';
import { asNumber, sortColumn } from './schema.ts';

/** @param most As `findBest`. */
export function findByRank(
  reading: QueryContext,
  filter: BookFilter & { readonly best: RankingWords },
  limit: number,
  after: KeysetPosition | undefined,
  most?: number,
): StorePage {
  return runSync(
    findBest(storeOf(reading, { ...filter, best: undefined }, filter.best), filter.best, limit, after, most),
  );
}

const inTitles = `books INDEXED BY books_by_${nameField}`;
const inRange = `${sortColumn(nameField)} >= ? AND ${sortColumn(nameField)} < ?`;

/** The ids of the books of a source that decides alone, at most so many. */
function matchingIds(
  { statements }: QueryContext,
  source: Source,
  filter: BookFilter,
  most: number,
): number[] {
  const { where, values } = filterOf(filter, source);
  const isAlone = isFullText(source) && where === source.where;
  const [id, from] = isAlone ? ['words.rowid', countedFrom(source)] : ['books.id', source.from];
  const ids = `SELECT ${id} AS id FROM ${from} WHERE ${where} AND ${checkTimeIn(source)} LIMIT ?`;
  return jsonRows<number>(statements, `SELECT json_group_array(id) FROM (${ids})`, ...values, most);
}

function storeOf(reading: QueryContext, filter: BookFilter, words: RankingWords): RankingStore {
  const { statements } = reading;
  const sources = sourcesOf(filter);
  // A single source is read whatever its size.
  const few = sources.length > 1 ? smallestSource(reading, sources, 1000) : undefined;
  const source = few ?? sources[0] ?? allBooks;
  const isSure = isExact(filter, source);
  /** The places of the books of a source that match. */
  function* placesIn(from: Source): Generator<RankedId> {
    for (const book of matchesIn(reading, { ...from, ...filterOf(filter, from) }, filter))
      yield { key: rankOf(words, book), id: book.id };
  }
  return {
    rankMatches(most) {
      if (isSure) {
        const ids = matchingIds(reading, source, filter, most + 1);
        return ids.length > most ? undefined : comparedBooks(statements).placesOf(reading, ids, words);
      }
      const found: RankedId[] = [];
      for (const place of placesIn(source)) {
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
      ...placesIn({ from: inTitles, where: inRange, values: [from, to] }),
    ],
    idsAfter(id, limit) {
      const byId = { ...filter, sort: 'id', isDescending: false } as const;
      const { where, values } = filterOf(byId, source, { key: id, id });
      const sql = `SELECT ${asNumber('books.id')} FROM ${source.from} WHERE ${where} AND ${checkTimeIn(source)} ORDER BY ${orderOf(byId, source)} LIMIT ?`;
      return statements.rows(sql, ...values, limit).map(([each]) => Number(each));
    },
    read: (ids) => [...readBooks(reading, ids)].filter((book) => isSure || matches(filter, book)),
  };
}
