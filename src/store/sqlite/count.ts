// Counts the books that match.
import { matchesEverything, type BookFilter } from '../../catalogue/query.ts';
import {
  allBooks,
  checkTimeIn,
  countedFrom,
  filterOf,
  isExact,
  isFullText,
  smallestSource,
  sourcesOf,
} from './filter.ts';
import { matchesIn } from './read-books.ts';
import type { QueryContext } from './reading.ts';

/** As `BookStore.count`: SQLite counts, unless the books must be checked one by one. */
export function count(reading: QueryContext, filter: BookFilter): number {
  const { statements } = reading;
  if (matchesEverything(filter)) return statements.number('SELECT count(*) FROM books');
  const sources = sourcesOf(filter);
  const source = smallestSource(reading, sources, 1000) ?? sources[0] ?? allBooks;
  const { where, values } = filterOf(filter, source);
  if (isExact(filter, source)) {
    const from = sources.every(isFullText) ? countedFrom(source) : source.from;
    const sql = `SELECT count(*) FROM ${from} WHERE ${where} AND ${checkTimeIn(source)}`;
    return statements.number(sql, ...values);
  }
  let found = 0;
  const matching = matchesIn(reading, { ...source, where, values }, filter);
  while (matching.next().done !== true) found++;
  return found;
}
