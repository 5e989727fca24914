import { createHash } from 'node:crypto';
import { parseId } from '../../catalogue/book.ts';
import { maxCorrections } from '../../catalogue/correction.ts';
import { formatCursor, parseCursor } from '../../catalogue/cursor.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { positionOf } from '../../catalogue/keyset-position.ts';
import type { PageQuery } from '../../catalogue/query-string.ts';
import { toFilter, type StoreQuery } from '../../catalogue/query.ts';
import { serverLanguages, type AllTexts } from '../../page/texts/server-texts.ts';
import type { Language } from '../../page/texts/texts.ts';
import type { BookStore } from '../../store/store.ts';
import { longWork } from '../books/long-work.ts';
import type { PageReader } from '../books/page-reader.ts';
import type { Authorize } from '../access.ts';
import type { Call } from '../call.ts';
import { quote } from '../http/preconditions.ts';
import { notModified, type Reply } from '../http/reply.ts';
import { acceptedLanguage } from './accepted-language.ts';
import { loadAssets } from './assets.ts';
import { html } from './html.ts';
import { parsePageState, without } from './page-state.ts';
import { renderBook } from './render-book.ts';
import { errorContent } from './render-error.ts';
import { describeCount, describeFilters, renderList, type ListPage } from './render-list.ts';
import { renderShell, type Shell } from './shell.ts';

/** What the page needs. */
export interface PageOptions {
  readonly store: BookStore;
  readonly pages: PageReader;
  readonly sortArticles: readonly string[];
  /** Whether everybody may read the books. */
  readonly publicRead: boolean;
  /** If it is set, only the API has books: each of its requests is checked. */
  readonly authorize?: Authorize | undefined;
  /** The path of the folder of the page for browsers, if it is known. */
  readonly publicPath?: string | undefined;
}

/** The part of a document that depends on what is shown. */
type Shown = Pick<Shell, 'title' | 'content'>;

/** The page size of a list without a limit. */
const pageSize = 50;

/** The documents without a book, by language: all requests share their bytes. */
const constants = new WeakMap<PageOptions, Map<Language, Uint8Array>>();

/**
 * Replies with the page. If everybody may read the books, it has what its query string asks for, for readers without
 * JavaScript; otherwise no book.
 *
 * @throws {ShelflistError} For failures that have no page.
 */
export async function showPage(call: Call, options: PageOptions): Promise<Reply> {
  const { publicRead, authorize, publicPath } = options;
  const language = acceptedLanguage(call.acceptLanguage);
  const render = async (shown: Shown) =>
    renderShell(await loadAssets(), { ...shown, language, publicRead, publicPath });
  try {
    let text: string | Uint8Array;
    if (publicRead && authorize === undefined) text = await render(await showState(call, options, language));
    else {
      const ofLanguages = constants.get(options) ?? new Map<Language, Uint8Array>();
      constants.set(options, ofLanguages);
      text = ofLanguages.get(language) ?? Buffer.from(await render(needsScript(serverLanguages[language])));
      ofLanguages.set(language, text);
    }
    const tag = quote(createHash('sha256').update(text).digest('base64url').slice(0, 22));
    return call.preconditions.isNotModified(tag) ? notModified(tag) : { body: text, tag };
  } catch (error) {
    const shown = error instanceof ShelflistError ? errorContent(error, language) : undefined;
    if (!(error instanceof ShelflistError) || shown === undefined) throw error;
    // The script ignores what an address has too much, and waits for a store that does not answer.
    return { status: error.status, body: await render(shown), headers: error.headers, error };
  }
}

function needsScript({ server }: AllTexts): Shown {
  return { title: undefined, content: html`<noscript><p>${server.needsScript}</p></noscript>` };
}

async function showState(call: Call, options: PageOptions, language: Language): Promise<Shown> {
  const texts = serverLanguages[language];
  const { query, view, book: id } = parsePageState(call.query);
  if (id !== undefined) {
    const parsed = parseId(id);
    const book = parsed === undefined ? undefined : await options.store.get(parsed);
    if (book === undefined) throw new ShelflistError('book_not_found');
    return { title: book.title || texts.list.untitled, content: renderBook(texts, book) };
  }
  if (view !== undefined)
    return {
      title: undefined,
      content: html`<noscript
        ><p>${texts.server.viewNeedsScript} <a href="./">${texts.list.allBooks}</a></p></noscript
      >`,
    };
  const { signal } = call;
  const page = await readList(query, options, signal);
  const title = [describeFilters(texts, query) || texts.list.heading, describeCount(texts, page.count)];
  return {
    title: title.filter((part) => part !== '').join(' – '),
    content: await longWork.run(() => renderList(texts, page), signal),
  };
}

/** @throws {ShelflistError} `invalid_query`, and as the store does. */
async function readList(
  query: PageQuery,
  { store, pages, sortArticles: articles }: PageOptions,
  signal: AbortSignal,
): Promise<ListPage> {
  const { limit = pageSize, after: cursor } = query;
  const wanted = without(query, 'limit', 'after', 'count');
  const storeQuery: StoreQuery = { ...wanted, articles };
  const filter = toFilter(storeQuery);
  const after = cursor === undefined ? undefined : parseCursor(filter, cursor);
  const [count, { books, isLast }] = await Promise.all([
    pages.count(wanted, signal),
    pages.run((own) => store.find(storeQuery, { limit, after, signal: own }), signal),
  ]);
  const corrections =
    count === 0 ? await pages.run((own) => store.corrections(wanted, maxCorrections, own), signal) : [];
  const last = books.at(-1);
  const next = isLast || last === undefined ? undefined : formatCursor(filter, positionOf(filter, last));
  return { query, books, count, next, corrections };
}
