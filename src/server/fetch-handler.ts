import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { type CheckedConfig, parseHandlerConfig, type HandlerConfig } from './config.ts';
import { originalRequests } from './http/request.ts';
import { maxCloseMs, openService } from './service.ts';

/** A function from a `Request` to its `Response`, as frameworks on the Fetch API accept it. */
export interface FetchHandler {
  /**
   * Rejects only if the request is aborted before its response begins.
   *
   * @param info `remoteAddress`: the address of the client. Failed logins are limited by address; without one, all clients count
   * as one.
   */
  (request: Request, info?: { readonly remoteAddress?: string | undefined }): Promise<Response>;
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
export async function createFetchHandler<Claims extends object = object>(
  config: HandlerConfig<Claims, Request>,
): Promise<FetchHandler> {
  const checked = parseHandlerConfig(config);
  const service = await openService(checked);
  const warn = warnOfNoAddress(checked);
  const handle = (
    request: Request,
    { remoteAddress }: { readonly remoteAddress?: string | undefined } = {},
  ) =>
    new Promise<Response>((resolve, reject) => {
      const isKnown = typeof remoteAddress === 'string';
      if (!isKnown) warn();
      const wasRead = request.bodyUsed; // In Bun, it is true as soon as there is a reader.
      const incoming = new FetchRequest(request, isKnown ? remoteAddress : '');
      const outgoing = new FetchResponse(incoming, resolve, reject);
      outgoing.on('error', () => undefined); // The reader of the body gets it.
      const begin = () => {
        service.handle(incoming, outgoing as unknown as ServerResponse);
      };
      // The end of a body that was read comes later, and the service must see it: else it takes the body for an empty one.
      if (wasRead) incoming.once('end', begin);
      else begin();
    });
  const close = () => service.close(maxCloseMs);
  return Object.assign(handle, { close, [Symbol.asyncDispose]: close });
}

/** The warning, once, that the address of a proxy cannot be compared with those that are trusted. */
function warnOfNoAddress({ trustedProxies, logger }: CheckedConfig): () => void {
  let isDue = trustedProxies.length > 0;
  return () => {
    if (isDue)
      logger.warn(
        {},
        'the fetch handler gets no remoteAddress: trustedProxies does nothing, and all clients share one limit of failed logins',
      );
    isDue = false;
  };
}

/** A `Request` of the Fetch API, as node:http would have received it. Its body is read at the pace of the service. */
class FetchRequest extends IncomingMessage {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isReading = false;

  constructor(request: Request, remoteAddress: string) {
    super(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
    originalRequests.set(this, request);
    const { pathname, search, host } = new URL(request.url);
    this.method = request.method;
    this.url = pathname + search;
    this.headers = { host, ...Object.fromEntries(request.headers) };
    this.rawHeaders = Object.entries(this.headers).flatMap(([name, value]) => [name, String(value)]);
    this.httpVersion = '1.1';
    this.httpVersionMajor = 1;
    this.httpVersionMinor = 1;
    if (request.bodyUsed) this.#markAsRead();
    else this.#reader = request.body?.getReader();
    request.signal.addEventListener('abort', () => {
      this.socket.destroy();
      this.destroy();
    });
    if (request.signal.aborted) this.socket.destroy();
  }

  /** Marks the body as read by other code: the service then refuses it, with advice for the embedder. */
  #markAsRead(): void {
    this.headers['transfer-encoding'] = 'chunked'; // There was a body, of unknown length.
    this.complete = true;
    this.push(null);
    this.resume();
  }

  override _read(): void {
    if (this.#isReading || this.complete) return;
    this.#isReading = true;
    this.#pull().catch((error: unknown) => this.destroy(error as Error));
  }

  async #pull(): Promise<void> {
    for (let wantsMore = true; wantsMore;) {
      const chunk = await this.#reader?.read();
      if (this.destroyed) return;
      this.complete = chunk?.value === undefined;
      wantsMore = this.push(chunk?.value ?? null) && !this.complete;
    }
    this.#isReading = false;
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#reader?.cancel(error).catch(() => undefined);
    super._destroy(error, callback);
  }
}

/** The bytes of a body that are buffered before the service waits for the client. */
const maxBufferedBytes = 64 * 1024;

/** Statuses whose responses have no body (Fetch, section 2.2.3). */
const withoutBody = [204, 304];

/** Sends a response as a `Response` of the Fetch API. Implements the members of `ServerResponse` that the service uses. */
class FetchResponse extends Writable {
  readonly req: IncomingMessage;
  statusCode = 200;
  headersSent = false;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: Error) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Whether the reader of the body waits for a chunk. */
  #isWanted = false;
  /** What to do when it does. */
  #next: (() => void) | undefined;

  constructor(req: IncomingMessage, resolve: (response: Response) => void, reject: (error: Error) => void) {
    super({ highWaterMark: maxBufferedBytes });
    this.req = req;
    this.#resolve = resolve;
    this.#reject = reject;
    req.socket.once('close', () => this.destroy());
  }

  writeHead(status: number, headers: Record<string, string>): this {
    this.statusCode = status;
    this.headersSent = true;
    const hasBody = this.req.method !== 'HEAD' && !withoutBody.includes(status);
    this.#resolve(new Response(hasBody ? this.#openBody() : null, { status, headers }));
    return this;
  }

  #openBody(): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          this.#body = controller;
        },
        pull: () => {
          this.#isWanted = true;
          this.#next?.();
        },
        cancel: () => {
          this.#body = undefined;
          this.req.socket.destroy(); // The client is gone.
        },
      },
      { highWaterMark: 0 }, // Pulls only for a reader that waits.
    );
  }

  #whenWanted(action: () => void): void {
    this.#next = () => {
      this.#next = undefined;
      this.#isWanted = false;
      action();
    };
    if (this.#isWanted) this.#next();
  }

  override _write(chunk: Uint8Array, _encoding: string, callback: () => void): void {
    if (this.#body === undefined) callback();
    else
      this.#whenWanted(() => {
        this.#body?.enqueue(Uint8Array.from(chunk)); // A view of a pool would give its receiver the rest of the pool.
        callback();
      });
  }

  override _final(callback: () => void): void {
    this.#body?.close();
    this.#body = undefined;
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const reason = error ?? new Error('the response ended before it was complete');
    const body = this.#body;
    this.#body = undefined;
    // A reader that is between two reads may take the end for a good one: @hono/node-server does.
    this.#whenWanted(() => body?.error(reason));
    if (!this.headersSent) this.#reject(reason);
    callback(error);
  }
}
