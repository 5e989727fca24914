import type { Book, BookFields, BookPatch } from '../book.ts';
import type { PageQuery } from '../query/parameters.ts';
import type { BookQuery } from '../query/query.ts';
import { defaultServiceUrl, parseServiceUrl } from './address.ts';
import {
  open,
  readBook,
  readBookOf,
  readBooks,
  readCheck,
  readImported,
  readPage,
  readTagged,
  readToken,
  type BookPage,
  type Imported,
  type ServiceCheck,
  type TaggedBook,
} from './answers.ts';
import { readBookStream } from './book-stream.ts';
import { ifMatch, ifNoneMatch, type WriteCondition } from './conditions.ts';
import { checkOptions, type ClientOptions } from './options.ts';
import { bookPath, booksPath } from './paths.ts';
import { createTransport, type Answer, type Exchange, type Transport } from './transport.ts';

export type { ClientOptions } from './options.ts';
export type { WriteCondition } from './conditions.ts';

/**
 * The service's operations, one method each. Every one of them rejects with a `ShelflistError`: the service's
 * own error, `unreachable` when no answer came, `bad_response` when the answer was not the service's.
 * Invalid arguments are a `TypeError`, before anything is sent: an id that is not a whole number from 1 to 2^53-1, or a
 * malformed tag. The same holds for a query or condition with an unknown member or a member of the wrong type.
 */
export interface Client {
  /** Gets a token, which the client sends from now on; it lasts 15 minutes. */
  login(username: string, password: string): Promise<string>;
  /** The books that a query fits, in its order; without one every book, by id. */
  list(query?: BookQuery): Promise<Book[]>;
  /**
   * The same, one book after the other: memory stays the same however many there are, and the reader sets the
   * pace. Who stops reading ends the request.
   */
  books(query?: BookQuery): AsyncGenerator<Book, void, undefined>;
  /** A part of them: `limit` books or fewer, and the cursor of the page that follows. */
  page(query: PageQuery): Promise<BookPage>;
  get(id: number): Promise<Book>;
  /** A book with the tag of its contents, for {@link WriteCondition}. */
  getTagged(id: number): Promise<TaggedBook>;
  /** The book as it is now: if it has not changed, the very object that was handed in, and then no book travels. */
  refresh(known: TaggedBook): Promise<TaggedBook>;
  /** Stores a new book; a field that is missing gets the empty value of its type. */
  create(fields: Partial<BookFields>): Promise<Book>;
  /**
   * Stores many new books in one request: the ids of those that were stored, in their order, and why the others were
   * not. What ends in an error may have stored some of them.
   */
  createMany(books: readonly Partial<BookFields>[]): Promise<Imported>;
  /** Changes the named fields and no others. `precondition_failed`: the condition does not hold; nothing was changed. */
  update(id: number, patch: BookPatch, condition?: WriteCondition): Promise<Book>;
  /** `precondition_failed`: the condition does not hold; nothing was deleted. */
  delete(id: number, condition?: WriteCondition): Promise<void>;
  /** Asks whether the service is there, whether it takes the token, and what time it has. */
  check(): Promise<ServiceCheck>;
  /** Lets go of the connections that are kept open between calls. */
  close(): void;
}

/**
 * Makes a client of one service. It sends its token to that service only; redirects are not followed.
 *
 * @throws {TypeError} `url` is not the address of an HTTP service, or an option has the wrong type.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8080' });
 * await client.login('librarian', 'correct horse battery staple');
 * const book = await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
 */
export function createClient(options: ClientOptions = {}): Client {
  const { url = defaultServiceUrl, timeoutMs = 30_000 } = checkOptions(options);
  let { token } = options;
  const base = parseServiceUrl(url);
  let transport: Promise<Transport> | undefined;
  const connect = () => (transport ??= createTransport(base, timeoutMs));

  async function send(exchange: Exchange): Promise<Answer> {
    return (await connect()).send({ token, ...exchange });
  }
  const call = async (exchange: Exchange) => open(await send(exchange));

  return {
    async login(username, password) {
      // A login sends no token: an old one has no part in it.
      const data = await call({
        method: 'POST',
        path: '/token',
        token: undefined,
        body: { username, password },
      });
      token = readToken(data);
      return token;
    },
    list: async (query) => readBooks(await call({ method: 'GET', path: booksPath(query) })),
    async *books(query) {
      const answer = await (await connect()).stream({ method: 'GET', path: booksPath(query), token });
      if ('chunks' in answer) yield* readBookStream(answer.status, answer.chunks);
      else open(answer);
    },
    async page(query) {
      const { count } = query; // Throws without a query, before any request.
      return readPage(await send({ method: 'GET', path: booksPath(query) }), count === true);
    },
    get: async (id) => readBookOf(id, await call({ method: 'GET', path: bookPath(id) })),
    getTagged: async (id) => readTagged(id, await send({ method: 'GET', path: bookPath(id) })),
    async refresh(known) {
      const { book, tag } = known;
      const answer = await send({ method: 'GET', path: bookPath(book.id), ...ifNoneMatch(tag) });
      return answer.status === 304 ? known : readTagged(book.id, answer);
    },
    create: async (fields) => readBook(await call({ method: 'POST', path: '/book', body: fields })),
    createMany: async (books) => readImported(await call({ method: 'POST', path: '/books', body: books })),
    update: async (id, patch, condition) =>
      readBookOf(id, await call({ method: 'PUT', path: bookPath(id), body: patch, ...ifMatch(condition) })),
    delete: async (id, condition) => {
      await call({ method: 'DELETE', path: bookPath(id), ...ifMatch(condition) });
    },
    check: async () => readCheck(await send({ method: 'GET', path: bookPath(1) })),
    close: () => {
      void transport?.then((opened) => {
        opened.close();
      });
    },
  };
}
