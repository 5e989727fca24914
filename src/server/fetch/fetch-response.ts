import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';

/** The bytes of a body that are buffered before the service waits for the client. */
const maxBufferedBytes = 64 * 1024;

/** Statuses whose responses have no body (Fetch, section 2.2.3). */
const withoutBody = [204, 304];

/** A response of the service, sent as a `Response` of the Fetch API. It has what the service uses of a `ServerResponse`. */
export class FetchResponse extends Writable {
  readonly req: IncomingMessage;
  statusCode = 200;
  headersSent = false;
  readonly #resolve: (response: Response) => void;
  readonly #reject: (error: Error) => void;
  #body: ReadableStreamDefaultController<Uint8Array> | undefined;
  /** Called when the client wants more. */
  #next: (() => void) | undefined;

  constructor(req: IncomingMessage, resolve: (response: Response) => void, reject: (error: Error) => void) {
    super();
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
          const next = this.#next;
          this.#next = undefined;
          next?.();
        },
        cancel: () => {
          this.#body = undefined;
          this.req.socket.destroy(); // The client is gone.
        },
      },
      new ByteLengthQueuingStrategy({ highWaterMark: maxBufferedBytes }),
    );
  }

  override _write(chunk: Uint8Array, _encoding: string, callback: () => void): void {
    this.#body?.enqueue(Uint8Array.from(chunk)); // A view of a pool would give its receiver the rest of the pool.
    if (this.#body !== undefined && (this.#body.desiredSize ?? 0) <= 0) this.#next = callback;
    else callback();
  }

  override _final(callback: () => void): void {
    this.#body?.close();
    this.#body = undefined;
    callback();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    const reason = error ?? new Error('the response ended before it was complete');
    this.#body?.error(reason);
    this.#body = undefined;
    if (!this.headersSent) this.#reject(reason);
    callback(error);
  }
}
