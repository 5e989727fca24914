import { randomUUID } from 'node:crypto';
import type { CompleteStore } from '../../store/contract/store.ts';
import { quoteWeak } from '../http/preconditions.ts';
import { listTexts, unmodified } from '../openapi/parameters.ts';
import type { Schema } from '../../api/shapes.ts';
import { AnswerCache } from '../../derived/answer-cache.ts';
import { ListCache } from '../../derived/list-cache.ts';
import { route, type ReaderFor, type Route } from './route.ts';
import { formatCursor, parseCursor } from '../../api/cursor.ts';
import type { KeysetPosition } from '../../catalogue/keyset-position.ts';
import type { StorePage } from '../../store/contract/page.ts';
import { maxLimit, pageParameters, type PageQuery } from '../../api/queries.ts';
import { readQuery, withCursor } from '../../api/query-string.ts';
import { toFilter, type BookFilter, type BookQuery } from '../../catalogue/query.ts';
import type { ExportFormat } from '../../formats/file-formats.ts';
import { createSerializer, type Serializer } from '../../formats/serializer.ts';
import type { Call } from '../http/call.ts';
import { acceptedType } from '../http/negotiation.ts';
import { JsonText } from '../../lib/json-text.ts';
import { notModified, linkToNext, type Reply, TextPages } from '../http/reply.ts';
import type { ReadQueue, TextPage } from '../../derived/read-queue.ts';
import { followPages, type ListPage } from '../http/paging.ts';

/** The formats of a listing besides the envelope, by media type: their name, `Content-Type` and documentation. */
const formats = {
  'text/csv': {
    name: 'csv',
    contentType: 'text/csv; charset=utf-8; header=present',
    schema: { type: 'string', examples: ['id,title,author,year\n1,Emma,Jane Austen,1815\n'] },
  },
  'application/x-ndjson': {
    name: 'ndjson',
    contentType: 'application/x-ndjson',
    schema: { type: 'string', examples: ['{"id":1,"title":"Emma","author":"Jane Austen","year":1815}\n'] },
  },
  'application/vnd.citationstyles.csl+json': {
    name: 'csl-json',
    contentType: 'application/vnd.citationstyles.csl+json',
    schema: { type: 'string', description: 'An array of items of CSL-JSON, for Zotero and pandoc.' },
  },
} as const satisfies Readonly<
  Record<string, { readonly name: ExportFormat; readonly contentType: string; readonly schema: Schema }>
>;

type MediaType = keyof typeof formats;
const mediaTypes = Object.keys(formats) as MediaType[];

/** The schemas of the bodies of these formats, by `Content-Type`. */
const listSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.values(formats).map(({ contentType, schema }) => [contentType, schema]),
);

/** How the books of a listing are written. */
interface ListFormat {
  /** Ends the tag: each representation needs its own. */
  readonly tagSuffix: string;
  readonly part: Serializer['part'];
  /** The reply with these parts. */
  readonly wrap: (parts: AsyncIterable<string>) => TextPages;
}

/** The format that `Accept` names; `undefined` for the envelope. */
async function acceptedFormat(accept: string | undefined): Promise<ListFormat | undefined> {
  const type = acceptedType(accept, mediaTypes);
  if (type === undefined) return undefined;
  const { name, contentType } = formats[type];
  const serializer = await createSerializer(name, { withIds: true });
  return {
    tagSuffix: `.${name}`,
    part: serializer.part,
    wrap: (parts) => new TextPages(contentType, parts, serializer),
  };
}

