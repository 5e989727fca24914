import { Server, type IncomingMessage, type ServerResponse } from 'node:http';
import { catalogueServer, maxCloseMs } from './catalogue-server.ts';
import { parseServerConfig, type ServerConfig } from './config.ts';
import { isOutside } from './http/request.ts';
import { openService, type Shared } from './service.ts';

const HttpServer = catalogueServer(Server, 'connection');

/**
 * Creates a book catalogue service as a `node:http` server, ready to `listen`. `close()` stops accepting connections,
 * waits for the requests in flight (at most 8 s), and closes the store unless it was passed in. Then it calls back; the event
 * `close` is earlier. A closed server can `listen` again, which opens its store again: `memory:` is then empty.
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
export function createServer(config: ServerConfig): Promise<Server> {
  return createSharingServer(config, {});
}

/** {@link createServer} for one of several processes of one service. */
export async function createSharingServer(config: ServerConfig, shared: Shared): Promise<Server> {
  const checked = parseServerConfig(config);
  const { requestTimeoutMs, tls } = checked;
  const service = await openService(checked, shared);
  const reopen = () => openService(checked, { ...shared, warn: false });
  if (tls === undefined) return new HttpServer(service, { requestTimeoutMs, reopen });
  const { Server: SecureServer } = await import('node:https');
  return new (catalogueServer(SecureServer, 'secureConnection'))(service, { requestTimeoutMs, tls, reopen });
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
export async function createHandler(config: ServerConfig): Promise<RequestHandler> {
  const checked = parseServerConfig(config);
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
