import { ShelflistError } from '../../catalogue/errors.ts';
import { parsePageQuery, withCursor } from '../../catalogue/query-string.ts';
import type { BookStore } from '../../store/store.ts';
import type { TrashRequest } from '../../store/history.ts';
import type { Call } from '../call.ts';
import { JsonText, type Reply } from '../http/reply.ts';
import { longWork } from './long-work.ts';
import type { PageReader } from './page-reader.ts';

/** A response without a limit is sent page by page. */
const pageSize = 1000;

/** Lists deleted books. */
export class TrashReader {
  readonly #store: BookStore;
  readonly #pages: PageReader;

  constructor(store: BookStore, pages: PageReader) {
    this.#store = store;
    this.#pages = pages;
  }

  /** @throws {ShelflistError} `invalid_query`, and as the store does. */
  async list({ query, path, signal }: Pick<Call, 'query' | 'path' | 'signal'>): Promise<Reply> {
    const { limit, after, ...others } = parsePageQuery(query);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined)
      throw new ShelflistError('invalid_query', { message: `"${unknown}": unknown parameter` });
    const { json, next } = await this.#page({ limit: limit ?? pageSize, after }, signal);
    if (limit === undefined && next !== undefined) return { pages: this.#rest(json, next, signal) };
    return {
      data: new JsonText(`[${json}]`),
      ...(next !== undefined && {
        headers: { Link: `<${path}?${withCursor(query, next)}>; rel="next"` },
      }),
    };
  }

  async *#rest(first: string, from: string, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    if (first !== '') yield first;
    for (let after: string | undefined = from; after !== undefined;) {
      const page: { json: string; next: string | undefined } = await this.#page(
        { limit: pageSize, after },
        signal,
      );
      if (page.json !== '') yield page.json;
      after = page.next;
    }
  }

  #page(request: TrashRequest, signal: AbortSignal): Promise<{ json: string; next: string | undefined }> {
    return this.#pages.run(async () => {
      const { books, next } = await this.#store.trash(request);
      return { json: await longWork.run(() => JSON.stringify(books).slice(1, -1), signal), next };
    }, signal);
  }
}
