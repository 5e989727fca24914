import type { RawResponse } from '../api/envelope.ts';
import { ArgumentError, ShelflistError } from '../catalogue/errors.ts';

/** The maximum length of a response that is read whole, in bytes: a server could send an endless one. */
const maxResponseBytes = 256 * 1024 * 1024;

/** The part of the options of `fetch` that a client uses. */
export interface FetchInit {
  /** The method, in capital letters. */
  readonly method: string;
  /** The headers, with the names that HTTP documents use. */
  readonly headers: Record<string, string>;
  /** JSON. */
  readonly body?: string;
  /** Ends the request, and the reading of its response. */
  readonly signal?: AbortSignal;
  /** A redirect could lead the token to another host. */
  readonly redirect: 'manual';
  /** Whether requests to other origins have cookies. */
  readonly credentials?: 'include' | 'omit' | 'same-origin';
}

/** The part of a `Response` that a client uses. */
export interface FetchResponse {
  /** The HTTP status. */
  readonly status: number;
  /** The headers; their names may have any case. */
  readonly headers: { get(name: string): string | null };
  /** The body; `null` if there is none. */
  readonly body: { getReader(): ChunkReader } | null;
  /** The whole body as UTF-8. */
  text(): Promise<string>;
}

/** Reads a body piece by piece. */
export interface ChunkReader {
  /** The next piece; `done` after the last one. */
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  /** Stops the body. */
  cancel(): Promise<unknown>;
}

/** Sends a request, like the `fetch` of browsers and Node. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The service that requests go to, and their common options. */
export interface Wire {
  /** The address of the service, without a slash at its end. */
  readonly root: string;
  readonly fetch: Fetch;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly credentials?: FetchInit['credentials'] | undefined;
  /** Default 256 MiB. */
  readonly maxResponseBytes?: number;
}

export interface WireRequest {
  /** Default `GET`. */
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Below the address of the service: `/books`. */
  readonly path: string;
  readonly token?: string | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** JSON that is sent as it is, instead of `body`. */
  readonly json?: string | undefined;
  /** Preconditions, the batch of a write, and the position of a stream. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Aborts the request, and the reading of its response. */
  readonly signal?: AbortSignal | undefined;
}

/** Sends a request, and reads its response whole. Operations take one, so that each caller handles tokens in its own way. */
export type Send = (exchange: WireRequest) => Promise<RawResponse>;

/** A successful response whose body is read while it arrives. */
export interface StreamedAnswer extends Omit<FetchResponse, 'text'> {
  readonly body: { getReader(): ChunkReader };
}

/** @throws {ShelflistError} `unreachable`, with the reason; `bad_response`: the response is too long; or the reason of the signal. */
export async function exchangeText(wire: Wire, exchange: WireRequest): Promise<RawResponse> {
  return readText(wire, exchange, await request(wire, exchange));
}

/** The same, but returns a successful response before its body has arrived. */
export async function exchangeStream(
  wire: Wire,
  exchange: WireRequest,
): Promise<RawResponse | StreamedAnswer> {
  const response = await request(wire, exchange);
  const { body } = response;
  return response.status === 200 && body !== null
    ? { status: 200, headers: response.headers, body }
    : readText(wire, exchange, response);
}

async function readText(wire: Wire, { signal }: WireRequest, response: FetchResponse): Promise<RawResponse> {
  const { status, headers, body } = response;
  if (body !== null) return { status, headers, text: await readBounded(wire, body.getReader(), signal) };
  try {
    return { status, headers, text: await response.text() };
  } catch (error) {
    throw failure(wire, error, signal);
  }
}

/** Reads a body as UTF-8. @throws {ShelflistError} `bad_response`: it is too long; `unreachable`. */
async function readBounded(
  wire: Wire,
  reader: ChunkReader,
  signal: AbortSignal | undefined,
): Promise<string> {
  const maxBytes = wire.maxResponseBytes ?? maxResponseBytes;
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let length = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (value) {
        length += value.length;
        if (length > maxBytes) break;
        parts.push(decoder.decode(value, { stream: true }));
      }
      if (done) return parts.join('') + decoder.decode();
    }
  } catch (error) {
    throw failure(wire, error, signal);
  }
  reader.cancel().catch(() => undefined);
  throw new ShelflistError('bad_response', {
    message: `the response of ${new URL(wire.root).origin} is longer than ${maxBytes} bytes; read lists in pages, or check the address`,
  });
}

