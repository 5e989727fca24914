import { maxCorrections, maxSuggestions } from '../../catalogue/limits.ts';
import { pageParameters, suggestParameters } from '../../api/queries.ts';
import { readQuery } from '../../api/query-string.ts';
import { checkSuggestedField } from '../../catalogue/suggestion.ts';
import type { PrioritySignal } from '../../lib/scheduler.ts';
import { cutToPage } from '../../store/contract/page.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import { listTexts } from '../openapi/parameters.ts';
import { route, type ReaderFor, type Route } from './route.ts';

/** Statistics, suggestions and corrections. */
export function questionRoutes(store: CompleteStore, readerFor: ReaderFor): Route[] {
  return [statisticsRoute, suggestRoute, correctionsRoute].map((create) => create(store, readerFor));
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
  return route('getStatistics', {
    isLong: true,
    document: {
      tag: 'books',
      summary: 'Summarize books',
      description:
        'The number of books that the query matches, by decade and by author; of very many books, estimated. It takes the parameters of ' +
        '`GET /books`; `sort`, `limit`, `after` and `count` have no effect.',
      parameters: listTexts,
    },
    handle(call) {
      const query = readQuery(call.query, pageParameters);
      return answer(readerFor, call, async (signal) => {
        const statistics = await store.statistics(query, { signal });
        return { ...statistics, authors: cutToPage(statistics.authors, ({ author }) => author.length) };
      });
    },
  });
}

function suggestRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  return route('suggestValues', {
    isLong: true,
    document: {
      tag: 'books',
      summary: 'Suggest values of a field',
      description:
        'The most frequent values that have all words of `q` as prefixes of theirs. Counts are exact. Among more than ' +
        '10,000 books, a value that few of them have may be missing.',
      parameters: {
        field: 'The field.',
        q: ['Prefixes of words. Without a word, every value matches.', { examples: ['jan'] }],
      },
    },
    handle(call) {
      const { field, q = '' } = readQuery(call.query, suggestParameters);
      const name = checkSuggestedField(field);
      return answer(readerFor, call, async (signal) =>
        cutToPage(
          await store.suggest(name, q, { limit: maxSuggestions, signal }),
          ({ value }) => value.length,
        ),
      );
    },
  });
}

function correctionsRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  return route('correctQuery', {
    isLong: true,
    document: {
      tag: 'books',
      summary: 'Correct the words of a query',
      description:
        'Other words for a query that finds nothing, such as `tolkien` for `tolkein`, best first: words with up to two ' +
        'errors, joined or split. With each of them, the query finds something. There are none for a query that finds something. It takes the parameters of ' +
        '`GET /books`; `sort`, `limit`, `after` and `count` have no effect.',
      parameters: listTexts,
    },
    handle(call) {
      const query = readQuery(call.query, pageParameters);
      return answer(readerFor, call, (signal) => store.corrections(query, { limit: maxCorrections, signal }));
    },
  });
}
