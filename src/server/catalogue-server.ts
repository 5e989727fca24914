import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { TlsOptions } from 'node:tls';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { longWork } from '../lib/time-slices.ts';
import type { Certificate } from './config.ts';
import { refuseConnection, Connections } from './http/connections.ts';
import type { Service } from './service.ts';

/** After `close()`, idle connections stay open this long for requests on their way. */
const lingerMs = 100;
/** After `close()`, responses in flight get this long. */
export const maxCloseMs = 8000;
/** Disconnects a client that reads nothing for this long; the check may take as long again. */
const maxStallMs = 60_000;

/** `http.Server` or `https.Server`. */
type ServerClass = new (options: ServerOptions & TlsOptions) => Server;

interface CatalogueServerOptions {
  readonly requestTimeoutMs: number;
  readonly tls?: Certificate;
  /** Opens the service once more, for a closed server that listens again. */
  readonly reopen: () => Promise<Service>;
}

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

/**
 * Makes a class of servers of the catalogue.
 *
 * @param connection The event of a connection that carries requests.
 */
export function catalogueServer(
  Base: ServerClass,
  connection: 'connection' | 'secureConnection',
): new (service: Service, options: CatalogueServerOptions) => Server {
  return class CatalogueServer extends Base {
    #service: Service;
    /** Settles when the service is open again; `undefined` while it is. */
    #opening: Promise<void> | undefined;
    readonly #reopen: () => Promise<Service>;
    readonly #connections: Connections;
    #state: 'open' | 'closing' | 'closed' = 'open';
    #isLingering = false;

    constructor(service: Service, { requestTimeoutMs, tls, reopen }: CatalogueServerOptions) {
      super({ ...(tls && { ...tls, handshakeTimeout: maxCloseMs }), ...httpOptions(requestTimeoutMs) });
      this.#service = service;
      this.#reopen = reopen;
      this.#connections = new Connections((response) => {
        if (this.#opening === undefined) this.#service.handle(response.req, response);
        else
          void this.#opening.then(() => {
            this.#service.handle(response.req, response);
          });
      });
      this.on('listening', () => {
        if (this.#state === 'closing')
          this.#refuse(new Error('the server is closing: listen again after close() calls back'));
        if (this.#state === 'closed') this.#open();
      });
      this.timeout = Math.min(maxStallMs, 2 * requestTimeoutMs);
      this.maxHeadersCount = 0; // Unlimited, because node:http would drop the others. Their size is limited.
      this.#listenToRequests();
    }

    #listenToRequests(): void {
      const handle = (_request: IncomingMessage, response: ServerResponse) => {
        this.#connections.began(response);
      };
      this.on('request', handle);
      this.on('checkContinue', handle);
      this.on('checkExpectation', handle);
      this.on(connection, (socket: Socket) => {
        longWork.hurry();
        this.#connections.opened(socket);
      });
      const onTimeout = (socket: Duplex) => {
        if (!this.#connections.isWaiting(socket)) socket.destroy();
      };
      this.on('timeout', onTimeout);
      this.on('clientError', (error: NodeJS.ErrnoException, socket) => {
        refuseConnection(socket, error.code, this.#connections);
      });
      this.on('connect', (_request, socket) => {
        // node:http has released the connection, but responses to earlier requests may still be sent on it.
        socket.on('timeout', () => {
          onTimeout(socket);
        });
        socket.on('drain', () => this.#connections.pending(socket)[0]?.emit('drain'));
        refuseConnection(socket, undefined, this.#connections);
      });
    }

    override close(callback?: (error?: Error) => void): this {
      if (this.#state !== 'open') return super.close(callback);
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
        this.closeAllConnections();
      }, maxCloseMs);
      // Closing a server that never listened is not an error: its store is open.
      return super.close(() => {
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

    /** Closes it, at the end of a block that declares it with `await using`; does nothing if it is closed. */
    override async [Symbol.asyncDispose](): Promise<void> {
      if (this.#state === 'open') await promisify(this.close.bind(this))();
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
          this.closeAllConnections();
          this.#refuse(error);
        },
      );
    }

    /** Reports why it cannot listen, as node:http does. */
    #refuse(error: unknown): void {
      super.close();
      this.emit('error', error);
    }

    /** Delayed, because node:http would cut idle connections at once and lose requests on their way. */
    override closeIdleConnections(): void {
      if (!this.#isLingering) super.closeIdleConnections();
    }
  };
}
