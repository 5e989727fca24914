import assert from 'node:assert/strict';
import type { RankingWords } from '../../src/catalogue/ranking.ts';
import type { KeysetPosition } from '../../src/catalogue/keyset-position.ts';
import { toFilter, type BookFilter } from '../../src/catalogue/query.ts';
import { runSync } from '../../src/lib/gensync.ts';
import { findBest } from '../../src/store/contract/best.ts';
import type { StorePage } from '../../src/store/contract/page.ts';
import { rankingStore } from '../../src/store/memory/best.ts';
import { storedBook } from '../support/books.ts';

const titles = [
  ...['Calm Sea', 'A Sea', 'Sea (Tales)', 'Land', 'The Sea: A Story'],
  ...['Of the Sea', 'Sea Breeze', 'Seaside'],
];
/** Books for a new store. */
export const books = Array.from({ length: 40 }, (_, i) =>
  storedBook(i + 1, { title: titles[i % titles.length] ?? '', author: `X${i % 3} Sea`, year: 1900 + i }),
);
const queries = [
  { q: 'sea' },
  { q: 'x1 sea' },
  { q: 'sea', yearFrom: 1910 },
  { titleWords: 'se', author: 'x2 sea' },
];

/** As `findByRank` of a store that has the {@link books}. */
type Find = (
  filter: BookFilter & { readonly best: RankingWords },
  limit: number,
  after: KeysetPosition | undefined,
  most: number,
) => StorePage | Promise<StorePage>;

/** Compares all pages of a store with those of a simple one: with all matches ranked, and with only those that a query names. */
export async function compareBestPages(find: Find): Promise<void> {
  for (const query of queries)
    for (const most of [5, 20, 100])
      for (const limit of [3, 50]) {
        const filter = toFilter(query);
        const best = filter.best ?? assert.fail();
        const simple: Find = (...[, size, after]) =>
          runSync(findBest(rankingStore(books, filter, best), best, size, after, most));
        const idsOf = async (read: Find) => {
          const ids: number[] = [];
          for (let after: KeysetPosition | undefined; ;) {
            const page = await read({ ...filter, best }, limit, after, most);
            ids.push(...page.books.map(({ id }) => id));
            if (page.isLast) return ids;
            after = page.end;
          }
        };
        assert.deepEqual(await idsOf(find), await idsOf(simple), JSON.stringify({ query, most, limit }));
      }
}
