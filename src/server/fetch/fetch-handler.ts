import type { ServerResponse } from 'node:http';
import { parseServerConfig, type ServerConfig } from '../config.ts';
import { openService } from '../service.ts';
import { FetchRequest } from './fetch-request.ts';
import { FetchResponse } from './fetch-response.ts';

/** After `close()`, responses in flight get this long. */
const maxCloseMs = 8000;

/** What a `Request` does not tell. */
export interface FetchInfo {
  /** The address of the client. Failed logins are limited by address; without one, all clients count as one. */
  readonly remoteAddress?: string | undefined;
}

/** A function from a `Request` to its `Response`, as frameworks on the Fetch API accept it. */
export interface FetchHandler {
  /** Rejects only if the request is aborted before its response begins. */
  (request: Request, info?: FetchInfo): Promise<Response>;
  /** Waits for the responses in flight (at most 8 s), then closes the store unless it was passed in. */
  close(): Promise<void>;
  /** {@link close}, at the end of a block that declares the handler with `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Creates the service as a function of the Fetch API: for route handlers of Next.js, Hono, Bun and Deno. The paths are those
 * of `Request.url`, below `config.prefix`.
 *
 * Pass the request on unread. If its body was read, the response is 500, and the log has the reason.
 *
 * @throws As {@link createServer} does.
 *
 * @example
 * const books = await createFetchHandler({ ...config, prefix: '/catalogue' });
 * app.all('/catalogue/*', (context) => books(context.req.raw)); // Hono
 */
export async function createFetchHandler(config: ServerConfig): Promise<FetchHandler> {
  const service = await openService(parseServerConfig(config));
  const handle = (request: Request, { remoteAddress }: FetchInfo = {}) =>
    new Promise<Response>((resolve, reject) => {
      const incoming = new FetchRequest(request, typeof remoteAddress === 'string' ? remoteAddress : '');
      const outgoing = new FetchResponse(incoming, resolve, reject);
      outgoing.on('error', () => undefined); // The reader of the body gets it.
      service.handle(incoming, outgoing as unknown as ServerResponse);
    });
  const close = () => service.close(maxCloseMs);
  return Object.assign(handle, { close, [Symbol.asyncDispose]: close });
}
