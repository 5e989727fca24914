import type { IncomingMessage } from 'node:http';
import type { ChunkReader, Fetch, FetchInit, FetchResponse } from '../../client/wire.ts';

/**
 * Creates a `fetch` on node:http for commands: loading the `fetch` of Node takes about as long as the rest of a command. It has
 * what the client needs, and follows no redirects.
 */
export function createHttpFetch(): Fetch {
  let connect: Promise<Connect> | undefined;
  return async (url, init) => {
    connect ??= load(url);
    const request = await connect;
    return toResponse(await request(url, init));
  };
}

type Connect = (url: string, init: FetchInit) => Promise<IncomingMessage>;

/** Loads the one module that a service needs. */
async function load(url: string): Promise<Connect> {
  const { Agent, request } = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
  const agent = new Agent({ keepAlive: true });
  return (url, { method, headers, body, signal }) =>
    new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
      const outgoing = request(url, {
        method,
        agent,
        headers: { ...headers, ...length },
        ...(signal && { signal }),
      });
      outgoing.on('response', resolve);
      outgoing.on('error', (cause) => {
        reject(failure(cause));
      });
      outgoing.end(body);
    });
}

function toResponse(message: IncomingMessage): FetchResponse {
  const { statusCode: status = 0, headers } = message;
  const reader: ChunkReader = chunksOf(message);
  return {
    status,
    headers: {
      get(name) {
        const value = headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      },
    },
    body: { getReader: () => reader },
    async text() {
      const chunks: Uint8Array[] = [];
      for (let next = await reader.read(); !next.done; next = await reader.read())
        if (next.value) chunks.push(next.value);
      return Buffer.concat(chunks).toString('utf8');
    },
  };
}

function chunksOf(message: IncomingMessage): ChunkReader {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  return {
    async read() {
      try {
        const { done = false, value } = await chunks.next();
        return { done, value };
      } catch (error) {
        throw failure(error as NodeJS.ErrnoException);
      }
    },
    cancel() {
      message.destroy(); // Does nothing after its end.
      return Promise.resolve();
    },
  };
}

/** An error with advice. */
function failure(cause: NodeJS.ErrnoException): Error {
  return new Error(reason(cause), { cause });
}

function reason(error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ECONNREFUSED':
      return 'nothing listens there; start the service with `shelflist serve`, or name another with --url';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'unknown host; check --url';
    case 'ECONNRESET':
    case 'EPIPE':
      return 'the connection broke before the response was complete';
    case 'EPROTO':
      return 'TLS handshake failed; did you mean http://?';
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return 'its certificate is signed by an authority that Node does not know; set NODE_EXTRA_CA_CERTS to the file (PEM) of this authority, or of a certificate that signs itself';
    case 'CERT_HAS_EXPIRED':
      return 'its certificate has expired; the operator of the service has to renew it';
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'its certificate is for other names; use one of them in --url';
    default:
      return error.message.split('\n', 1)[0] ?? '';
  }
}
