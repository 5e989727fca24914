import { maxCorrections } from '../../catalogue/limits.ts';
import { createHash } from 'node:crypto';
import { version } from '../../../package.json';
import type { PageLanguage } from '../../catalogue/changeable-settings.ts';
import { parseId, type Book } from '../../catalogue/book.ts';
import { readCorrected } from '../../catalogue/corrected.ts';
import { ShelflistError, wireErrorOf } from '../../catalogue/errors.ts';
import type { PageQuery } from '../../api/queries.ts';
import { toScriptText } from '../../lib/html-text.ts';
import { scheduler } from '../../lib/scheduler.ts';
import { serverLanguages, type AllTexts } from '../../texts/server-texts.ts';
import { type Language, chooseLanguage } from '../../texts/texts.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import { endOf } from '../../store/contract/page.ts';
import { formatCursor } from '../../api/cursor.ts';
import { select } from '../routes/list.ts';
import type { ReadQueue } from '../../derived/read-queue.ts';
import type { Call } from '../http/call.ts';
import {
  chooseEncoding,
  compress,
  compressOnce,
  encodingHeaders,
  readQualities,
  tagOf,
  type Bodies,
} from '../http/negotiation.ts';
import type { PublicReaders } from '../http/public-readers.ts';
import { headersOf, notModified, type Reply } from '../http/reply.ts';
import { loadAssets, type Assets } from './assets.ts';
import { bookData, describeBook } from './book-data.ts';
import { html, Html } from './html.ts';
import { parsePageState } from './page-state.ts';
import {
  renderBook,
  errorContent,
  describeCount,
  describeFilters,
  renderList,
  type ListPage,
} from './render.ts';

export interface WebPageConfig {
  readonly store: CompleteStore;
  readonly pages: ReadQueue;
  /** Whether everybody may read the books. */
  readonly publicRead: boolean;
  /** Whether there may be several users. */
  readonly hasUsers: boolean;
  /** Whether there are logins; else only the app knows its users. */
  readonly hasOwnLogin: boolean;
  /** Whether it has books without JavaScript. Not with `authorize`, which only requests of the API ask. */
  readonly showsBooks: boolean;
  /** Whether its user can change the password. */
  readonly canChangePassword: boolean;
  /** Whether its user can change settings of the service. */
  readonly canChangeSettings: boolean;
  /** Whether books can be looked up by their ISBN. */
  readonly canLookUp: boolean;
  /** `undefined`: readers have no limit. */
  readonly publicReaders: PublicReaders | undefined;
  /** The name of the library. */
  readonly catalogueName: string;
  readonly pageLanguage: PageLanguage;
  /** The path of the folder of the page for browsers, if it is known. */
  readonly publicPath?: string | undefined;
}

/** The part of the document that depends on the request. */
type Shown = Pick<Shell, 'title' | 'description' | 'data' | 'content' | 'canonical'>;

/** The page size of a list without a limit. */
const pageSize = 50;

/** The documents without a book, by language and login: all requests share them. */
const constants = new WeakMap<WebPageConfig, Map<string, Promise<Constant>>>();

interface Constant {
  readonly hash: string;
  readonly bodies: Bodies;
}

/**
 * Replies with the page. With `publicRead`, it contains the books of its query string, for readers without JavaScript;
 * otherwise none.
 *
 * @throws {ShelflistError} For failures that have no page.
 */
