// Searches that forgive: parts of words where no word begins so, and corrections, over the words of a store.
import { ShelflistError } from '../../catalogue/errors.ts';
import type { StoreQuery } from '../../catalogue/query.ts';
import { correct, type Lexicon } from './corrections.ts';
import { endOf, type Page, type PageRequest } from './page.ts';
import { nameParts, toParts } from './parts.ts';
import type { CoreStore, EventStore, QuestionStore, ReadOptions } from './store.ts';
import { Vocabulary, type WordSource } from './vocabulary.ts';

type Strict = Pick<CoreStore & EventStore & QuestionStore, 'find' | 'count' | 'statistics'> & WordSource;
type Forgiving = Pick<CoreStore & QuestionStore, 'find' | 'count' | 'statistics' | 'corrections'>;

interface Found<Answer> {
  readonly answer: Answer;
  /** The query that found it, if it is not that of the caller. */
  readonly parts?: StoreQuery | undefined;
  readonly isProvisional: boolean;
}

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
  /** Asks again for the books whose words contain those of a query that finds nothing. */
  const search = async <Answer>(
    query: StoreQuery,
    options: ReadOptions | undefined,
    ask: (query: StoreQuery) => Promise<Answer>,
    isEmpty: (answer: Answer) => boolean,
  ): Promise<Found<Answer>> => {
    const answer = await ask(query);
    if (!isEmpty(answer)) return { answer, isProvisional: false };
    const lexicon = openLexicon(options);
    const parts = await toParts(query, lexicon);
    const { isProvisional } = lexicon;
    return parts === undefined
      ? { answer, isProvisional }
      : { answer: await ask(parts), parts, isProvisional };
  };
  /** Goes on with a listing of parts: with the same words, because books would be missing if others took their place. */
  const goOn = async (query: StoreQuery, request: PageRequest, name: string): Promise<Found<Page>> => {
    const lexicon = openLexicon(request);
    const parts = await toParts(query, lexicon);
    if (parts === undefined || nameParts(parts) !== name)
      throw new ShelflistError('invalid_query', {
        message:
          'cannot continue from "after": other words contain those of the query now; begin again without it',
      });
    return { answer: await store.find(parts, request), parts, isProvisional: lexicon.isProvisional };
  };
  const find: Forgiving['find'] = async (query, request) => {
    const { after, isStrict = false } = request;
    const name = after?.parts;
    // A listing goes on as it began, whatever is written meanwhile.
    if (isStrict || (after !== undefined && name === undefined)) return store.find(query, request);
    const ask = (each: StoreQuery) => store.find(each, request);
    const found =
      name === undefined
        ? await search(query, request, ask, ({ books }) => books.length === 0)
        : await goOn(query, request, name);
    const { parts } = found;
    const page = { ...found.answer, ...(found.isProvisional && { isProvisional: true }) };
    const end = parts && endOf(parts, page);
    return parts && end ? { ...page, end: { ...end, parts: nameParts(parts) }, match: 'parts' } : page;
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
      return books.length > 0 ? [] : correct(query, limit, openLexicon({ signal }), signal);
    },
  };
}
