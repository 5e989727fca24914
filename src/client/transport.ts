import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { ShelflistError } from '../errors.ts';

/** One request, as far as the client needs it. */
export interface Exchange {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the service's own address: `/books`. */
  path: string;
  token?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
  /** Of what must hold for it to be done. */
  conditions?: { 'If-Match': string } | { 'If-None-Match': string } | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** Requests to one service, over connections that are kept. */
export interface Transport {
  /** @throws {ShelflistError} `unreachable`, naming the address and what to do. */
  send(exchange: Exchange): Promise<Answer>;
  /**
   * The same, but a successful answer's text comes as it arrives, and no faster than it is read.
   *
   * @throws {ShelflistError} `unreachable`, before the answer or in its middle.
   */
  stream(exchange: Exchange): Promise<Answer | { status: number; chunks: AsyncIterable<Buffer> }>;
  /** Lets go of the kept connections. */
  close(): void;
}

/** Requests that are under way at once; more wait for a connection. */
const maxConnections = 64;

/**
 * Makes the way to a service.
 *
 * `node:http` rather than `fetch`: it starts faster, and it follows no redirect, so that a token goes to the
 * address it belongs to and to no other.
 */
export async function createTransport(base: URL, timeoutMs: number): Promise<Transport> {
  // Loaded with the first request, and only the one of them: a program that only starts needs neither.
  const { Agent, request: open } = await (base.protocol === 'https:'
    ? import('node:https')
    : import('node:http'));
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
  const root = base.pathname.replace(/\/+$/, '');

  function exchange(wanted: Exchange, isRetry: boolean): Promise<IncomingMessage> {
    const { method, path, token, body, conditions } = wanted;
    // What has been done already is refused the second time, as if somebody else had done it.
    const isRepeatable = method === 'GET' || (method !== 'POST' && conditions === undefined);
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const request = open(new URL(base.origin + root + path), {
        method,
        agent,
        timeout: timeoutMs,
        headers: {
          Accept: 'application/json',
          ...(token !== undefined && { Authorization: token }),
          ...conditions,
          ...(text !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
          }),
        },
      });
      request.on('response', resolve);
      request.on('timeout', () => {
        request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just as it was used again. What may be repeated, is, once.
        if (!isRetry && isRepeatable && request.reusedSocket && error.code === 'ECONNRESET') {
          exchange(wanted, true).then(resolve, reject);
        } else reject(unreachable(base, error));
      });
      request.end(text);
    });
  }

  /** The text of an answer as it arrives. Waiting for the reader is no silence of the server's. */
  async function* read(response: IncomingMessage): AsyncGenerator<Buffer> {
    const { socket } = response;
    try {
      socket.setTimeout(0);
      const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
      for (;;) {
        const silence = setTimeout(() => {
          response.destroy(new Error(`no more of the answer within ${timeoutMs / 1000} s`));
        }, timeoutMs);
        const next = await chunks.next().finally(() => {
          clearTimeout(silence);
        });
        if (next.done) return;
        yield next.value;
      }
    } catch (error) {
      throw unreachable(base, error as NodeJS.ErrnoException);
    } finally {
      response.destroy(); // Does nothing when it was read to its end.
    }
  }

  async function collect(response: IncomingMessage): Promise<Answer> {
    const chunks: Buffer[] = [];
    for await (const chunk of read(response)) chunks.push(chunk);
    const { headers, statusCode: status = 0 } = response;
    try {
      return { status, headers, text: Buffer.concat(chunks).toString('utf8') };
    } catch (cause) {
      throw new ShelflistError('bad_response', { message: 'the answer is too long to be held', cause });
    }
  }

  return {
    send: async (request) => collect(await exchange(request, false)),
    stream: async (request) => {
      const response = await exchange(request, false);
      const { statusCode: status } = response;
      return status === 200 ? { status, chunks: read(response) } : collect(response);
    },
    close: () => {
      agent.destroy();
    },
  };
}

function unreachable(base: URL, error: NodeJS.ErrnoException): ShelflistError {
  return new ShelflistError('unreachable', {
    message: `cannot reach ${base.origin}: ${reason(error)}`,
    cause: error,
  });
}

function reason(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'nothing listens there; start the service with `shelflist serve`, or name another with --url';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'there is no such host; check --url';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection broke before the answer came';
    case 'EPROTO':
      return 'what listens there does not speak https as it should; is it http://?';
    default:
      return error.message.split('\n', 1)[0] ?? '';
  }
}
