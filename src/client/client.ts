import { hasCode, ShelflistError } from '../catalogue/errors.ts';
import type { Book } from '../catalogue/book.ts';
import type { Answer } from '../catalogue/envelope.ts';
import { maxLimit } from '../catalogue/query-string.ts';
import type { BookQuery } from '../catalogue/query.ts';
import { findRefusal, open, readToken, unexpected } from './answers.ts';
import { bind, operations, undoStep, type Operations, type PageOptions } from './operations.ts';
import {
  checkTexts,
  defaultServiceUrl,
  parseServiceUrl,
  readCallOptions,
  readClientOptions,
  type CallOptions,
  type ClientOptions,
  type UndoOptions,
  type WatchOptions,
} from './options.ts';
import { Sender } from './sender.ts';
import { isTransientError, pause, watchChanges, type WatchEvent } from './watch.ts';

/** The result of {@link Client.check}. */
export interface ServiceCheck {
  /** Whether the service accepts the token of the client. */
  accepted: boolean;
  /** The time of the service in whole seconds, if it sends it. */
  date: Date | undefined;
}

/** The result of {@link Client.undo}. */
export interface UndoResult {
  /** The batch of the undo itself; `undefined` if it changed nothing. */
  batch: string | undefined;
  /** The number of books that it changed. */
  undone: number;
  /** The ids of the books that others changed since. */
  left: number[];
  /** Whether it was stopped before its end. */
  isStopped: boolean;
}

/**
 * The operations of the service. All reject with a `ShelflistError`: the error of the service, `unreachable` without a
 * response, `timeout` without a complete one in time, or `bad_response` if the response is not from a shelflist service.
 * A call that the `signal` of its options ends rejects with the reason of that signal.
 *
 * Invalid arguments reject with a `TypeError` before anything is sent: an id that is not an integer from 1 to 2^53-1, a
 * malformed tag, or a query or options with an unknown member or a member of the wrong type.
 */
