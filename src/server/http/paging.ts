import { withCursor } from '../../api/query-string.ts';
import { JsonText } from '../../lib/json-text.ts';
import type { Call } from './call.ts';
import { linkToNext, type Reply } from './reply.ts';

/** A part of a list. */
export interface ListPage<Position> {
  /** The items as comma-separated JSON. */
  readonly json: string;
  /** Where the next page begins; `undefined` on the last one. */
  readonly next: Position | undefined;
}

/** How a list is read. */
interface List<Position> {
  /** The number of items that the request asks for; `undefined`: all. */
  readonly limit: number | undefined;
  /** Where it begins; `undefined`: at the start. */
  readonly start: Position | undefined;
  /** The page size of a response without a limit, which is sent page by page. */
  readonly pageSize: number;
  readonly read: (limit: number, after: Position | undefined) => Promise<ListPage<Position>>;
  /** The cursor of a position, for the link to the next page. */
  readonly format: (position: Position) => string;
}

/** Items as comma-separated JSON. */
export function toJsonItems(items: readonly unknown[]): string {
  return JSON.stringify(items).slice(1, -1);
}

/**
 * Replies with a page and a link to the next one; without a limit, with all pages, one after the other.
 *
 * @throws As `read` does.
 */
export async function sendList<Position>(
  { query, path }: Pick<Call, 'query' | 'path'>,
  { limit, start, pageSize, read, format }: List<Position>,
): Promise<Reply> {
  const first = await read(limit ?? pageSize, start);
  const data = new JsonText(`[${first.json}]`);
  if (first.next === undefined) return { data };
  if (limit === undefined) return { pages: followPages(first, (after) => read(pageSize, after)) };
  return { data, headers: linkToNext(path, withCursor(query, format(first.next))) };
}

/** The texts of a page and of those that follow it. */
export async function* followPages<Position>(
  first: ListPage<Position>,
  read: (after: Position) => Promise<ListPage<Position>>,
): AsyncGenerator<string, void, undefined> {
  for (let page = first; ; page = await read(page.next)) {
    if (page.json !== '') yield page.json;
    if (page.next === undefined) return;
  }
}
