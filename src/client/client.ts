import type { Book, BookFields, BookPatch } from '../catalogue/book.ts';
import type { BatchSummary, EarlierState } from '../catalogue/changes.ts';
import type { DuplicatesQuery } from '../catalogue/duplicates/duplicates-query.ts';
import type { Correction } from '../catalogue/correction.ts';
import type { SuggestedField } from '../catalogue/fields.ts';
import type { PageQuery } from '../catalogue/query-string.ts';
import type { BookQuery } from '../catalogue/query.ts';
import type { Statistics } from '../catalogue/statistics.ts';
import type { Suggestion } from '../catalogue/suggestion.ts';
import { defaultServiceUrl, parseServiceUrl } from './address.ts';
import {
  isTokenRefused,
  open,
  readBook,
  readBookOf,
  readBooks,
  readCheck,
  readDuplicates,
  readImported,
  readPage,
  readTagged,
  readToken,
  type BookPage,
  type DuplicatesPage,
  type Imported,
  type ServiceCheck,
  type TaggedBook,
} from './answers.ts';
import {
  bookPath,
  booksPath,
  checkOptions,
  checkTag,
  duplicatesPath,
  writeHeaders,
  queryPath,
  suggestPath,
  type ClientOptions,
  type RevertOptions,
  type WriteCondition,
} from './arguments.ts';
import { readCorrections, readStatistics, readSuggestions } from './question-answers.ts';
import { readBookStream } from './book-stream.ts';
import { createHistoryCalls, type DeletedPage, type UndoOptions, type UndoResult } from './history.ts';
import { TokenHolder } from './token-holder.ts';
import {
  checkWatchOptions,
  watchChanges,
  type Watched,
  type WatchEvent,
  type WatchOptions,
} from './watch.ts';
import { createTransport, type Answer, type Exchange, type Transport } from './transport.ts';

export type { ClientOptions, RevertOptions, WriteCondition } from './arguments.ts';

/** A stream without a heartbeat for this long is broken, in milliseconds. The service sends one every 15 s. */
const maxQuietMs = 45_000;

/** The batch that the write becomes part of. */
export type BatchOption = Pick<WriteCondition, 'batch'>;
/** A page of a list: at most `limit` books, those after the mark `after`. */
export type PageOptions = Pick<PageQuery, 'limit' | 'after'>;

/**
 * The operations of the service. All reject with a `ShelflistError`: the error of the service, `unreachable` without a
 * response, or `bad_response` if the response is not from a shelflist service.
 *
 * Invalid arguments reject with a `TypeError` before anything is sent: an id that is not an integer from 1 to 2^53-1, a
 * malformed tag, or a query or condition with an unknown member or a member of the wrong type.
 */
