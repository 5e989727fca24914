import http from 'node:http';
import https from 'node:https';
import { ShelflistError } from '../errors.ts';

/** One request, as far as the client needs it. */
export interface Exchange {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the service's own address: `/books`. */
  path: string;
  token?: string | undefined;
  /** Sent as JSON. */
  body?: unknown;
}

export interface Answer {
  status: number;
  text: string;
  /** The header `Retry-After`. */
  retryAfter: string | undefined;
}

/** Requests to one service, over connections that are kept. */
export interface Transport {
  /** @throws {ShelflistError} `unreachable`, naming the address and what to do. */
  send(exchange: Exchange): Promise<Answer>;
  /** Lets go of the kept connections. */
  close(): void;
}

/** Requests that are under way at once; more wait for a connection. */
const maxConnections = 64;

/**
 * `node:http` rather than `fetch`: it starts faster, and it follows no redirect, so that a token goes to the
 * address it belongs to and to no other.
 */
export function createTransport(base: URL, timeoutMs: number): Transport {
  const { Agent, request: open } = base.protocol === 'https:' ? https : http;
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections });
  const root = base.pathname.replace(/\/+$/, '');

  function exchange({ method, path, token, body }: Exchange, isRetry: boolean): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const text = body === undefined ? undefined : JSON.stringify(body);
      const request = open(new URL(root + path, base), {
        method,
        agent,
        timeout: timeoutMs,
        headers: {
          Accept: 'application/json',
          ...(token !== undefined && { Authorization: token }),
          ...(text !== undefined && {
            'Content-Type': 'application/json',
            'Content-Length': Buffer.byteLength(text),
          }),
        },
      });
      request.on('response', (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          try {
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(chunks).toString('utf8'),
              retryAfter: response.headers['retry-after'],
            });
          } catch (cause) {
            reject(
              new ShelflistError('bad_response', { message: 'the answer is too long to be held', cause }),
            );
          }
        });
        response.on('error', (error) => {
          reject(unreachable(base, error));
        });
      });
      request.on('timeout', () => {
        request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`));
      });
      request.on('error', (error: NodeJS.ErrnoException) => {
        // The server closed a kept connection just as it was used again. What may be repeated, is, once.
        if (!isRetry && method !== 'POST' && request.reusedSocket && error.code === 'ECONNRESET') {
          exchange({ method, path, token, body }, true).then(resolve, reject);
        } else reject(unreachable(base, error));
      });
      request.end(text);
    });
  }

  return {
    send: (request) => exchange(request, false),
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
    default:
      return error.message;
  }
}