/** Sends a request. A read is sent once more if its connection breaks: the service may have closed a kept one just then. */
async function request(wire: Wire, exchange: WireRequest): Promise<FetchResponse> {
  const { root, fetch, credentials } = wire;
  const { method = 'GET', path, token, headers, signal, json } = exchange;
  const body = exchange.body === undefined ? json : JSON.stringify(exchange.body);
  // The error of `fetch` would contain it.
  if (token !== undefined && !/^[ -~]*$/.test(token))
    throw new ArgumentError('token: expected visible ASCII characters');
  const send = () =>
    fetch(root + path, {
      method,
      headers: {
        ...wire.headers,
        Accept: 'application/json',
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(token !== undefined && { Authorization: token }),
        ...headers,
      },
      ...(body !== undefined && { body }),
      // The token goes to this service only.
      redirect: 'manual',
      ...(credentials && { credentials }),
      ...(signal && { signal }),
    });
  try {
    return await send().catch((error: unknown) => {
      if (method !== 'GET' || !isBroken(error)) throw error;
      return send();
    });
  } catch (error) {
    throw failure(wire, error, signal);
  }
}

function isBroken(error: unknown): boolean {
  const { code } = Object((error as Error).cause) as { code?: unknown };
  return code === 'ECONNRESET' || code === 'UND_ERR_SOCKET';
}

/** The chunks of a body. @param wait Waits for each of them: it may limit the time. */
export async function* chunksOf(
  wire: Wire,
  { body }: StreamedAnswer,
  wait: <T>(chunk: Promise<T>) => Promise<T>,
  signal?: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await wait(reader.read());
      if (done) return;
      if (value) yield value;
    }
  } catch (error) {
    throw failure(wire, error, signal);
  } finally {
    reader.cancel().catch(() => undefined); // It may have ended or failed already.
  }
}

/** The error for one of `fetch`. */
function failure({ root }: Wire, error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  const { message, cause } = error as Error;
  const { message: detail, code } = Object(cause) as { message?: string; code?: string };
  // The message of `fetch` in Node has no reason.
  const reason = (/^(fetch failed|terminated)$/.test(message) && (detail || code)) || message;
  return new ShelflistError('unreachable', {
    message: `cannot reach ${new URL(root).origin}: ${reason}`,
    cause: error,
  });
}

/** A time limit combined with signals. */
export interface CallScope {
  /** Aborts with a `timeout`, with the reason of one of the given signals, or with that of `abort`. */
  readonly signal: AbortSignal;
  /** Waits for a promise, at most for the given time; `undefined`: without a limit. @throws The reason of the signal, as soon as it aborts. */
  wait<T>(milliseconds: number | undefined, problem: string, promise: Promise<T>): Promise<T>;
  abort(reason: unknown): void;
  /** Forgets the given signals. */
  end(): void;
}

/** Combines signals and a time limit. */
export function createScope(...signals: readonly (AbortSignal | undefined)[]): CallScope {
  const controller = new AbortController();
  const { signal } = controller;
  const abort = (reason: unknown) => {
    controller.abort(reason);
  };
  const ends = signals.map((each) => {
    const forward = () => {
      abort(each?.reason);
    };
    if (each?.aborted) forward();
    each?.addEventListener('abort', forward);
    return () => {
      each?.removeEventListener('abort', forward);
    };
  });
  return {
    signal,
    abort,
    wait: (milliseconds, problem, promise) =>
      new Promise((resolve, reject) => {
        const expire = (ms: number) => {
          abort(new ShelflistError('timeout', { message: `${problem} ${ms / 1000} s` }));
        };
        const timer = milliseconds === undefined ? undefined : setTimeout(expire, milliseconds, milliseconds);
        const fail = () => {
          reject(signal.reason as Error);
        };
        if (signal.aborted) fail();
        signal.addEventListener('abort', fail);
        promise.then(resolve, reject).finally(() => {
          clearTimeout(timer);
          signal.removeEventListener('abort', fail);
        });
      }),
    end: () => {
      for (const end of ends) end();
    },
  };
}
