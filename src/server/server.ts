import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { parseServerConfig, type ServerConfig } from './config.ts';
import { Connections } from './connections.ts';
import { longWork } from './long-work.ts';
import { refuseConnection } from './malformed.ts';
import { openService, type Service, type Shared } from './service.ts';

/** After `close()`, connections that wait for nothing get this long to deliver a request already on its way. */
const lingerMs = 100;
/** After `close()`, answers under way get this long. */
const closeDeadlineMs = 8000;
/** A reader that takes nothing of its answer for so long is cut off, and for twice as long at the latest. */
const longestStallMs = 60_000;

/**
 * Makes a book catalogue service as a `node:http` server, ready to `listen`. Its `close()` stops accepting,
 * lets the requests in flight finish (8 s at the most), closes the store it opened (not one handed in), and
 * then calls back; the event `close` comes before the store is closed.
 *
 * @throws {TypeError} A field of the configuration is missing, malformed or unknown; the message names it.
 * @throws {ShelflistError} `store_unusable`: the store cannot be reached (within 5 s) or prepared.
 *
 * @example
 * const server = await createServer({
 *   secretToken: randomBytes(32).toString('hex'),
 *   authUsername: 'librarian',
 *   authPassword: 'correct horse battery staple',
 *   databaseUrl: 'file:./data',
 * });
 * server.listen(8080);
 */
export function createServer(config: ServerConfig): Promise<Server> {
  return createSharingServer(config, {});
}

/** The same for one of several processes that are one service: they count in common. */
export async function createSharingServer(config: ServerConfig, shared: Shared): Promise<Server> {
  const checked = parseServerConfig(config);
  return new CatalogueServer(await openService(checked, shared), checked.requestTimeoutMs);
}

/** A `(request, response)` function, as `http.createServer` and its relatives take it. */
export interface RequestHandler {
  (request: IncomingMessage, response: ServerResponse): void;
  /** Waits for the answers under way (8 s at the most), then closes the store, unless it was handed in. */
  close(): Promise<void>;
}

/**
 * The same service as a function, for mounting in a server of your own: at its root, below `config.prefix`, or
 * without a prefix if the framework strips it, as Express does (`app.use('/catalogue', books)`).
 *
 * Mount it before body parsers. A body that a parser has read is taken from `request.body` if that is certain to be the JSON
 * that was sent. It may be bytes, text, or an object of a JSON `Content-Type`. Otherwise the answer is 500, and the log has the reason.
 *
 * @throws As {@link createServer} does.
 *
 * @example
 * const books = await createHandler({ ...config, prefix: '/catalogue' });
 * http.createServer((request, response) => {
 *   if (request.url?.startsWith('/catalogue/')) books(request, response);
 *   else response.end('something else');
 * });
 */
export async function createHandler(config: ServerConfig): Promise<RequestHandler> {
  const service = await openService(parseServerConfig(config));
  return Object.assign(
    (request: IncomingMessage, response: ServerResponse) => {
      service.handle(request, response);
    },
    { close: () => service.close(closeDeadlineMs) },
  );
}

class CatalogueServer extends Server {
  readonly #service: Service;
  readonly #connections: Connections;
  #closing = false;
  #lingering = false;

  constructor(service: Service, requestTimeoutMs: number) {
    super({
      requireHostHeader: false, // We check it ourselves, to answer in the envelope.
      requestTimeout: requestTimeoutMs,
      headersTimeout: Math.min(10_000, requestTimeoutMs),
      connectionsCheckingInterval: Math.min(1000, requestTimeoutMs),
      keepAliveTimeout: 65_000, // Longer than the 60 s of common proxies, so that theirs runs out first.
    });
    this.#service = service;
    this.#connections = new Connections((response) => {
      service.handle(response.req, response);
    });
    this.timeout = Math.min(longestStallMs, 2 * requestTimeoutMs);
    this.maxHeadersCount = 0; // Their bytes are limited; headers past a number would be dropped unseen.
    const handle = (_request: IncomingMessage, response: ServerResponse) => {
      this.#connections.began(response);
    };
    this.on('request', handle);
    this.on('checkContinue', handle);
    this.on('checkExpectation', handle);
    this.on('connection', (socket: Socket) => {
      longWork.hurry();
      this.#connections.opened(socket);
    });
    const onTimeout = (socket: Duplex) => {
      if (!this.#connections.isOurTurn(socket)) socket.destroy();
    };
    this.on('timeout', onTimeout);
    this.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      refuseConnection(socket, error.code, this.#connections);
    });
    this.on('connect', (_request, socket) => {
      // node:http has let go of the connection, while answers to earlier requests may still leave on it.
      socket.on('timeout', () => {
        onTimeout(socket);
      });
      socket.on('drain', () => this.#connections.pending(socket)[0]?.emit('drain'));
      refuseConnection(socket, undefined, this.#connections);
    });
  }

  override close(callback?: (error?: Error) => void): this {
    if (this.#closing) return super.close(callback);
    this.#closing = true;
    this.#lingering = true;
    this.#service.drain((response) => this.#connections.isLast(response));
    const begun = performance.now();
    const linger = setTimeout(() => {
      this.#lingering = false;
      this.#connections.closeWaiting();
    }, lingerMs);
    const deadline = setTimeout(() => {
      this.closeAllConnections();
    }, closeDeadlineMs);
    // A server that never listened still holds an open store: closing it is no error.
    return super.close(() => {
      clearTimeout(linger);
      clearTimeout(deadline);
      const patienceMs = Math.max(closeDeadlineMs - (performance.now() - begun), lingerMs);
      this.#service.close(patienceMs).then(() => callback?.(), callback ?? (() => undefined));
    });
  }

  /** node:http cuts idle connections as soon as it closes; a request on its way to one of them would be lost. */
  override closeIdleConnections(): void {
    if (!this.#lingering) super.closeIdleConnections();
  }
}
