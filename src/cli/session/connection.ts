import type { Agent, IncomingMessage } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';
import { clientOf, createSender, type Client } from '../../client/client.ts';
import type { ClientOptions } from '../../client/options.ts';
import type { Fetch, FetchResponse, Send } from '../../client/wire.ts';
import type { Environment } from '../../config/environment.ts';
import type * as Proxies from './proxy.ts';

/** @param env The environment, which can name a proxy ({@link proxyFor}). */
export function connect(options: ClientOptions, env: Environment = {}): Client {
  return connectWithSend(options, env).client;
}

/** A client, and what sends any other request as it does: to its service, with its token. */
export function connectWithSend(
  options: ClientOptions,
  env: Environment,
): { readonly client: Client; readonly send: Send } {
  const sender = createSender({ fetch: createHttpFetch(env), ...options });
  return { client: clientOf(sender), send: sender.send };
}

/**
 * Creates a `fetch` on node:http for commands: loading the `fetch` of Node takes about as long as the rest of a command. It has
 * what the client needs, and follows no redirects.
 */
export function createHttpFetch(env: Environment = {}): Fetch {
  let agent: Agent | undefined;
  return async (url, { method, headers, body, signal }) => {
    const http = await (url.startsWith('https:') ? import('node:https') : import('node:http'));
    const proxies = await loadProxies(env);
    const proxy = proxies?.proxyFor(url, env);
    agent ??= proxy === undefined ? new http.Agent({ keepAlive: true }) : proxies?.createTunnelAgent(proxy);
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const stop = signal && { signal, stop: signal }; // The latter is for the agent of a proxy.
    const options = { method, agent, headers: { ...headers, ...length }, ...stop };
    const response = new Promise<IncomingMessage>((resolve, reject) => {
      http.request(url, options).on('response', resolve).on('error', reject).end(body);
    });
    return toResponse(await response.catch((cause: unknown) => fail(cause, proxies?.noteOnProxy(url, env))));
  };
}

/** How long a connection may take before an error of the login is the better message. */
const connectTimeoutMs = 5000;

/**
 * Connects to a service, and sends it nothing: it may not be the one that the user means.
 *
 * @throws {ShelflistError} `unreachable`: nothing is there, so that a login would not help.
 */
export async function checkReachable(url: string, env: Environment): Promise<void> {
  const proxies = await loadProxies(env);
  if (proxies?.proxyFor(url, env) !== undefined) return; // The login itself finds out.
  const { connect: open } = await import('node:net');
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = open({ host, port: Number(port || (protocol === 'https:' ? 443 : 80)) });
  try {
    await new Promise((resolve, reject) => {
      socket
        .once('connect', resolve)
        .once('error', reject)
        .setTimeout(connectTimeoutMs, resolve as () => void);
    }).catch((cause: unknown) => fail(cause, proxies?.noteOnProxy(url, env)));
  } catch (cause) {
    throw new ShelflistError('unreachable', {
      message: `cannot reach ${url}: ${(cause as Error).message}`,
      cause,
    });
  } finally {
    socket.destroy();
  }
}

function toResponse(message: IncomingMessage): FetchResponse {
  const { statusCode: status = 0, headers } = message;
  return {
    status,
    headers: {
      get(name) {
        const value = headers[name.toLowerCase()];
        return Array.isArray(value) ? value.join(', ') : (value ?? null);
      },
    },
    body: { getReader: () => readerOf(message) },
    text: async () =>
      Buffer.concat(await message.toArray().catch((cause: unknown) => fail(cause))).toString('utf8'),
  };
}

function readerOf(message: IncomingMessage) {
  const chunks = message[Symbol.asyncIterator]() as AsyncIterator<Buffer, undefined>;
  return {
    async read() {
      const { done = false, value } = await chunks.next().catch((cause: unknown) => fail(cause));
      return { done, value };
    },
    cancel() {
      message.destroy(); // Does nothing after its end.
      return Promise.resolve();
    },
  };
}

/** The code for proxies, which is loaded only if the environment names one. */
async function loadProxies(env: Environment): Promise<typeof Proxies | undefined> {
  const isNamed = ['https_proxy', 'HTTPS_PROXY', 'http_proxy', 'HTTP_PROXY'].some((name) => env[name]);
  return isNamed ? import('./proxy.ts') : undefined;
}

function fail(cause: unknown, note?: string): never {
  const { code = '', message } = cause as NodeJS.ErrnoException;
  const reason = (Object.hasOwn(reasons, code) ? reasons[code] : undefined) ?? message.split('\n', 1)[0];
  throw new Error(note === undefined ? reason : `${reason}; ${note}`, { cause });
}

const unknownHost = 'unknown host; check --url';
const broken = 'the connection broke before the response was complete';
const unknownAuthority =
  'its certificate is signed by an authority that Node does not know; set NODE_EXTRA_CA_CERTS to the file (PEM) of this authority, or of a certificate that signs itself';

/** Advice for the errors of a connection, by their code. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there; start the service with `shelflist serve`, or name another with --url',
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ECONNRESET: broken,
  EPIPE: broken,
  EPROTO: 'TLS handshake failed; did you mean http://?',
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownAuthority,
  SELF_SIGNED_CERT_IN_CHAIN: unknownAuthority,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownAuthority,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownAuthority,
  CERT_HAS_EXPIRED: 'its certificate has expired; the operator of the service has to renew it',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for other names; use one of them in --url',
};
