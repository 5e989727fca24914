import { formatCursor, parseCursor } from '../../catalogue/cursor.ts';
import { parsePageQuery, withCursor } from '../../catalogue/query-string.ts';
import { positionOf, type KeysetPosition } from '../../catalogue/keyset-position.ts';
import { toFilter, type BookFilter, type StoreQuery } from '../../catalogue/query.ts';
import type { Call } from '../call.ts';
import { JsonText, type Reply } from '../http/reply.ts';
import type { ListFormat } from './list-format.ts';
import type { PageReader } from './page-reader.ts';

/** The page size of a response without a limit, which is sent page by page. */
const pageSize = 1000;

/** Replies to a listing whose parameters are parsed. */
export type Listing = (
  pages: PageReader,
  call: Pick<Call, 'path' | 'signal'>,
  format?: ListFormat,
) => Promise<Reply>;

/**
 * Parses the parameters of `GET /books`. The result replies with the matching books, or with a page and a link to the next
 * one.
 *
 * @param articles The order of texts ignores them at the beginning of a text.
 * @throws {ShelflistError} `invalid_query`.
 */
export function parseListing(queryString: string, articles: readonly string[]): Listing {
  const { limit, after: cursor, count = false, ...parsed } = parsePageQuery(queryString);
  const query: StoreQuery = { ...parsed, articles };
  const filter = toFilter(query);
  const after = cursor === undefined ? undefined : parseCursor(filter, cursor);
  return async (pages, { path, signal }, format) => {
    const counting = count ? pages.count(query, signal) : undefined;
    if (limit === undefined) {
      const headers = totalHeader(await counting);
      const parts = findAll(pages, query, filter, { after, signal, part: format?.part });
      return { headers, pages: format?.wrap(parts) ?? parts };
    }
    // At the same time, because each may take as long as a request may.
    const finding = pages.find(query, { limit, after, signal }, format?.part);
    const [{ text, last, isLast }, total] = await Promise.all([finding, counting]);
    const headers = totalHeader(total);
    const content =
      format === undefined ? { data: new JsonText(`[${text}]`) } : { pages: format.wrap(only(text)) };
    if (isLast || last === undefined) return { headers, ...content };
    const next = formatCursor(filter, positionOf(filter, last));
    return {
      headers: { ...headers, Link: `<${path}?${withCursor(queryString, next)}>; rel="next"` },
      ...content,
    };
  };
}

function totalHeader(total: number | undefined): Record<string, string> {
  return total === undefined ? {} : { 'X-Total-Count': String(total) };
}

async function* only(text: string): AsyncGenerator<string, void, undefined> {
  yield await Promise.resolve(text);
}

interface FindAllOptions {
  after: KeysetPosition | undefined;
  signal: AbortSignal;
  part: ListFormat['part'] | undefined;
}

async function* findAll(
  pages: PageReader,
  query: StoreQuery,
  filter: BookFilter,
  { after, signal, part }: FindAllOptions,
): AsyncGenerator<string, void, undefined> {
  for (;;) {
    const { text, last, isLast } = await pages.find(query, { limit: pageSize, after, signal }, part);
    if (last === undefined) return;
    yield text;
    if (isLast) return;
    after = positionOf(filter, last);
  }
}
