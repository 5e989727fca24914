import { formatGroupCursor, parseGroupCursor } from '../../api/cursor.ts';
import { duplicatesParameters } from '../../api/queries.ts';
import { readQuery } from '../../api/query-string.ts';
import { DuplicateReader, type DuplicateReaderOptions } from '../../derived/duplicates.ts';
import type { ReadQueue } from '../../derived/read-queue.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import { sendList, toJsonItems } from '../http/paging.ts';
import type { Reply } from '../http/reply.ts';
import { cursor } from '../openapi/parameters.ts';
import { route, type Route } from './route.ts';

/** `GET /duplicates`. */
export function duplicatesRoute(
  store: CompleteStore,
  pages: ReadQueue,
  options: DuplicateReaderOptions,
): Route {
  const reader = new DuplicateReader(store, pages, options);
  return route('listDuplicates', {
    isLong: true,
    document: {
      tag: 'books',
      summary: 'List duplicates',
      description:
        'Groups of at least two books, each by id; a book is in at most one group. The groups are in the order of ' +
        'their first ids. With `limit`, the response is a page. The first search of a large catalogue takes a ' +
        'while: until it ends, the response is 503, with `Retry-After`.',
      parameters: {
        level: [
          '`same`: all fields are equal, ignoring case, accents, spacing and punctuation. `year`: as `same`, but ignoring the ' +
            'year. `typo`: as `same`, but with at most one typing error in either title or author; a year of 0 equals any.',
          { default: 'same' },
        ],
        limit:
          'Page size in groups. `Link` has the address of the next page. Pages of large groups are shorter.',
        after: [
          'The cursor in the `Link` of the previous page. It is valid for the same level only.',
          cursor,
        ],
      },
      headers: ['Link'],
    },
    handle: (call) => sendDuplicates(reader, call),
  });
}

/** The page size of a response without a limit, in groups. */
const pageSize = 100;

/**
 * Replies with groups of books.
 *
 * @throws {ShelflistError} `invalid_query`; `unavailable`.
 */
async function sendDuplicates(
  reader: DuplicateReader,
  call: Pick<Call, 'query' | 'path' | 'signal'>,
): Promise<Reply> {
  const { level = 'same', limit, after } = readQuery(call.query, duplicatesParameters);
  const start = after === undefined ? undefined : parseGroupCursor(level, after);
  const found = await reader.find(level, call.signal);
  return sendList(call, {
    limit,
    start,
    pageSize,
    async read(limit, after) {
      const { groups, next } = await reader.read(level, found, { limit, after }, call.signal);
      return { json: toJsonItems(groups), next };
    },
    format: (firstId) => formatGroupCursor(level, firstId),
  });
}
