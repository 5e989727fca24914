import { maxCorrections } from '../../catalogue/correction.ts';
import { suggestedFields } from '../../catalogue/fields.ts';
import { asText, parsePageQuery, parseParameters } from '../../catalogue/query-string.ts';
import { checkSuggestedField, maxSuggestions } from '../../catalogue/suggestion.ts';
import type { PrioritySignal } from '../../lib/time-slices.ts';
import { cutToPage } from '../../store/contract/page.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import type { ReaderFor } from './page-reader.ts';
import type { Parameter } from '../openapi/operation.ts';
import { listParameters } from '../openapi/parameters.ts';
import { ref } from '../openapi/schemas.ts';
import type { Route } from './route.ts';

const suggestParameters: readonly Parameter[] = [
  {
    name: 'field',
    in: 'query',
    required: true,
    description: 'The field.',
    schema: { type: 'string', enum: suggestedFields },
  },
  {
    name: 'q',
    in: 'query',
    description: 'Prefixes of words. Without a word, every value matches.',
    schema: { type: 'string', examples: ['jan'] },
  },
];

/** Statistics, suggestions and corrections. */
export function questionRoutes(
  store: CompleteStore,
  readerFor: ReaderFor,
  isTokenOptional: boolean,
): Route[] {
  return [statisticsRoute, suggestRoute, correctionsRoute].map((create) => ({
    ...create(store, readerFor),
    action: 'list',
    isLong: true,
    isTokenOptional,
  }));
}

/** Queries the store through the queue of the reader. @param ask Receives the signal that aborts the query. */
function answer(
  readerFor: ReaderFor,
  call: Call,
  ask: (signal: PrioritySignal) => Promise<object>,
): Promise<Reply> {
  return readerFor(call).run(async (signal) => ({ data: await ask(signal) }), call.signal);
}

function statisticsRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  return {
    method: 'GET',
    path: '/stats',
    status: 200,
    message: 'Statistics retrieved successfully',
    operation: {
      id: 'getStatistics',
      tag: 'books',
      summary: 'Summarize books',
      description:
        'The number of books that the query matches, by decade and by author; of very many books, estimated. It takes the parameters of ' +
        '`GET /books`; `sort`, `limit`, `after` and `count` have no effect.',
      parameters: listParameters,
      data: ref('Statistics'),
      errors: ['invalid_query', 'unavailable'],
    },
    handle(call) {
      const query = parsePageQuery(call.query);
      return answer(readerFor, call, async (signal) => {
        const statistics = await store.statistics(query, { signal });
        return { ...statistics, authors: cutToPage(statistics.authors, ({ author }) => author.length) };
      });
    },
  };
}

function suggestRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  return {
    method: 'GET',
    path: '/suggest',
    status: 200,
    message: 'Suggestions retrieved successfully',
    operation: {
      id: 'suggestValues',
      tag: 'books',
      summary: 'Suggest values of a field',
      description:
        'The most frequent values that have all words of `q` as prefixes of theirs. Counts are exact. Among more than ' +
        '10,000 books, a value that few of them have may be missing.',
      parameters: suggestParameters,
      data: { type: 'array', items: ref('Suggestion'), maxItems: maxSuggestions },
      errors: ['invalid_query', 'unavailable'],
    },
    handle(call) {
      const { field, q = '' } = parseParameters(call.query, { field: asText, q: asText }) as {
        field?: string;
        q?: string;
      };
      const name = checkSuggestedField(field);
      return answer(readerFor, call, async (signal) =>
        cutToPage(
          await store.suggest(name, q, { limit: maxSuggestions, signal }),
          ({ value }) => value.length,
        ),
      );
    },
  };
}

function correctionsRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  return {
    method: 'GET',
    path: '/corrections',
    status: 200,
    message: 'Corrections retrieved successfully',
    operation: {
      id: 'correctQuery',
      tag: 'books',
      summary: 'Correct the words of a query',
      description:
        'Other words for a query that finds nothing, such as `tolkien` for `tolkein`, best first: words with up to two ' +
        'errors, joined or split. With each of them, the query finds something. There are none for a query that finds something. It takes the parameters of ' +
        '`GET /books`; `sort`, `limit`, `after` and `count` have no effect.',
      parameters: listParameters,
      data: { type: 'array', items: ref('Correction'), maxItems: maxCorrections },
      errors: ['invalid_query', 'unavailable'],
    },
    handle(call) {
      const query = parsePageQuery(call.query);
      return answer(readerFor, call, (signal) => store.corrections(query, { limit: maxCorrections, signal }));
    },
  };
}
