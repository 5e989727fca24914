import { defaultServiceUrl, parseServiceUrl } from './address.ts';
import { findRefusal, hasCode, open, readToken } from './answers.ts';
import {
  createBook,
  createBooks,
  deleteBook,
  eachPage,
  getBook,
  getTagged,
  listBooks,
  lookUpBooks,
  readDuplicates,
  readPage,
  refreshBook,
  updateBook,
} from './books.ts';
import type { Answer } from '../catalogue/envelope.ts';
import { ShelflistError } from '../catalogue/errors.ts';
import type { Client, ServiceCheck } from './client.ts';
import { readBatch, readHistory, readTrash, revertBook, undoBatch } from './history.ts';
import { createLimit, type Limit } from './limit.ts';
import { checkCallOptions, checkTag, readClientOptions, type CallOption } from './checks.ts';
import type { ClientOptions } from './options.ts';
import { repeat } from './repeat.ts';
import { readCorrections, readStatistics, readSuggestions } from './questions.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { TokenHolder } from './token-holder.ts';
import { isTransientError, openChanges, pause, watchChanges, type Watched } from './watch.ts';
import {
  chunksOf,
  exchangeStream,
  exchangeText,
  type Exchange,
  type Send,
  type StreamedAnswer,
  type Wire,
} from './wire.ts';

/** The maximum number of requests in flight: a server refuses thousands of connections at once. */
const maxRequests = 64;
/** A stream without a heartbeat for this long is broken, in milliseconds. The service sends one every 15 s. */
const maxQuietMs = 45_000;

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
  const { url = defaultServiceUrl, timeoutMs = 30_000, token, signal, ...rest } = readClientOptions(options);
  const { origin, pathname } = parseServiceUrl(url);
  const wire: Wire = {
    ...rest,
    fetch: rest.fetch ?? ((address, init) => fetch(address, init)),
    root: origin + pathname.replace(/\/+$/, ''),
  };
  const limits = new Set<Limit>();
  const tokens = new TokenHolder(token, {
    renew: (token) => requestToken({ path: '/token/renew', token }),
    onUnauthorized: rest.onUnauthorized,
    onRenewed: rest.onRenewed,
  });

  function limited(...signals: (AbortSignal | undefined)[]): Limit {
    const limit = createLimit(signal, ...signals);
    limits.add(limit);
    return limit;
  }
  function release(limit: Limit): void {
    limits.delete(limit);
    limit.end();
  }
  const inTime = <T>(limit: Limit, call: Promise<T>) =>
    limit.wait(timeoutMs, `${wire.root}: no complete response within`, call);

  const slots = new Semaphore(maxRequests);
  const exchangeInTurn = (exchange: Exchange) =>
    slots.run(() => exchangeText(wire, exchange), exchange.signal);

  /** Makes a call, within the time and the signals of the client. */
  async function call<T>({ signal }: Exchange, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = limited(signal);
    try {
      return await inTime(limit, work(limit.signal));
    } finally {
      release(limit);
    }
  }

  /** Sends a request with the token; once more if the service refuses the token and there is another. */
  async function authorized<Reply extends Answer | StreamedAnswer>(
    request: (token: string | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    const used = await tokens.fresh();
    const reply = await request(used);
    if (!findRefusal(reply) || !(await tokens.replaceRefused(used))) return reply;
    return request(tokens.token);
  }

  const attempt: Send = (exchange) =>
    call(exchange, (signal) => authorized((token) => exchangeInTurn({ ...exchange, token, signal })));

  const send: Send = async (exchange) => {
    if (exchange.isRepeatable !== true) return attempt(exchange);
    const limit = limited(exchange.signal);
    const { signal } = limit;
    try {
      return await repeat(async () => {
        const answer = await attempt({ ...exchange, signal });
        if (answer.status >= 400) open(answer); // Throws.
        return answer;
      }, signal);
    } finally {
      release(limit);
    }
  };

  const sendOnce: Send = (exchange) => call(exchange, (signal) => exchangeInTurn({ ...exchange, signal }));

  const close = () => {
    for (const limit of limits)
      limit.abort(new ShelflistError('unreachable', { message: 'the client was closed' }));
  };

  const requestToken = async (exchange: Exchange) =>
    readToken(open(await sendOnce({ ...exchange, method: 'POST' })));

  /** Reads the stream of changes after a position. */
  async function* readChanges(outer: AbortSignal, position: string | undefined, onOpen: () => void) {
    const limit = limited(outer);
    const { signal } = limit;
    const headers = position === undefined ? {} : { 'Last-Event-ID': position };
    const exchange = { path: '/changes', headers, signal };
    try {
      const request = authorized((token) => exchangeStream(wire, { ...exchange, token }));
      const answer = openChanges(await inTime(limit, request));
      onOpen();
      yield* chunksOf(
        wire,
        answer,
        (chunk) => limit.wait(maxQuietMs, `${wire.root}: the response stopped for`, chunk),
        signal,
      );
    } finally {
      release(limit);
    }
  }

  /** An operation as a method. @param at The position of its options. @param names Those besides `signal`. */
  const bind =
    <Args extends unknown[], Result>(
      operation: (send: Send, ...args: Args) => Promise<Result>,
      at: number,
      names?: readonly CallOption[],
    ) =>
    async (...args: Args): Promise<Result> => {
      args[at] = checkCallOptions(args[at] as object | undefined, names);
      return operation(send, ...args);
    };

  return {
    async login(username, password, options) {
      const body = { username, password };
      const token = await requestToken({ path: '/token', body, ...checkCallOptions(options) });
      tokens.replace(token);
      return token;
    },
    renew: () => tokens.renew(),
    list: bind(listBooks, 1),
    async *books(query, options) {
      for await (const page of eachPage(send, query, checkCallOptions(options))) yield* page;
    },
    page: bind(readPage, 1),
    duplicates: bind(readDuplicates, 1),
    stats: bind(readStatistics, 1),
    suggest: bind(readSuggestions, 2),
    corrections: bind(readCorrections, 1),
    get: bind(getBook, 1),
    getTagged: bind(getTagged, 1),
    async refresh(tagged, options) {
      checkTag(tagged.tag);
      return refreshBook(send, tagged, checkCallOptions(options));
    },
    create: bind(createBook, 1, ['batch', 'idempotencyKey']),
    createMany: bind(createBooks, 1, ['batch', 'idempotencyKey']),
    lookup: bind(lookUpBooks, 1),
    update: bind(updateBook, 2, ['ifMatch', 'batch']),
    delete: bind(deleteBook, 1, ['ifMatch', 'batch']),
    history: bind(readHistory, 1),
    revert: bind(revertBook, 1, ['version', 'ifMatch', 'ifNoneMatch', 'batch']),
    trash: bind(readTrash, 1),
    batch: bind(readBatch, 1),
    undo: bind(undoBatch, 1, ['onProgress']),
    async *watch(options) {
      const { after, signal } = checkCallOptions(options, ['after']) ?? {};
      const limit = limited(signal);
      const watched: Watched = {
        read: (position, onOpen) => readChanges(limit.signal, position, onOpen),
        onFrame: () => tokens.fresh(), // A stream ends with its token.
        isTransient: isTransientError,
        pause,
        signal: limit.signal,
      };
      try {
        yield* watchChanges(watched, after);
      } finally {
        release(limit);
      }
    },
    async check(options) {
      const token = await tokens.current(); // A refused one is reported, not replaced.
      return readCheck(await sendOnce({ path: '/book/1', token, ...checkCallOptions(options) }));
    },
    close,
    [Symbol.asyncDispose]() {
      close();
      return Promise.resolve();
    },
  };
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