/** `GET /books`. */
export function listRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  const cache = new ListCache(store);
  const answers = new AnswerCache<Reply>();
  return route('listBooks', {
    isLong: true,
    headers: { Vary: 'Accept' },
    document: {
      tag: 'books',
      summary: 'List books',
      description:
        'The books that match the query, in its order; by default every book by id. With `limit`, the response is a ' +
        'page. Concurrent writes never cause a book to be repeated or omitted. `Accept` chooses another format than the ' +
        'envelope, for the same books.',
      parameters: listTexts,
      otherTypes: listSchemas,
      headers: ['ETag', 'Link', 'X-Match', 'X-Total-Count'],
      bodiless: unmodified,
    },
    async handle(call) {
      const { query, preconditions } = call;
      const question = `${call.path}?${query}`;
      // Parsed before the store is asked: a malformed query is refused also without it. One that was answered is well-formed.
      const parsed = query === '' || answers.has(question) ? undefined : parseListing(query);
      // Read before the books, which may be newer than their tag: the tag is weak.
      const version = await store.version();
      const format = await acceptedFormat(call.accept);
      const tag = quoteWeak(version + (format?.tagSuffix ?? ''));
      if (preconditions.isNotModified(tag)) return notModified(tag);
      if (query !== '') {
        const kept = format === undefined ? answers.read(version, question) : undefined;
        if (kept !== undefined) return { ...kept, tag };
        const find = parsed ?? parseListing(query);
        const answer = await find(readerFor(call), call, format);
        // No later answer has this tag.
        if (answer.isProvisional) return { ...answer, tag: quoteWeak(`${version}.${randomUUID()}`) };
        const data = 'data' in answer ? answer.data : undefined;
        if (data instanceof JsonText) answers.keep(version, question, answer, data.byteLength);
        return { ...answer, tag };
      }
      if (format !== undefined)
        return { pages: format.wrap(readerFor(call).list(call.signal, format.part)), tag };
      const list = await cache.read(version);
      return {
        ...(list === undefined ? { pages: readerFor(call).list(call.signal) } : { data: list.json }),
        tag: quoteWeak(list?.version ?? version),
      };
    },
  });
}

/** Replies to a request with parsed parameters. */
type Listing = (
  pages: ReadQueue,
  call: Pick<Call, 'path' | 'signal'>,
  format?: ListFormat,
) => Promise<Answer>;

/** What is provisional may differ soon although no book does: it is not kept, and its tag is its own. */
type Answer = Reply & { readonly isProvisional: boolean };

/**
 * Parses the parameters of `GET /books`. The result replies with the matching books, or with a page and a link to the next
 * one.
 *
 * @throws {ShelflistError} `invalid_query`.
 */
function parseListing(queryString: string): Listing {
  const { limit, count = false, ...query } = readQuery(queryString, pageParameters);
  const selection = select(query);
  return async (pages, { path, signal }, format) => {
    const counting = count ? pages.count(selection.query, signal) : undefined;
    // In parallel, because each may take as long as a request may.
    const request = { limit: limit ?? maxLimit, after: selection.after, signal };
    const [first, total] = await Promise.all([pages.find(selection.query, request, format?.part), counting]);
    const isProvisional = first.isProvisional === true || (count && total === undefined);
    const headers = { ...totalHeader(total), ...matchHeader(first.match) };
    if (limit === undefined) {
      const find = (after: KeysetPosition) =>
        pages.find(selection.query, { limit: maxLimit, after, signal }, format?.part);
      const parts = followPages(toListPage(first), async (after) => toListPage(await find(after)));
      return { headers, isProvisional, pages: format?.wrap(parts) ?? parts };
    }
    const { text, end, isLast } = first;
    const content =
      format === undefined ? { data: new JsonText(`[${text}]`) } : { pages: format.wrap(only(text)) };
    if (isLast || end === undefined) return { headers, isProvisional, ...content };
    const next = formatCursor(selection.filter, end);
    return {
      headers: { ...headers, ...linkToNext(path, withCursor(queryString, next)) },
      isProvisional,
      ...content,
    };
  };
}

/** The books of a page query, as a store finds them. */
interface Selection {
  readonly query: BookQuery;
  readonly filter: BookFilter;
  readonly after: KeysetPosition | undefined;
}

/** @throws {ShelflistError} `invalid_query`: the cursor is not one of this query. */
export function select({ limit: _limit, count: _count, after: cursor, ...query }: PageQuery): Selection {
  const filter = toFilter(query);
  return { query, filter, after: cursor === undefined ? undefined : parseCursor(filter, cursor) };
}

function totalHeader(total: number | undefined): Record<string, string> {
  return total === undefined ? {} : { 'X-Total-Count': String(total) };
}

function matchHeader(match: StorePage['match']): Record<string, string> {
  return match === undefined ? {} : { 'X-Match': match };
}

async function* only(text: string): AsyncGenerator<string, void, undefined> {
  yield await Promise.resolve(text);
}

function toListPage({ text, end, isLast }: TextPage): ListPage<KeysetPosition> {
  return { json: text, next: isLast ? undefined : end };
}