export interface Client extends Operations {
  /** Gets a token, which lasts 15 minutes. The client sends it from now on, instead of `options.token`. */
  login(username: string, password: string, options?: CallOptions): Promise<string>;
  /** Forgets the token: later requests have none. */
  logout(): void;
  /**
   * Exchanges the token for one that lasts 15 more minutes. Requests do so themselves when a third of its time is over, until
   * the service ends the session (`SESSION_HOURS` after the login).
   */
  renew(options?: CallOptions): Promise<string>;
  /**
   * Replaces the password of the service, where it can store one. The client then has the token of a login with the new one.
   *
   * @throws {ShelflistError} `invalid_credentials`: `password` is not the current one; `not_found`: the service cannot store one.
   */
  changePassword(password: string, newPassword: string, options?: CallOptions): Promise<string>;
  /**
   * Yields the books of {@link list} one by one, in bounded memory. The request ends when the reader stops.
   */
  iterate(query?: BookQuery, options?: CallOptions): AsyncGenerator<Book, void, undefined>;
  /**
   * Takes back what a batch did: each book gets the state it had before. Skips books that others have changed since. The undo
   * is a batch itself, which can be undone. After a failure, repeat the call to undo the rest.
   */
  undo(batch: string, options?: UndoOptions): Promise<UndoResult>;
  /**
   * Yields each change of a book as it happens, by any client. It reconnects after every transient failure, and continues after
   * the last position; `reset` means that changes are missing. {@link close} ends it.
   */
  watch(options?: WatchOptions): AsyncGenerator<WatchEvent, void, undefined>;
  /** Checks whether the service runs and accepts the token, and reads its clock. */
  check(options?: CallOptions): Promise<ServiceCheck>;
  /** Ends every call in flight, and {@link watch}. Later calls are possible. */
  close(): void;
  /** {@link close}, at the end of a block that declares the client with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates a client of one service. It sends its token to that service only, and follows no redirects.
 *
 * @throws {TypeError} `url` is not the address of an HTTP service, or an option is unknown or has the wrong type.
 *
 * @example
 * const client = createClient({ url: 'http://127.0.0.1:8080' });
 * await client.login('librarian', 'correct horse battery staple');
 * const book = await client.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
 */
export function createClient(options: ClientOptions = {}): Client {
  const sender = createSender(readClientOptions(options));
  const methods = Object.fromEntries(
    Object.entries(operations).map(([name, each]) => [
      name,
      bind(each as never, sender.send, sender.sendRepeated),
    ]),
  ) as unknown as Operations;
  const close = () => {
    sender.close();
  };
  return {
    ...methods,
    async login(username, password, options) {
      const body = checkTexts({ username, password });
      const token = await sender.requestToken({ path: '/token', body, ...readCallOptions(options) });
      sender.tokens.replace(token);
      return token;
    },
    async changePassword(password, newPassword, options) {
      const body = checkTexts({ password, newPassword });
      const request = { method: 'POST' as const, path: '/password', body, ...readCallOptions(options) };
      const token = readToken(open(await sender.send(request)));
      sender.tokens.replace(token);
      return token;
    },
    logout() {
      sender.tokens.replace(undefined);
    },
    async renew(options) {
      const { signal } = readCallOptions(options);
      return sender.during((limit) => limit.wait(undefined, '', sender.tokens.renew()), signal); // Other calls may wait for it, too.
    },
    iterate: (query, options) => readAll(methods.page, query, options),
    undo: (batch, options) => undo(sender, batch, options),
    watch: (options) => watch(sender, options),
    async check(options) {
      const token = await sender.tokens.current(); // A refused one is reported, not replaced.
      return readCheck(await sender.sendPlain({ path: '/book/1', token, ...readCallOptions(options) }));
    },
    close,
    [Symbol.asyncDispose]() {
      close();
      return Promise.resolve();
    },
  };
}

function createSender({ url = defaultServiceUrl, headers, credentials, ...rest }: ClientOptions): Sender {
  const { origin, pathname } = parseServiceUrl(url);
  const send = rest.fetch ?? ((address, init) => fetch(address, init));
  return new Sender({ root: origin + pathname.replace(/\/+$/, ''), fetch: send, headers, credentials }, rest);
}

function readAll(
  readPage: Operations['page'],
  query?: BookQuery,
  options?: CallOptions,
): AsyncGenerator<Book, void, undefined> {
  return readPages(async (page) => {
    operations.list.send(query); // Throws for an invalid query, whose copy could match other books.
    const { books, next } = await readPage({ ...query, ...page }, options);
    return { items: books, next };
  });
}

/**
 * Reads the first items of a listing, page by page. A page may be shorter than requested without being the last.
 *
 * @param readPage Requests a page.
 * @throws {ShelflistError} `bad_response`: a page does not lead to the next.
 */
export async function* readPages<Item>(
  readPage: (page: PageOptions) => Promise<{ items: readonly Item[]; next: string | undefined }>,
  count = Infinity,
): AsyncGenerator<Item, void, undefined> {
  let after: string | undefined;
  for (let left = count; left > 0;) {
    const limit = Math.min(left, maxLimit);
    const { items, next } = await readPage({ limit, ...(after !== undefined && { after }) });
    yield* items.slice(0, left);
    left -= items.length;
    if (next === undefined) return;
    if (next === after)
      throw new ShelflistError('bad_response', {
        message: "the server's answer does not lead to the next page",
      });
    after = next;
  }
}

async function undo(sender: Sender, id: string, options?: UndoOptions): Promise<UndoResult> {
  const { onProgress, signal } = readCallOptions(options, ['onProgress']);
  const step = bind(undoStep, sender.send, sender.send);
  const result: UndoResult = { batch: undefined, undone: 0, left: [], isStopped: false };
  for (let before: number | undefined; ;) {
    result.isStopped = signal?.aborted === true;
    if (result.isStopped) return result;
    const { batch, undone, left, next } = await step(id, { before, batch: result.batch });
    result.batch ??= batch ?? undefined;
    result.undone += undone;
    result.left.push(...left);
    onProgress?.({ undone: result.undone, left: result.left.length, batch: result.batch });
    if (next === null) return result;
    if (before !== undefined && next >= before) throw unexpected('the next step of the undo');
    before = next;
  }
}

async function* watch(sender: Sender, options?: WatchOptions): AsyncGenerator<WatchEvent, void, undefined> {
  const { after, onConnect, signal: outer } = readCallOptions(options, ['after', 'onConnect']);
  const limit = sender.limited(outer);
  const { signal } = limit;
  try {
    yield* watchChanges(
      {
        read: (position, onOpen) =>
          sender.streamChanges(position, signal, () => {
            onOpen();
            onConnect?.();
          }),
        onFrame: () => sender.tokens.fresh(), // A stream ends with its token.
        isTransient: isTransientError,
        pause,
        signal,
      },
      after,
    );
  } finally {
    sender.release(limit);
  }
}

/** Reads the response to a request for a book, which may not exist. */
function readCheck(answer: Answer): ServiceCheck {
  const accepted = findRefusal(answer) === undefined;
  try {
    if (accepted) open(answer);
  } catch (error) {
    if (!hasCode(error, 'book_not_found')) throw error;
  }
  const time = Date.parse(answer.headers.get('Date') ?? '');
  return { accepted, date: Number.isNaN(time) ? undefined : new Date(time) };
}
