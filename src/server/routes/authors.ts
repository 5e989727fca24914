import { formatAuthorCursor, parseAuthorCursor } from '../../api/cursor.ts';
import { authorVariants } from '../../api/models.ts';
import { listAuthors } from '../../api/operations.ts';
import { authorsParameters } from '../../api/queries.ts';
import { readQuery } from '../../api/query-string.ts';
import { Authors, type AuthorsOptions } from '../../derived/authors.ts';
import type { ReadQueue } from '../../derived/read-queue.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import { sendList, toJsonItems } from '../http/paging.ts';
import type { Reply } from '../http/reply.ts';
import { pagingTexts } from '../openapi/parameters.ts';
import { schemaOf } from '../openapi/schemas.ts';
import { route, type ReaderFor, type Route } from './route.ts';

/** `GET /authors`. */
export function authorsRoute(store: CompleteStore, readerFor: ReaderFor, options: AuthorsOptions): Route {
  const authors = new Authors(store, options);
  return route('listAuthors', {
    isLong: true,
    document: {
      tag: 'books',
      summary: 'List authors',
      description:
        'Every author with the number of books. Spellings that a search cannot distinguish count as one author, in the ' +
        'most frequent spelling of the first 20 books. Books without an author do not count. With `limit`, the response is a page. ' +
        'An order by number and variants are computed from all books: until that is done, the response is 503, and ' +
        '`Retry-After` estimates the time left. Later, such a response may be some minutes old, also to a search in a very ' +
        'large catalogue. Before, such a search takes some seconds, and may end a page before its limit.',
      parameters: {
        q: ['Prefixes of words of the name. Without a word, every author matches.', { examples: ['aust'] }],
        sort: [
          'The order: by name, or by the number of books; `-author` is from Z to A, and `-count` begins with the most books. ' +
            'Authors with the same number of books are ordered by name. It has no effect on variants.',
          { default: 'author' },
        ],
        variants: [
          'Whether to group the spellings of one name. They differ in case, accents, punctuation, the order of words (`Austen, ' +
            'Jane`), initials, or one typing error. The spelling with the most books comes first.',
          { default: false },
        ],
        ...pagingTexts,
      },
      data: { anyOf: [schemaOf(listAuthors.data), schemaOf(authorVariants)] },
      headers: ['Link'],
    },
    handle: (call) => sendAuthors(authors, readerFor(call), call),
  });
}

/** The page size of a response without a limit. */
const pageSize = 500;

/**
 * Replies with the authors that match, or with the groups of spellings.
 *
 * @throws {ShelflistError} `invalid_query`; `unavailable`.
 */
async function sendAuthors(
  authors: Authors,
  pages: ReadQueue,
  call: Pick<Call, 'query' | 'path' | 'signal'>,
): Promise<Reply> {
  const { limit, after, ...query } = readQuery(call.query, authorsParameters);
  const start = after === undefined ? undefined : parseAuthorCursor(query, after);
  const ask = await authors.prepare(query, pages, call.signal);
  return sendList(call, {
    limit,
    start,
    pageSize,
    async read(limit, after) {
      const { items, next } = await ask(limit, after);
      return { json: toJsonItems(items), next };
    },
    format: (position) => formatAuthorCursor(query, position),
  });
}