export async function showPage(call: Call, options: WebPageConfig): Promise<Reply> {
  const { publicRead, hasUsers, hasOwnLogin, showsBooks, canChangePassword, canLookUp, publicPath } = options;
  const { publicReaders, catalogueName, pageLanguage, canChangeSettings } = options;
  const login: PageLogin = call.isIdentified ? 'app' : hasOwnLogin ? 'own' : 'none';
  const isRefused = login === 'none' && !publicRead;
  const language = languageFor(call, options);
  const missing = call.pathParameter;
  const isBase = missing === '' || publicPath !== undefined;
  const root = isBase ? '' : '../'.repeat(missing.split('/').length - 2);
  const render = async (shown: Shown) =>
    renderShell(await loadAssets(), {
      ...shown,
      language,
      publicRead,
      hasUsers,
      login,
      canChangePassword,
      canChangeSettings,
      canLookUp,
      publicPath,
      catalogueName,
      pageLanguage,
      root,
      hasScript: missing === '' && !isRefused,
      isSearchable: showsBooks,
    });
  try {
    if (missing !== '') throw new ShelflistError('not_found');
    if (isRefused) throw new ShelflistError('token_required');
    const encoding = chooseEncoding(call.acceptEncoding);
    const headers = encodingHeaders(encoding);
    if (!showsBooks) {
      const { hash, bodies } = await constantOf(options, `${language} ${login}`, () =>
        render(needsScript(serverLanguages[language])),
      );
      const tag = tagOf(hash, encoding);
      return call.preconditions.isNotModified(tag)
        ? notModified(tag)
        : { body: bodies[encoding], tag, headers };
    }
    const show = () => showState(call, options, language);
    const text = await render(await (publicReaders?.makeDocument(call.address, call.signal, show) ?? show()));
    const tag = tagOf(hashOf(text), encoding);
    if (call.preconditions.isNotModified(tag)) return notModified(tag);
    return { body: await compressOnce(text, encoding), tag, headers };
  } catch (error) {
    const shown = error instanceof ShelflistError ? errorContent(error, language, root) : undefined;
    if (!(error instanceof ShelflistError) || shown === undefined) throw error;
    // The script ignores unknown parameters, and waits until the store answers.
    return {
      status: wireErrorOf(error.code).status,
      body: await render(shown),
      headers: headersOf(error),
      error,
    };
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}

/** A document without a book, rendered and compressed on first use. */
function constantOf(options: WebPageConfig, key: string, render: () => Promise<string>): Promise<Constant> {
  const known = constants.get(options) ?? new Map<string, Promise<Constant>>();
  constants.set(options, known);
  const constant =
    known.get(key) ?? render().then(async (text) => ({ hash: hashOf(text), bodies: await compress(text) }));
  known.set(key, constant);
  constant.catch(() => known.delete(key));
  return constant;
}

function needsScript({ server }: AllTexts): Shown {
  return { title: undefined, content: html`<noscript><p>${server.needsScript}</p></noscript>` };
}

async function showState(call: Call, options: WebPageConfig, language: Language): Promise<Shown> {
  const texts = serverLanguages[language];
  const { query, view, book: id, isExact } = parsePageState(call.query);
  if (id !== undefined) {
    const parsed = parseId(id);
    const book = parsed === undefined ? undefined : await options.store.get(parsed);
    if (book === undefined) throw new ShelflistError('book_not_found');
    return {
      title: book.title || texts.list.untitled,
      description: describeBook(book, options.catalogueName),
      data: bookData(book, call.folderUrl),
      content: renderBook(texts, book),
      canonical: `?book=${book.id}`,
    };
  }
  if (view !== undefined)
    return {
      title: undefined,
      content: html`<noscript
        ><p>${texts.server.viewNeedsScript} <a href="./">${texts.list.allBooks}</a></p></noscript
      >`,
    };
  const { signal } = call;
  const page = await readList(query, isExact, options, signal);
  const title = [describeFilters(texts, query) || texts.list.heading, describeCount(texts, page.count)];
  return {
    title: title.filter((part) => part !== '').join(' – '),
    content: await scheduler.run(() => renderList(texts, options.catalogueName, page), signal),
    canonical: call.query === '' ? './' : undefined,
  };
}

/**
 * Reads a page of the list: the books of the query, or those of its best correction. A later page has the corrected words in its
 * address, where its cursor comes from.
 *
 * @throws {ShelflistError} `invalid_query`, and as the store does.
 */
async function readList(
  query: PageQuery,
  isExact: boolean,
  { store, pages }: WebPageConfig,
  signal: AbortSignal,
): Promise<ListPage> {
  const { limit = pageSize } = query;
  const read = async (asked: PageQuery) => {
    const selection = select(asked);
    const find = (own: AbortSignal) =>
      store.find(selection.query, { limit, after: selection.after, signal: own });
    const [count, page] = await Promise.all([pages.count(selection.query, signal), pages.run(find, signal)]);
    const end = page.isLast ? undefined : endOf(selection.query, page);
    const next = end && formatCursor(selection.filter, end);
    return { books: page.books, count, next, match: page.match };
  };
  const correct = (asked: PageQuery) => {
    const { query: own } = select(asked);
    return pages.run((inTime) => store.corrections(own, { limit: maxCorrections, signal: inTime }), signal);
  };
  const isEmpty = ({ books }: { books: readonly Book[] }) => books.length === 0;
  if (!isExact && query.after === undefined) {
    const { result, correction } = await readCorrected(query, { read, isEmpty, correct });
    return { query, correction, ...result, corrections: [] };
  }
  const result = await read(query);
  const corrections = result.count === 0 ? await correct(query) : [];
  return { query, correction: undefined, ...result, corrections };
}

/** The language of a document: that of the settings, else the reader's. */
export function languageFor(call: Call, { pageLanguage }: WebPageConfig): Language {
  return pageLanguage === 'auto' ? acceptedLanguage(call.acceptLanguage) : pageLanguage;
}

/** Chooses a language by `Accept-Language` (RFC 9110, section 12.5.4). */
export function acceptedLanguage(acceptLanguage: string): Language {
  const accepted = [...readQualities(acceptLanguage)].filter(([, quality]) => quality > 0);
  accepted.sort(([, a], [, b]) => b - a);
  return chooseLanguage(accepted.map(([tag]) => tag));
}

/** Who logs the users of the page in: the page itself; the app, which knows this user; or nobody, as the app does not know the user. */
type PageLogin = 'own' | 'app' | 'none';

export interface Shell {
  readonly language: Language;
  /** The title of the document, without the name of the library. */
  readonly title?: string | undefined;
  /** For lists of results. Default: a description of the page. */
  readonly description?: string | undefined;
  /** What the page is about, for search engines (JSON-LD). */
  readonly data?: object | undefined;
  /** Shown until the script takes over, or instead of it. */
  readonly content: Html;
  /** The path of the folder of the page for browsers; `undefined`: that of its address. */
  readonly publicPath: string | undefined;
  /** The name of the library. */
  readonly catalogueName: string;
  readonly pageLanguage: PageLanguage;
  /** The address that search engines show, relative to the page; `undefined`: none, because the page is a view of others. */
  readonly canonical?: string | undefined;
  /** Whether everybody may read the books. */
  readonly publicRead: boolean;
  /** Whether there may be several users: a link with a token logs nobody in. */
  readonly hasUsers: boolean;
  readonly login: PageLogin;
  /** Whether its user can change the password. */
  readonly canChangePassword: boolean;
  /** Whether its user can change settings of the service. */
  readonly canChangeSettings: boolean;
  /** Whether books can be looked up by their ISBN. */
  readonly canLookUp: boolean;
  /** The folder of the page, relative to the document: empty, or with a slash at its end. */
  readonly root: string;
  /** Whether the script takes over: not for a wrong address, or an unknown user, where it would show the page instead. */
  readonly hasScript: boolean;
  /** Whether browsers may offer to search the catalogue. */
  readonly isSearchable: boolean;
}

/** A book with a ribbon. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Cpath d='M3 1h10v14H5a2 2 0 0 1-2-2z' fill='%23475569'/%3E%3Cpath d='M9 1h2v7L10 7 9 8z' fill='%23fbbf24'/%3E%3C/svg%3E";

/** The document around a page. Its addresses are relative, so it works below any path that ends in `/`. */
function renderShell(
  { script, style, textsOf }: Assets,
  {
    language,
    title,
    description = serverLanguages[language].server.description,
    data,
    content,
    publicRead,
    hasUsers,
    login,
    canChangePassword,
    canChangeSettings,
    canLookUp,
    publicPath,
    catalogueName: name,
    pageLanguage,
    canonical,
    root,
    hasScript,
    isSearchable,
  }: Shell,
): string {
  const texts = hasScript ? textsOf(language) : undefined;
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        ${publicPath === undefined ? '' : html`<base href="${publicPath}/" />`}
        <title>${title === undefined ? name : `${title} · ${name}`}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="description" content="${description}" />
        ${
          canonical === undefined
            ? html`<meta name="robots" content="noindex" />`
            : html`<link rel="canonical" href="${canonical}" />`
        }
        ${
          isSearchable &&
          html`<link
            rel="search"
            type="application/opensearchdescription+xml"
            title="${name}"
            href="${root}opensearch.xml"
          />`
        }
        ${
          data !== undefined &&
          html`<script type="application/ld+json">
            ${new Html(toScriptText(data))}
          </script>`
        }
        <link rel="icon" href="${icon}" />
        <link rel="stylesheet" href="${root}assets/${style}" />
        ${texts !== undefined && html`<link rel="modulepreload" href="${root}assets/${texts}" />`}
        ${hasScript && html`<script type="module" src="${root}assets/${script}"></script>`}
      </head>
      <body>
        <div
          id="app"
          data-public-read="${String(publicRead)}"
          data-has-users="${String(hasUsers)}"
          data-login="${login}"
          data-can-change-password="${String(canChangePassword)}"
          data-can-change-settings="${String(canChangeSettings)}"
          data-can-look-up="${String(canLookUp)}"
          data-name="${name}"
          data-page-language="${pageLanguage}"
          data-version="${version}"
          data-failed="${serverLanguages[language].server.failed}"
        >
          ${content}
        </div>
      </body>
    </html> `;
  return page.text;
}
