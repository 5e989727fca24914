import { isId, toBook, type Book, type BookFields, type BookPatch } from '../book.ts';
import { unwrap } from '../envelope.ts';
import { ShelflistError } from '../errors.ts';
import { readBookStream } from './book-stream.ts';
import { createTransport, type Answer, type Exchange, type Transport } from './transport.ts';

export interface ClientOptions {
  /** Where the service is, with the path it is mounted under, if any. Default `http://127.0.0.1:8080`. */
  url?: string;
  /** A token from an earlier login. */
  token?: string;
  /** How long to wait for an answer that does not come, in milliseconds. Default 30,000. */
  timeoutMs?: number;
}

/** Where a service is that was started without a word. */
export const defaultServiceUrl = 'http://127.0.0.1:8080';

/**
 * The service's operations, one method each. Every one of them rejects with a `ShelflistError`: the service's
 * own error, `unreachable` when no answer came, `bad_response` when the answer was not the service's.
 */
export interface Client {
  /** Gets a token, which the client sends from now on; it lasts 15 minutes. */
  login(username: string, password: string): Promise<string>;
  /** Every book, by id. */
  list(): Promise<Book[]>;
  /**
   * The same, one book after the other: memory stays the same however many there are, and the reader sets the
   * pace. Who stops reading ends the request.
   */
  books(): AsyncGenerator<Book, void, undefined>;
  get(id: number): Promise<Book>;
  /** Stores a new book; a field that is missing gets the empty value of its type. */
  create(fields: Partial<BookFields>): Promise<Book>;
  /**
   * Stores many new books in one request: the ids of those that were stored, in their order, and why the others were
   * not. What ends in an error may have stored some of them.
   */
  createMany(books: readonly Partial<BookFields>[]): Promise<Imported>;
  /** Changes the named fields and no others. */
  update(id: number, patch: BookPatch): Promise<Book>;
  delete(id: number): Promise<void>;
  /** Asks whether the service is there, whether it takes the token, and what time it has. */
  check(): Promise<ServiceCheck>;
  /** Lets go of the connections that are kept open between calls. */
  close(): void;
}

/** What became of many books that were sent together. */
export interface Imported {
  /** Of the books that were stored, in their order. */
  ids: number[];
  /** The others: `line` is the book's place, counted from 1. */
  rejected: { line: number; message: string }[];
}

/** What a service says of itself and of the client's token. */
export interface ServiceCheck {
  /** Whether it takes the token that the client sends. */
  accepted: boolean;
  /** The time that it has, by whole seconds; `undefined` when it does not say. */
  date: Date | undefined;
}

/**
 * Makes a client of one service. It sends its token to that service only; redirects are not followed.
 *
 * @throws {TypeError} `url` is not the address of an HTTP service.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8080' });
 * await client.login('librarian', 'correct horse battery staple');
 * const book = await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
 */
export function createClient(options: ClientOptions = {}): Client {
  const { url = defaultServiceUrl, timeoutMs = 30_000 } = options;
  let { token } = options;
  const base = parseServiceUrl(url);
  let transport: Promise<Transport> | undefined;
  const connect = () => (transport ??= createTransport(base, timeoutMs));

  async function call(exchange: Exchange): Promise<unknown> {
    return open(await (await connect()).send({ token, ...exchange }));
  }

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
    list: async () => readBooks(await call({ method: 'GET', path: '/books' })),
    get: async (id) => readBook(await call({ method: 'GET', path: bookPath(id) })),
    create: async (fields) => readBook(await call({ method: 'POST', path: '/book', body: fields })),
    createMany: async (books) => readImported(await call({ method: 'POST', path: '/books', body: books })),
    update: async (id, patch) => readBook(await call({ method: 'PUT', path: bookPath(id), body: patch })),
    delete: async (id) => {
      await call({ method: 'DELETE', path: bookPath(id) });
    },
    async *books() {
      const answer = await (await connect()).stream({ method: 'GET', path: '/books', token });
      if ('chunks' in answer) yield* readBookStream(answer.status, answer.chunks);
      else open(answer);
    },
    async check() {
      const answer = await (await connect()).send({ method: 'GET', path: bookPath(1), token });
      const time = Date.parse(answer.date ?? '');
      return { accepted: isAccepted(answer), date: Number.isNaN(time) ? undefined : new Date(time) };
    },
    close: () => {
      void transport?.then((opened) => {
        opened.close();
      });
    },
  };
}

/** @throws {TypeError} */
export function parseServiceUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new TypeError(
      'the address of a service starts with http:// or https://, for example http://127.0.0.1:8080',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw new TypeError('the address of a service holds no user and no password; log in with them');
  }
  return url;
}

/** The data of an answer. @throws {ShelflistError} */
function open({ status, text, retryAfter }: Answer): unknown {
  return unwrap(status, text, retryAfter);
}

/** Whether an answer about a book, which may not be there, says that the token is good. */
function isAccepted(answer: Answer): boolean {
  try {
    open(answer);
    return true;
  } catch (error) {
    if (!(error instanceof ShelflistError) || error.code === 'bad_response') throw error;
    if (error.code === 'book_not_found') return true;
    if (error.code === 'token_required' || error.code === 'invalid_token') return false;
    throw error;
  }
}

function bookPath(id: number): string {
  return `/book/${id}`;
}

function readToken(data: unknown): string {
  if (typeof data === 'object' && data !== null && 'token' in data && typeof data.token === 'string')
    return data.token;
  throw unexpected('a token');
}

function readBook(data: unknown): Book {
  const book = toBook(data);
  if (book) return book;
  throw unexpected('a book');
}

function readImported(data: unknown): Imported {
  const { ids, rejected } = Object(data) as Partial<Record<keyof Imported, unknown>>;
  if (Array.isArray(ids) && ids.every(isId) && Array.isArray(rejected) && rejected.every(isRejection))
    return { ids, rejected };
  throw unexpected('what became of the books');
}

function isRejection(value: unknown): value is Imported['rejected'][number] {
  const { line, message } = Object(value) as Record<string, unknown>;
  return isId(line) && typeof message === 'string';
}

function readBooks(data: unknown): Book[] {
  if (Array.isArray(data)) return data.map(readBook);
  throw unexpected('a list of books');
}

function unexpected(expected: string): ShelflistError {
  return new ShelflistError('bad_response', { message: `the server's answer does not hold ${expected}` });
}
