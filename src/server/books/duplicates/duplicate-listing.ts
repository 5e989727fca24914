import type { DuplicateLevel } from '../../../catalogue/duplicates/duplicates.ts';
import { parseDuplicatesQuery } from '../../../catalogue/duplicates/duplicates-query.ts';
import { formatGroupCursor, parseGroupCursor } from '../../../catalogue/duplicates/group-cursor.ts';
import { withCursor } from '../../../catalogue/query-string.ts';
import type { Call } from '../../call.ts';
import { JsonText, type Reply } from '../../http/reply.ts';
import type { DuplicateReader } from './duplicate-reader.ts';

/** The page size of a response without a limit, which is sent page by page. */
const pageSize = 100;

/**
 * Replies with the groups of duplicates, or with a page of them and a link to the next one.
 *
 * @throws {ShelflistError} `invalid_query`; `unavailable`.
 */
export async function listDuplicates(
  reader: DuplicateReader,
  { query, path, signal }: Pick<Call, 'query' | 'path' | 'signal'>,
): Promise<Reply> {
  const { level = 'same', limit, after: cursor } = parseDuplicatesQuery(query);
  const after = cursor === undefined ? undefined : parseGroupCursor(level, cursor);
  const found = await reader.find(level, signal);
  if (limit === undefined) return { pages: readAll(reader, level, found, after, signal) };
  const { groups, next } = await reader.read(level, found, { limit, after }, signal);
  const data = new JsonText(JSON.stringify(groups));
  if (next === undefined) return { data };
  const nextQuery = withCursor(query, formatGroupCursor(level, next));
  return { data, headers: { Link: `<${path}?${nextQuery}>; rel="next"` } };
}

async function* readAll(
  reader: DuplicateReader,
  level: DuplicateLevel,
  found: readonly (readonly number[])[],
  after: number | undefined,
  signal: AbortSignal,
): AsyncGenerator<string, void, undefined> {
  for (;;) {
    const { groups, next } = await reader.read(level, found, { limit: pageSize, after }, signal);
    yield JSON.stringify(groups).slice(1, -1);
    if (next === undefined) return;
    after = next;
  }
}
