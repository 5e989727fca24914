import type { RawResponse } from '../api/envelope.ts';
import { causesOf, hasCode, ShelflistError, type ErrorCode } from '../catalogue/errors.ts';
import { Semaphore } from '../lib/semaphore.ts';
import { dataOf, findRefusal, readToken } from './answers.ts';
import type { ClientOptions } from './options.ts';
import { TokenHolder } from './tokens.ts';
import { pause } from '../lib/pause.ts';
import { openChanges } from './watch.ts';
import {
  chunksOf,
  createScope,
  exchangeStream,
  exchangeText,
  type WireRequest,
  type CallScope,
  type StreamedAnswer,
  type Wire,
} from './wire.ts';

/** The maximum number of requests in flight: a server refuses thousands of connections at once. */
const maxRequests = 64;
/** A stream without a heartbeat for this long is broken, in milliseconds. The service sends one every 15 s. */
const idleTimeoutMs = 45_000;

/** The maximum number of repeats of a request. */
const maxRetries = 3;
/** The pauses before repeats grow by this factor. */
const pauseMs = { first: 250, factor: 3 };
/** The maximum pause that `Retry-After` can ask for. */
const maxRetryAfterMs = 2000;
/** Errors after which the outcome is unknown: the service may have stored the books, or may do so soon. */
const unknownOutcomeCodes: readonly ErrorCode[] = [
  'unreachable',
  'timeout',
  'unavailable',
  'request_in_progress',
];
/** A first request that never left is not repeated: its address is wrong, or the service does not run. */
const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Sends the requests of a client: with its token, within its time, not too many at once. */
export class Sender {
  readonly tokens: TokenHolder;
  readonly #wire: Wire;
  readonly #timeoutMs: number;
  readonly #signal: AbortSignal | undefined;
  readonly #slots = new Semaphore(maxRequests);
  readonly #limits = new Set<CallScope>();

  constructor(
    wire: Wire,
    {
      token,
      timeoutMs = 30_000,
      signal,
      onUnauthorized,
      onRenewed,
    }: Pick<ClientOptions, 'token' | 'timeoutMs' | 'signal' | 'onUnauthorized' | 'onRenewed'>,
  ) {
    this.#wire = wire;
    this.#timeoutMs = timeoutMs;
    this.#signal = signal;
    const renew = (token: string | undefined) => this.requestToken({ path: '/token/renew', token });
    this.tokens = new TokenHolder(token, { renew, onUnauthorized, onRenewed });
  }

  /** Sends a request with the token of the client. */
  readonly send = (exchange: WireRequest): Promise<RawResponse> =>
    this.during(async (limit) => {
      const { signal } = limit;
      return this.#authorized(limit, (token) => this.#inTurn({ ...exchange, token, signal }));
    }, exchange.signal);

  /** Sends a request as it is: a refused token is not replaced. */
  readonly sendPlain = (exchange: WireRequest): Promise<RawResponse> =>
    this.during(
      (limit) => this.#inTime(limit, this.#inTurn({ ...exchange, signal: limit.signal })),
      exchange.signal,
    );

  /** Sends a request that is safe to repeat, and repeats it while its outcome is unknown. */
  readonly sendRepeated = (exchange: WireRequest): Promise<RawResponse> =>
    this.during(async ({ signal }) => {
      const { user } = this.tokens;
      for (let repeats = 0; ; repeats++) {
        try {
          const answer = await this.send({ ...exchange, signal });
          if (answer.status >= 400) dataOf(answer); // Throws.
          return answer;
        } catch (error) {
          if (repeats === maxRetries || signal.aborted || !hasUnknownOutcome(error)) throw error;
          // After a broken connection, the service may be starting again.
          if (repeats === 0 && wasUnsent(error)) throw error;
          // The service tells the keys of users apart: as a request of another, it would not be a repeat.
          if (this.tokens.user !== user) throw error;
          // Spreads the repeats of clients that failed together.
          const growingMs = pauseMs.first * pauseMs.factor ** repeats * (0.5 + Math.random());
          await pause(Math.max(growingMs, retryAfterMs(error)), signal);
          signal.throwIfAborted();
          if (this.tokens.user !== user) throw error;
        }
      }
    }, exchange.signal);

  async requestToken(exchange: WireRequest): Promise<string> {
    return readToken(await this.sendPlain({ ...exchange, method: 'POST' }));
  }

  /** The chunks of `GET /changes` after a position. @param onOpen Called when the response is a stream. */
  async *streamChanges(
    position: string | undefined,
    outer: AbortSignal,
    onOpen: () => void,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    const limit = this.openScope(outer);
    const { signal } = limit;
    const headers = position === undefined ? {} : { 'Last-Event-ID': position };
    try {
      const answer = openChanges(
        await this.#authorized(limit, (token) =>
          exchangeStream(this.#wire, { path: '/changes', headers, token, signal }),
        ),
      );
      onOpen();
      const problem = `${this.#wire.root}: the response stopped for`;
      yield* chunksOf(this.#wire, answer, (chunk) => limit.wait(idleTimeoutMs, problem, chunk), signal);
    } finally {
      this.release(limit);
    }
  }

  /** Runs work under the signals of the client and of a call. */
  async during<T>(work: (limit: CallScope) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const limit = this.openScope(signal);
    try {
      return await work(limit);
    } finally {
      this.release(limit);
    }
  }

  openScope(signal: AbortSignal | undefined): CallScope {
    const limit = createScope(this.#signal, signal);
    this.#limits.add(limit);
    return limit;
  }

  release(limit: CallScope): void {
    this.#limits.delete(limit);
    limit.end();
  }

  /** Ends what is in flight. */
  close(): void {
    for (const limit of this.#limits)
      limit.abort(new ShelflistError('unreachable', { message: 'the client was closed' }));
  }

  /** Sends a request with the token; again if the service refuses the token and there is another. */
  async #authorized<Reply extends RawResponse | StreamedAnswer>(
    limit: CallScope,
    request: (token: string | undefined) => Promise<Reply>,
  ): Promise<Reply> {
    let used: string | undefined;
    let reply = await this.#inTime(
      limit,
      this.tokens.fresh().then((token) => request((used = token))),
    );
    for (let isLast = false; !isLast && findRefusal(reply);) {
      isLast = this.tokens.token === used; // Else it was renewed meanwhile, and the next one may be refused, too.
      // Outside the limits: a login by the user takes any time, and needs a slot.
      if (!(await limit.wait(undefined, '', this.tokens.replaceRefused(used)))) break;
      used = this.tokens.token;
      reply = await this.#inTime(limit, request(used));
    }
    return reply;
  }

  #inTurn(exchange: WireRequest): Promise<RawResponse> {
    return this.#slots.run(() => exchangeText(this.#wire, exchange), exchange.signal);
  }

  #inTime<T>(limit: CallScope, work: Promise<T>): Promise<T> {
    return limit.wait(this.#timeoutMs, `${this.#wire.root}: no complete response within`, work);
  }
}

function hasUnknownOutcome(error: unknown): error is ShelflistError {
  return hasCode(error, ...unknownOutcomeCodes);
}

/** The pause that the service asks for, in milliseconds. */
function retryAfterMs({ retryAfter = 0 }: ShelflistError): number {
  return Math.min(retryAfter * 1000, maxRetryAfterMs);
}

/** Whether an error, or one of its causes, says that the request was not sent. */
export function wasUnsent(error: unknown): boolean {
  return [...causesOf(error)].some((each) => unsentCodes.includes(String((each as { code?: unknown }).code)));
}
