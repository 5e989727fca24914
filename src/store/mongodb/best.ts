// A page in the order by rank.
import type { Filter } from 'mongodb';
import { rankOf, type RankingWords } from '../../catalogue/ranking.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import { matches, type BookFilter } from '../../catalogue/query.ts';
import { runAsync } from '../../lib/gensync.ts';
import { forEachYielding } from '../../lib/scheduler.ts';
import { findBest, type RankingStore, type KeyRange, type RankedId } from '../contract/best.ts';
import type { StorePage } from '../contract/page.ts';
import { countOnServer } from './count.ts';
import { candidates, certain } from './filter.ts';
import { readAll } from './match-list.ts';
import { orderedSearch } from './places.ts';
import { readDocuments, type Read, type QueryContext } from './reading.ts';
import type { BookDocument } from './schema.ts';
import { walk } from './walk.ts';

/** @param most As `findBest`. */
export function findByRank(
  reading: QueryContext,
  filter: BookFilter & { readonly best: RankingWords },
  limit: number,
  after: KeysetPosition | undefined,
  most?: number,
): Promise<StorePage> {
  return runAsync(findBest(storeOf(reading, filter, filter.best), filter.best, limit, after, most));
}

function storeOf(reading: QueryContext, filter: BookFilter, words: RankingWords): RankingStore {
  const terms = candidates(filter);
  /** The places of the matches among some documents; `undefined`: there are more than so many. */
  const rank = async (where: Filter<BookDocument>, most = Infinity) => {
    const found: RankedId[] = [];
    const add = ({ book }: Read) => {
      if (book !== undefined && found.length <= most && matches(filter, book))
        found.push({ key: rankOf(words, book), id: book.id });
    };
    for await (const batch of readDocuments(reading, where, { batchSize: readAtOnce })) {
      await forEachYielding(batch, add, reading.signal);
      if (found.length > most) return undefined;
    }
    return found;
  };
  const inRange = ({ from, to }: KeyRange): Filter<BookDocument> => ({
    'index.title': { $gte: from, $lt: to },
  });
  return {
    async rankMatches(most) {
      const sure = certain(filter);
      // Very many are counted in the index, and not read.
      if (sure !== undefined && (await countOnServer(reading, { $and: sure }, most + 1)) > most)
        return undefined;
      return rank({ $and: terms }, most);
    },
    countTitles: (range, most) => countOnServer(reading, inRange(range), most),
    rankTitles: async (range) => (await rank({ $and: [inRange(range), ...terms] })) ?? [],
    async idsAfter(after, limit) {
      const search = orderedSearch({ ...filter, sort: 'id', isDescending: false }, 'id');
      const ids: number[] = [];
      for await (const { book, id } of walk(reading, search, { key: after, id: after }, limit)) {
        if (book !== undefined && matches(filter, book)) ids.push(id);
        if (ids.length === limit) break;
      }
      return ids;
    },
    async read(ids) {
      const found = await readAll(reading, ids);
      return ids.flatMap((id) => {
        const book = found.get(id)?.book;
        return book !== undefined && matches(filter, book) ? [book] : [];
      });
    },
  };
}

/** The number of documents that the server sends at a time. */
const readAtOnce = 1001;
