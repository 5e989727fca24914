// Searches that forgive: parts of words where no word begins so, and corrections, over the words of a store.
import type { StoreQuery } from '../../catalogue/query.ts';
import { correct, type Lexicon } from './corrections.ts';
import { endOf } from './page.ts';
import { toParts } from './parts.ts';
import type { CoreStore, EventStore, QuestionStore, ReadOptions } from './store.ts';
import { Vocabulary, type WordSource } from './vocabulary.ts';

type Strict = Pick<CoreStore & EventStore & QuestionStore, 'find' | 'count' | 'statistics'> & WordSource;
type Forgiving = Pick<CoreStore & QuestionStore, 'find' | 'count' | 'statistics' | 'corrections'>;

/** The searches of a store whose own find words by their beginnings alone. */
export function forgive(store: Strict): Forgiving {
  const vocabulary = new Vocabulary(store);
  const lexicon = ({ signal }: ReadOptions): Lexicon => ({
    words: () => vocabulary.read(),
    find: async (query, limit) => (await store.find(query, { limit, signal })).books,
  });
  /** Asks again for the books whose words contain those of a query that finds nothing. */
  const search = async <Answer>(
    query: StoreQuery,
    options: ReadOptions | undefined,
    ask: (query: StoreQuery) => Promise<Answer>,
    isEmpty: (answer: Answer) => boolean,
  ): Promise<{ readonly answer: Answer; readonly parts?: StoreQuery | undefined }> => {
    const answer = await ask(query);
    if (!isEmpty(answer)) return { answer };
    const parts = await toParts(query, lexicon(options ?? {}));
    return parts === undefined ? { answer } : { answer: await ask(parts), parts };
  };
  const find: Forgiving['find'] = async (query, request) => {
    if (request.isStrict === true) return store.find(query, request);
    const ask = (each: StoreQuery) => store.find(each, request);
    const { answer: page, parts } = await search(query, request, ask, ({ books }) => books.length === 0);
    if (parts === undefined || page.books.length === 0) return page;
    return { ...page, end: endOf(parts, page), match: 'parts' };
  };
  return {
    find,
    count: async (query, options) =>
      (
        await search(
          query,
          options,
          (each) => store.count(each, options),
          (count) => count === 0,
        )
      ).answer,
    statistics: async (query, options) => {
      const ask = (each: StoreQuery) => store.statistics(each, options);
      return (await search(query, options, ask, ({ count }) => count === 0)).answer;
    },
    corrections: async (query, { limit, signal }) => {
      const { books } = await find({ ...query, sort: 'id' }, { limit: 1, signal });
      return books.length > 0 ? [] : correct(query, limit, lexicon({ signal }), signal);
    },
  };
}
