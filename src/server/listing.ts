import type { Book } from '../book.ts';
import { formatCursor, parseCursor } from '../query/cursor.ts';
import { parsePageQuery, withCursor } from '../query/parameters.ts';
import { positionOf, type Position } from '../query/position.ts';
import { toCondition, type BookQuery, type Condition } from '../query/query.ts';
import type { BookStore } from '../store/store.ts';
import type { Reply } from './answer.ts';

/** What a page holds that is no page: a part of an answer without a limit. */
const booksAtOnce = 1000;

/**
 * Reads the parameters of `GET /books`; gives what answers them: the books that fit, or a page of them and where the
 * next one is.
 *
 * @throws {ShelflistError} `invalid_query`.
 */
export function parseListing(queryString: string): (store: BookStore, path: string) => Promise<Reply> {
  const { limit, after: cursor, count = false, ...query } = parsePageQuery(queryString);
  const condition = toCondition(query);
  const after = cursor === undefined ? undefined : parseCursor(condition, cursor);
  return async (store, path) => {
    const headers = count ? { 'X-Total-Count': String(await store.count(query)) } : {};
    if (limit === undefined) return { headers, data: findAll(store, query, condition, after) };
    const { books, isLast } = await store.find(query, { limit, after });
    const last = books.at(-1);
    if (isLast || last === undefined) return { headers, data: books };
    const next = formatCursor(condition, positionOf(condition, last));
    return {
      headers: { ...headers, Link: `<${path}?${withCursor(queryString, next)}>; rel="next"` },
      data: books,
    };
  };
}

async function* findAll(
  store: BookStore,
  query: BookQuery,
  condition: Condition,
  after: Position | undefined,
): AsyncGenerator<readonly Book[], void, undefined> {
  for (;;) {
    const { books, isLast } = await store.find(query, { limit: booksAtOnce, after });
    const last = books.at(-1);
    if (last === undefined) return;
    yield books;
    if (isLast) return;
    after = positionOf(condition, last);
  }
}
