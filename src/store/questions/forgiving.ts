// Searches that forgive: parts of words where no word begins so, and corrections, over the words of a store.
import { ShelflistError } from '../../catalogue/errors.ts';
import type { StoreQuery } from '../../catalogue/query.ts';
import { correct, type Lexicon } from './corrections.ts';
import { endOf } from '../contract/page.ts';
import { nameParts, toParts } from './parts.ts';
import type { CoreStore, EventStore, QuestionStore, ReadOptions } from '../contract/store.ts';
import { Vocabulary, type WordSource } from './vocabulary.ts';

type Strict = Pick<CoreStore & EventStore & QuestionStore, 'find' | 'count' | 'statistics'> & WordSource;
type Forgiving = Pick<CoreStore & QuestionStore, 'find' | 'count' | 'statistics' | 'corrections'>;

/** The searches of a store whose own find words by their beginnings alone. */
export function forgive(store: Strict): Forgiving {
  const vocabulary = new Vocabulary(store);
  const openLexicon = ({ signal }: ReadOptions = {}) => {
    const lexicon = {
      /** Whether its words were late. */
      isProvisional: false,
      words: async () => {
        const { words, isCurrent } = await vocabulary.read();
        if (!isCurrent) lexicon.isProvisional = true;
        return words;
      },
      find: async (query: StoreQuery, limit: number) => (await store.find(query, { limit, signal })).books,
    };
    return lexicon satisfies Lexicon;
  };
  const find: Forgiving['find'] = async (query, request) => {
    const { after, isStrict = false } = request;
    const name = after?.parts;
    const strict = isStrict || name === undefined ? await store.find(query, request) : undefined;
    // A listing goes on as it began, whatever is written meanwhile.
    if (strict !== undefined && (isStrict || after !== undefined || strict.books.length > 0)) return strict;
    const lexicon = openLexicon(request);
    const parts = await toParts(query, lexicon);
    // With the same words: books would be missing if others took their place.
    const isSame = name === undefined || (parts !== undefined && nameParts(parts) === name);
    const found = parts !== undefined && isSame ? await store.find(parts, request) : strict;
    if (found === undefined)
      throw new ShelflistError('invalid_query', {
        message:
          'cannot continue from "after": other words contain those of the query now; begin again without it',
      });
    const page = { ...found, ...(lexicon.isProvisional && { isProvisional: true }) };
    const end = parts && endOf(parts, page);
    return parts && end ? { ...page, end: { ...end, parts: nameParts(parts) }, match: 'parts' } : page;
  };
  /** Asks again for the books whose words contain those of a query that finds nothing. */
  const ask = async <Answer>(
    query: StoreQuery,
    options: ReadOptions | undefined,
    answer: (query: StoreQuery) => Promise<Answer>,
    isEmpty: (answer: Answer) => boolean,
  ): Promise<Answer> => {
    const strict = await answer(query);
    const parts = isEmpty(strict) ? await toParts(query, openLexicon(options)) : undefined;
    return parts === undefined ? strict : answer(parts);
  };
  return {
    find,
    count: (query, options) =>
      ask(
        query,
        options,
        (each) => store.count(each, options),
        (count) => count === 0,
      ),
    statistics: (query, options) =>
      ask(
        query,
        options,
        (each) => store.statistics(each, options),
        ({ count }) => count === 0,
      ),
    corrections: async (query, { limit, signal }) => {
      const { books } = await find({ ...query, sort: 'id' }, { limit: 1, signal });
      return books.length > 0 ? [] : correct(query, limit, openLexicon({ signal }), signal);
    },
  };
}
