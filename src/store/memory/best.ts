// What the order by rank reads of books in memory.
import type { Book } from '../../catalogue/book.ts';
import { rankOf, type RankingWords } from '../../catalogue/ranking.ts';
import { compareFolded } from '../../catalogue/fold.ts';
import { textKey } from '../../catalogue/keyset-position.ts';
import { matches, type BookFilter } from '../../catalogue/query.ts';
import type { RankingStore, KeyRange } from '../contract/best.ts';

/** @param all By id. */
export function rankingStore(
  all: readonly Readonly<Book>[],
  filter: BookFilter,
  words: RankingWords,
): RankingStore {
  const found = all.filter((book) => matches(filter, book));
  const byId = new Map(found.map((book) => [book.id, book]));
  const placeOf = (book: Book) => ({ key: rankOf(words, book), id: book.id });
  const isIn = ({ from, to }: KeyRange, { title }: Book) => {
    const key = textKey(title);
    return compareFolded(key, from) >= 0 && compareFolded(key, to) < 0;
  };
  return {
    rankMatches: (most) => (found.length > most ? undefined : found.map(placeOf)),
    countTitles: (range, most) => Math.min(most, all.filter((book) => isIn(range, book)).length),
    rankTitles: (range) => found.filter((book) => isIn(range, book)).map(placeOf),
    idsAfter: (id, limit) => found.flatMap((book) => (book.id > id ? book.id : [])).slice(0, limit),
    read: (ids) => ids.flatMap((id) => byId.get(id) ?? []),
  };
}