export interface Client {
  /** Gets a token, which lasts 15 minutes. The client sends it from now on. */
  login(username: string, password: string): Promise<string>;
  /**
   * Exchanges the token for one that lasts 15 more minutes. Requests do so themselves when a third of its time is over, until
   * the service ends the session (`SESSION_HOURS` after the login).
   */
  renew(): Promise<string>;
  /** The books that match a query, in its order. Default: every book by id. */
  list(query?: BookQuery): Promise<Book[]>;
  /**
   * {@link list}, one book after the other. Memory is bounded, and the reader sets the pace. The request ends when the reader
   * stops.
   */
  books(query?: BookQuery): AsyncGenerator<Book, void, undefined>;
  /** A page of {@link list}: at most `limit` books, and the cursor of the next page. */
  page(query: PageQuery): Promise<BookPage>;
  /**
   * Groups of books that are duplicates of each other; default: all groups of the level `same`. The service compares its books,
   * which may take long: then this fails with `unavailable`, and a later call gets the result.
   */
  duplicates(query?: DuplicatesQuery): Promise<DuplicatesPage>;
  /** The number of books that match a query, by decade and by author. Default: of all books. */
  stats(query?: BookQuery): Promise<Statistics>;
  /** At most 10 values of a field, most frequent first: those with these prefixes of words. Default: the most frequent ones. */
  suggest(field: SuggestedField, q?: string): Promise<Suggestion[]>;
  /** Other words for a query that finds nothing, best first: `{ ...query, ...correction }` finds something. At most 3. */
  corrections(query: BookQuery): Promise<Correction[]>;
  /** The book with this id. Fails with `book_not_found` if there is none. */
  get(id: number): Promise<Book>;
  /** A book with the tag of its contents, for {@link WriteCondition}. */
  getTagged(id: number): Promise<TaggedBook>;
  /** The current state of a book. If it has not changed, the service does not send it, and this returns its argument. */
  refresh(tagged: TaggedBook): Promise<TaggedBook>;
  /** Stores a new book. A missing field gets the empty value of its type. */
  create(fields: Partial<BookFields>, options?: BatchOption): Promise<Book>;
  /** Stores many new books in one request. If it fails, some of them may be stored. */
  createMany(books: readonly Partial<BookFields>[], options?: BatchOption): Promise<Imported>;
  /** Changes the named fields only. If the condition does not hold, it fails with `precondition_failed`. */
  update(id: number, patch: BookPatch, condition?: WriteCondition): Promise<Book>;
  /** Deletes a book. If the condition does not hold, it fails with `precondition_failed`. */
  delete(id: number, condition?: WriteCondition): Promise<void>;
  /** The earlier states of a book, newest first, as far as the service keeps them; also those of a deleted book. */
  history(id: number): Promise<EarlierState[]>;
  /** Gives a book an earlier state. A deleted book comes back under its id. */
  revert(id: number, options?: RevertOptions): Promise<Book>;
  /** A page of the deleted books that can be brought back, newest first. */
  trash(query?: PageOptions): Promise<DeletedPage>;
  /** What a batch has done. Fails with `not_found` if none of its changes is kept. */
  batch(id: string): Promise<BatchSummary>;
  /**
   * Takes back what a batch did: each book gets the state it had before. A book that was changed since by others is left. The
   * undo is a batch itself, which can be undone. After a failure, the same call does the rest.
   */
  undo(batch: string, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Yields each change of a book while it happens, by any client. It connects again after every failure that may pass, and
   * continues after the last position; `reset` means that changes are missing. {@link close} ends it.
   */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void, undefined>;
  /** Asks whether the service runs, whether it accepts the token, and what time it has. */
  check(): Promise<ServiceCheck>;
  /** Closes the connections that are kept open between requests, and ends {@link watch}. */
  close(): void;
  /** {@link close}, at the end of a block that declares the client with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a client of one service. It sends its token to that service only, and follows no redirects.
 *
 * @throws {TypeError} `url` is not the address of an HTTP service, or an option has the wrong type.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8080' });
 * await client.login('librarian', 'correct horse battery staple');
 * const book = await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
 */
export function createClient(options: ClientOptions = {}): Client {
  const { url = defaultServiceUrl, timeoutMs = 30_000, onUnauthorized, onRenewed } = checkOptions(options);
  const base = parseServiceUrl(url);
  let transport: Promise<Transport> | undefined;
  const watches = new Set<AbortController>();
  const connect = () => (transport ??= createTransport(base, timeoutMs));
  const post = async (exchange: Omit<Exchange, 'method'>) =>
    readToken(open(await (await connect()).send({ ...exchange, method: 'POST' })));
  const tokens = new TokenHolder(options.token, {
    renew: (token) => post({ path: '/token/renew', token }),
    onUnauthorized,
    onRenewed,
  });

  /** Sends a request with the token; once more if the token is refused and {@link onUnauthorized} returns another. */
  async function authorized<Response extends { status: number }>(
    request: (transport: Transport, token: string | undefined) => Promise<Response | Answer>,
  ): Promise<Response | Answer> {
    const used = await tokens.fresh();
    const response = await request(await connect(), used);
    if (!isTokenRefused(response) || !(await tokens.replaceRefused(used))) return response;
    return request(await connect(), tokens.token);
  }
  const send = (exchange: Exchange): Promise<Answer> =>
    authorized((transport, token) => transport.send({ ...exchange, token }));
  const call = async (exchange: Exchange) => open(await send(exchange));

  const close = () => {
    for (const watch of watches) watch.abort();
    void transport?.then((opened) => {
      opened.close();
    });
  };

  return {
    async login(username, password) {
      const token = await post({ path: '/token', body: { username, password } });
      tokens.replace(token);
      return token;
    },
    renew: () => tokens.renew(),
    list: async (query) => readBooks(await call({ method: 'GET', path: booksPath(query) })),
    async *books(query) {
      const path = booksPath(query);
      const response = await authorized((transport, token) =>
        transport.stream({ method: 'GET', path, token }),
      );
      if ('chunks' in response) yield* readBookStream(response.status, response.chunks);
      else open(response);
    },
    async page(query) {
      const { count } = query; // Throws without a query, before any request.
      return readPage(await send({ method: 'GET', path: booksPath(query) }), count === true);
    },
    duplicates: async (query) => readDuplicates(await send({ method: 'GET', path: duplicatesPath(query) })),
    stats: async (query) => readStatistics(await call({ method: 'GET', path: queryPath('/stats', query) })),
    suggest: async (field, q = '') =>
      readSuggestions(await call({ method: 'GET', path: suggestPath(field, q) })),
    corrections: async (query) =>
      readCorrections(await call({ method: 'GET', path: queryPath('/corrections', query) })),
    get: async (id) => readBookOf(id, await call({ method: 'GET', path: bookPath(id) })),
    getTagged: async (id) => readTagged(id, await send({ method: 'GET', path: bookPath(id) })),
    async refresh(tagged) {
      const { id } = tagged.book;
      const headers = { 'If-None-Match': checkTag('tag', tagged.tag) };
      const answer = await send({ method: 'GET', path: bookPath(id), headers });
      return answer.status === 304 ? tagged : readTagged(id, answer);
    },
    async create(fields, options) {
      const headers = writeHeaders(options, ['batch']);
      return readBook(await call({ method: 'POST', path: '/book', body: fields, headers }));
    },
    async createMany(books, options) {
      const headers = writeHeaders(options, ['batch']);
      return readImported(await call({ method: 'POST', path: '/books', body: books, headers }));
    },
    async update(id, patch, condition) {
      const headers = writeHeaders(condition);
      return readBookOf(id, await call({ method: 'PUT', path: bookPath(id), body: patch, headers }));
    },
    async delete(id, condition) {
      await call({ method: 'DELETE', path: bookPath(id), headers: writeHeaders(condition) });
    },
    ...createHistoryCalls(send),
    // Reports a refused token instead of renewing it.
    check: async () =>
      readCheck(await (await connect()).send({ method: 'GET', path: bookPath(1), token: tokens.token })),
    async *watch(options = {}) {
      const { after, signal: own } = checkWatchOptions(options);
      const end = new AbortController();
      const signal = own === undefined ? end.signal : AbortSignal.any([own, end.signal]);
      const watched: Watched = {
        open: (position) =>
          authorized((transport, token) => {
            const headers = position === undefined ? undefined : { 'Last-Event-ID': position };
            return transport.stream({ method: 'GET', path: '/changes', token, headers, signal }, maxQuietMs);
          }),
        keepToken: () => tokens.fresh(),
        check: open,
        signal,
      };
      watches.add(end);
      try {
        yield* watchChanges(watched, after);
      } finally {
        watches.delete(end);
      }
    },
    close,
    [Symbol.asyncDispose]: async () => {
      close();
      await transport;
    },
  };
}
