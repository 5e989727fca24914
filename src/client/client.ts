import { hasCode, ShelflistError } from '../catalogue/errors.ts';
import type { Book } from '../catalogue/book.ts';
import type { BookQuery } from '../catalogue/query.ts';
import type { RawResponse } from '../api/envelope.ts';
import { bookParameters, maxLimit, type Paging } from '../api/queries.ts';
import { formatQuery } from '../api/query-string.ts';
import { findRefusal, dataOf, readToken, unexpected } from './answers.ts';
import {
  bind,
  methods,
  undoStep,
  type Client,
  type Methods,
  type ServiceCheck,
  type UndoResult,
} from './methods.ts';
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
import { pause } from '../lib/pause.ts';
import { isTransientError, watchChanges, type WatchEvent } from './watch.ts';

export type { Client, ServiceCheck, UndoResult } from './methods.ts';

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
  return clientOf(createSender(options));
}

/** The client that sends by this sender. */
export function clientOf(sender: Sender): Client {
  const bound = Object.fromEntries(
    Object.entries(methods).map(([name, each]) => [
      name,
      bind(each as never, sender.send, sender.sendRepeated),
    ]),
  ) as unknown as Methods;
  const close = () => {
    sender.close();
  };
  return {
    ...(bound satisfies Pick<Client, keyof Methods>),
    async login(username, password, options) {
      const body = checkTexts({ username, password });
      const token = await sender.requestToken({ path: '/token', body, ...readCallOptions(options) });
      sender.tokens.replace(token);
      return token;
    },
    async exchangeCode(code, options) {
      const body = checkTexts({ code });
      const token = await sender.requestToken({ path: '/token/exchange', body, ...readCallOptions(options) });
      sender.tokens.replace(token);
      return token;
    },
    async changePassword(password, newPassword, options) {
      const body = checkTexts({ password, newPassword });
      const request = { method: 'POST' as const, path: '/password', body, ...readCallOptions(options) };
      const token = readToken(await sender.send(request));
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
    iterate: (query, options) => readAll(bound.page, query, options),
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

/** Creates what sends the requests of a client. @throws As {@link createClient}. */
export function createSender(options: ClientOptions): Sender {
  const { url = defaultServiceUrl, headers, credentials, ...rest } = readClientOptions(options);
  const { origin, pathname } = parseServiceUrl(url);
  const send = rest.fetch ?? ((address, init) => fetch(address, init));
  return new Sender({ root: origin + pathname.replace(/\/+$/, ''), fetch: send, headers, credentials }, rest);
}

function readAll(
  readPage: Client['page'],
  query: BookQuery = {},
  options?: CallOptions,
): AsyncGenerator<Book, void, undefined> {
  return readPages(async (page) => {
    formatQuery(query, bookParameters); // Throws for an invalid query, whose copy could match other books.
    return readPage({ ...query, ...page }, options);
  });
}

/**
 * Reads the first items of a listing, page by page. A page may be shorter than requested without being the last.
 *
 * @param readPage Requests a page.
 * @throws {ShelflistError} `bad_response`: a page does not lead to the next.
 */
export async function* readPages<Item>(
  readPage: (page: Paging) => Promise<{ items: readonly Item[]; next: string | undefined }>,
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
        message: 'the response of the service does not lead to the next page',
      });
    after = next;
  }
}

async function undo(sender: Sender, id: string, options?: UndoOptions): Promise<UndoResult> {
  const { onProgress, signal, batch: begun } = readCallOptions(options, ['onProgress', 'batch']);
  const step = bind(undoStep, sender.send, sender.send);
  const result: UndoResult = { batch: begun, undone: 0, left: [] };
  for (let before: number | undefined; ;) {
    const { batch, undone, left, next } = await step(id, before === undefined ? {} : { before }, {
      batch: result.batch,
      signal,
    });
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
  const limit = sender.openScope(outer);
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
function readCheck(answer: RawResponse): ServiceCheck {
  const accepted = findRefusal(answer) === undefined;
  try {
    if (accepted) dataOf(answer);
  } catch (error) {
    if (!hasCode(error, 'book_not_found')) throw error;
  }
  const time = Date.parse(answer.headers.get('Date') ?? '');
  return { accepted, date: Number.isNaN(time) ? undefined : new Date(time) };
}
