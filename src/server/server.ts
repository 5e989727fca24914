import { Server, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http';
import type { Server as HttpsServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { scheduler } from '../lib/scheduler.ts';
import { parseHandlerConfig, parseServerConfig, type HandlerConfig, type ServerConfig } from './config.ts';
import { Connections, refuseConnection } from './http/connections.ts';
import { isOutside } from './http/request.ts';
import { loginOf, maxCloseMs, openService, type Service, type Shared } from './service.ts';

/**
 * Creates a book catalogue service as a `node:http` server, or with `tls` a `node:https` one, ready to `listen`. `close()` stops
 * accepting connections, waits for the requests in flight (at most 8 s), and closes the store unless it was passed in. Then it
 * calls back; the event `close` is earlier. A closed server can `listen` again, which opens its store again: `memory:` is then empty.
 *
 * @throws {TypeError} A field of the configuration is missing, malformed or unknown. The message names it.
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
export function createServer<Claims extends object = object>(
  config: ServerConfig<Claims> & { tls: NonNullable<ServerConfig['tls']> },
): Promise<HttpsServer>;
/** The same without `tls`: the server speaks HTTP. */
export function createServer<Claims extends object = object>(config: ServerConfig<Claims>): Promise<Server>;
export function createServer(config: ServerConfig): Promise<Server> {
  return createSharingServer(config, {});
}

/** {@link createServer} for one of several processes of one service. */
export async function createSharingServer(config: ServerConfig, shared: Shared): Promise<Server> {
  const checked = parseServerConfig(config);
  const { requestTimeoutMs, tls } = checked;
  const kept = { login: loginOf(checked), ...shared }; // A password that was changed is so when the server listens again.
  const service = await openService(checked, kept);
  const reopen = () => openService(checked, { ...kept, warn: false });
  const options = httpOptions(requestTimeoutMs);
  let server: Server;
  if (tls === undefined) server = new Server(options);
  else {
    const { Server: SecureServer } = await import('node:https');
    server = new SecureServer({ ...tls, handshakeTimeout: maxCloseMs, ...options });
  }
  new Lifecycle(server, service, reopen).listenToRequests(
    tls === undefined ? 'connection' : 'secureConnection',
  );
  return server;
}

/** A `(request, response)` function, as `http.createServer` and frameworks accept it. */
export interface RequestHandler {
  /** Handles a request. One outside the prefix goes to `next`, if there is one, as Express and Connect pass it. */
  (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void): void;
  /** Waits for the responses in flight (at most 8 s), then closes the store unless it was passed in. */
  close(): Promise<void>;
  /** {@link close}, at the end of a block that declares the handler with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates the service as a function, for mounting in another server: at its root, below `config.prefix`, or
 * without a prefix if the framework strips it, as Express does (`app.use('/catalogue', books)`).
 *
 * Mount it before body parsers. The service takes a body that a parser has read from `request.body`: bytes, text, or an
 * object of a JSON `Content-Type`. If that may differ from what was sent, the response is 500, and the log has the reason.
 *
 * @throws As {@link createServer} does.
 *
 * @example
 * const books = await createHandler({ ...config, prefix: '/catalogue' });
 * http.createServer((request, response) => {
 *   books(request, response, () => response.end('something else'));
 * });
 */
export async function createHandler<Claims extends object = object>(
  config: HandlerConfig<Claims>,
): Promise<RequestHandler> {
  const checked = parseHandlerConfig(config);
  const service = await openService(checked);
  const close = () => service.close(maxCloseMs);
  return Object.assign(
    (request: IncomingMessage, response: ServerResponse, next?: (error?: unknown) => void) => {
      if (next !== undefined && isOutside(request.url ?? '', checked.prefix)) next();
      else service.handle(request, response);
    },
    { close, [Symbol.asyncDispose]: close },
  );
}

/** After `close()`, idle connections stay open this long for requests on their way. */
const lingerMs = 100;
/** A client that takes nothing of its response for this long is cut off, after twice this time at the latest. */
const maxStallMs = 60_000;

function httpOptions(requestTimeoutMs: number): ServerOptions {
  return {
    requireHostHeader: false, // The service checks it, to respond with the envelope.
    requestTimeout: requestTimeoutMs,
    headersTimeout: Math.min(10_000, requestTimeoutMs),
    // Half of the timeout, so that a late request is refused before `timeout` cuts its connection off without a response.
    connectionsCheckingInterval: Math.min(1000, requestTimeoutMs / 2),
    keepAliveTimeout: 65_000, // Longer than the 60 s of common proxies, so that they close first.
  };
}

/** Runs a service on a server of node:http or node:https: from its first connection to its last, and again if it listens again. */
class Lifecycle {
  readonly #server: Server;
  /** The `close` of node:http. */
  readonly #closeServer: Server['close'];
  readonly #connections: Connections;
  /** Opens the service once more, for a closed server that listens again. */
  readonly #reopen: () => Promise<Service>;
  #service: Service;
  /** Settles when the service is open again; `undefined` while it is. */
  #opening: Promise<void> | undefined;
  #state: 'open' | 'closing' | 'closed' = 'open';
  #isLingering = false;

  constructor(server: Server, service: Service, reopen: () => Promise<Service>) {
    this.#server = server;
    this.#closeServer = server.close.bind(server);
    this.#service = service;
    this.#reopen = reopen;
    this.#connections = new Connections((response) => {
      if (this.#opening === undefined) this.#service.handle(response.req, response);
      else
        void this.#opening.then(() => {
          this.#service.handle(response.req, response);
        });
    });
    server.timeout = Math.min(maxStallMs, 2 * server.requestTimeout);
    server.maxHeadersCount = 0; // Unlimited, because node:http would drop the others. Their size is limited.
    server.close = (callback) => this.#close(callback);
    const closeIdle = server.closeIdleConnections.bind(server);
    // Delayed, because node:http would cut idle connections at once and lose requests on their way.
    server.closeIdleConnections = () => {
      if (!this.#isLingering) closeIdle();
    };
    // The end of a block that declares the server with `await using`; does nothing if it is closed.
    server[Symbol.asyncDispose] = async () => {
      if (this.#state === 'open') await promisify(server.close.bind(server))();
    };
    server.on('listening', () => {
      if (this.#state === 'closing')
        this.#refuse(new Error('the server is closing: listen again after close() calls back'));
      if (this.#state === 'closed') this.#open();
    });
  }

  /** @param connection The event of a connection that carries requests. */
  listenToRequests(connection: 'connection' | 'secureConnection'): void {
    const server = this.#server;
    const handle = (_request: IncomingMessage, response: ServerResponse) => {
      this.#connections.began(response);
    };
    server.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle);
    server.on(connection, (socket: Socket) => {
      scheduler.hurry();
      this.#connections.opened(socket);
    });
    const onTimeout = (socket: Duplex) => {
      if (!this.#connections.isWaiting(socket)) socket.destroy();
    };
    server.on('timeout', onTimeout);
    server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      refuseConnection(socket, error.code, this.#connections);
    });
    server.on('connect', (_request, socket) => {
      // node:http has released the connection, but responses to earlier requests may still be sent on it.
      socket.on('timeout', () => {
        onTimeout(socket);
      });
      socket.on('drain', () => this.#connections.pending(socket)[0]?.emit('drain'));
      refuseConnection(socket, undefined, this.#connections);
    });
  }

  #close(callback?: (error?: Error) => void): Server {
    if (this.#state !== 'open') return this.#closeServer(callback);
    this.#state = 'closing';
    this.#isLingering = true;
    const drain = () => {
      this.#service.drain((response) => this.#connections.isLast(response));
    };
    const opening = this.#opening?.then(drain);
    if (opening === undefined) drain();
    const begun = performance.now();
    const linger = setTimeout(() => {
      this.#isLingering = false;
      this.#connections.closeIdle();
    }, lingerMs);
    const deadline = setTimeout(() => {
      this.#server.closeAllConnections();
    }, maxCloseMs);
    // Closing a server that never listened is not an error: its store is open.
    return this.#closeServer(() => {
      clearTimeout(linger);
      clearTimeout(deadline);
      const remainingMs = Math.max(maxCloseMs - (performance.now() - begun), lingerMs);
      (opening ?? Promise.resolve())
        .then(() => this.#service.close(remainingMs))
        .finally(() => {
          this.#state = 'closed';
        })
        .then(() => callback?.(), callback ?? (() => undefined));
    });
  }

  #open(): void {
    this.#state = 'open';
    this.#opening = this.#reopen().then(
      (service) => {
        this.#service = service;
        this.#opening = undefined;
      },
      (error: unknown) => {
        this.#state = 'closed';
        this.#opening = undefined;
        this.#server.closeAllConnections();
        this.#refuse(error);
      },
    );
  }

  /** Reports why it cannot listen, as node:http does. */
  #refuse(error: unknown): void {
    this.#closeServer();
    this.#server.emit('error', error);
  }
}
