// Files that lead search engines and browsers to a public catalogue: a sitemap, and a description as a search engine.
import type { Book } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { toFilter } from '../../catalogue/query.ts';
import { positionOf } from '../../catalogue/sort-keys.ts';
import { readQuery } from '../../api/query-string.ts';
import { integer } from '../../api/shapes.ts';
import { escapeXml } from '../../formats/xml.ts';
import { hashText } from '../../lib/text-hash.ts';
import { allIds } from '../../store/contract/ids.ts';
import { serverLanguages } from '../../texts/server-texts.ts';
import type { Call } from '../http/call.ts';
import { quoteWeak } from '../http/preconditions.ts';
import { notModified, TextPages, type Reply } from '../http/reply.ts';
import { languageFor, type WebPageConfig } from './show-page.ts';

/** The ids of one sitemap. The protocol allows 50,000 addresses; one is that of the first page. */
const idsPerPart = 49_999;
/** The sitemaps of an index, by the protocol. */
const maxParts = 50_000;

const parameters = { part: integer({ minimum: 1, maximum: maxParts }) };
const byId = { sort: 'id' } as const;

const xml = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const sitemapType = 'application/xml; charset=utf-8';

/**
 * Replies with the addresses of all books (sitemaps.org), page by page. If their ids need several sitemaps, replies with an index of
 * these. Each has the books of a range of ids, and needs none of the others.
 *
 * @throws {ShelflistError} `not_found`: not everybody may read the books, or the request names no host. `invalid_query`.
 */
export async function showSitemap(call: Call, options: WebPageConfig): Promise<Reply> {
  const folder = publicFolder(call, options);
  const { part } = readQuery(call.query, parameters);
  const { store, pages, publicReaders } = options;
  const tag = quoteWeak(`${await store.version()}.${hashText(folder)}`);
  if (call.preconditions.isNotModified(tag)) return notModified(tag);
  const make = async (): Promise<Reply> => {
    const parts = part === undefined ? await readParts(call, options) : undefined;
    if (parts !== undefined) return { pages: index(folder, parts), tag };
    const range =
      part === undefined ? allIds : { first: (part - 1) * idsPerPart + 1, last: part * idsPerPart };
    const format = (books: readonly Book[]) =>
      books.map(({ id }) => `<url><loc>${escapeXml(`${folder}?book=${id}`)}</loc></url>\n`).join('');
    const home = (part ?? 1) === 1 ? `<url><loc>${escapeXml(folder)}</loc></url>\n` : '';
    const frame = { head: `${xml}<urlset ${namespace}>\n${home}`, between: '', foot: () => '</urlset>\n' };
    return { pages: new TextPages(sitemapType, pages.list(call.signal, format, range), frame), tag };
  };
  return publicReaders?.makeDocument(call.address, call.signal, make) ?? make();
}

/** @throws {ShelflistError} `not_found` */
function publicFolder(call: Call, { showsBooks }: WebPageConfig): string {
  const folder = showsBooks ? call.folderUrl : undefined;
  if (folder === undefined) throw new ShelflistError('not_found');
  return folder;
}

function index(folder: string, parts: AsyncIterable<number>): TextPages {
  const frame = { head: `${xml}<sitemapindex ${namespace}>\n`, between: '', foot: () => '</sitemapindex>\n' };
  return new TextPages(sitemapType, addresses(), frame);
  async function* addresses() {
    for await (const part of parts)
      yield `<sitemap><loc>${escapeXml(`${folder}sitemap.xml?part=${part}`)}</loc></sitemap>\n`;
  }
}

/** The parts that have books, in order; `undefined` if one sitemap has room for all. */
async function readParts(call: Call, options: WebPageConfig): Promise<AsyncIterable<number> | undefined> {
  const parts = findParts(call, options);
  const first = await parts.next();
  const second = await parts.next();
  if (first.done === true || second.done === true) return undefined;
  return (async function* () {
    yield first.value;
    yield second.value;
    yield* parts;
  })();
}

/** Seeks the first book of each part, so that ids that are far apart cost no more than books. */
async function* findParts(
  { signal }: Call,
  { store, pages }: WebPageConfig,
): AsyncGenerator<number, void, undefined> {
  for (let part = 0; part < maxParts;) {
    const end = { id: part * idsPerPart, title: '', author: '', year: 0 };
    const after = part === 0 ? undefined : positionOf(toFilter(byId), end);
    const { books } = await pages.run((own) => store.find(byId, { limit: 1, after, signal: own }), signal);
    const [book] = books;
    if (book === undefined) return;
    part = Math.ceil(book.id / idsPerPart);
    if (part <= maxParts) yield part;
  }
}

/** The longest names that browsers show, in characters, by the specification. */
const maxNames = { short: 16, long: 48 };

/**
 * Replies with a description of the catalogue as a search engine (OpenSearch 1.1): browsers then search it from their address bar.
 *
 * @throws {ShelflistError} `not_found`: not everybody may read the books, or the request names no host.
 */
export function showOpenSearch(call: Call, options: WebPageConfig): Reply {
  const folder = publicFolder(call, options);
  const { server } = serverLanguages[languageFor(call, options)];
  const characters = Array.from(options.catalogueName);
  const name = (length: number) => escapeXml(characters.slice(0, length).join(''));
  return {
    body: `${xml}<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
<ShortName>${name(maxNames.short)}</ShortName>
<LongName>${name(maxNames.long)}</LongName>
<Description>${escapeXml(server.description)}</Description>
<InputEncoding>UTF-8</InputEncoding>
<Url type="text/html" template="${escapeXml(folder)}?q={searchTerms}"/>
</OpenSearchDescription>
`,
  };
}
