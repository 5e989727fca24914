import { formatCursor, parseCursor } from '../query/cursor.ts';
import { parsePageQuery, withCursor } from '../query/parameters.ts';
import { positionOf, type Position } from '../query/position.ts';
import { toCondition, type BookQuery, type Condition } from '../query/query.ts';
import { JsonText, type Reply } from './answer.ts';
import type { PageReader } from './page-reader.ts';
import type { Call } from './route.ts';

/** The page size of an answer without a limit, which is sent page by page. */
const booksAtOnce = 1000;

/** Answers a listing with parsed parameters. */
export type Listing = (pages: PageReader, call: Pick<Call, 'path' | 'signal'>) => Promise<Reply>;

/**
 * Parses the parameters of `GET /books`. The result answers with the books that match, or with a page of them and the link
 * to the next one.
 *
 * @throws {ShelflistError} `invalid_query`.
 */
export function parseListing(queryString: string): Listing {
  const { limit, after: cursor, count = false, ...query } = parsePageQuery(queryString);
  const condition = toCondition(query);
  const after = cursor === undefined ? undefined : parseCursor(condition, cursor);
  return async (pages, { path, signal }) => {
    const headers = count ? { 'X-Total-Count': String(await pages.count(query, signal)) } : {};
    if (limit === undefined) return { headers, data: findAll(pages, query, condition, after, signal) };
    const { json, last, isLast } = await pages.find(query, { limit, after, signal });
    const data = new JsonText(`[${json}]`);
    if (isLast || last === undefined) return { headers, data };
    const next = formatCursor(condition, positionOf(condition, last));
    return {
      headers: { ...headers, Link: `<${path}?${withCursor(queryString, next)}>; rel="next"` },
      data,
    };
  };
}

async function* findAll(
  pages: PageReader,
  query: BookQuery,
  condition: Condition,
  after: Position | undefined,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (;;) {
    const { json, last, isLast } = await pages.find(query, { limit: booksAtOnce, after, signal });
    if (last === undefined) return;
    yield json;
    if (isLast) return;
    after = positionOf(condition, last);
  }
}
