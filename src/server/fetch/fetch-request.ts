import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** A `Request` of the Fetch API, as node:http would have received it. Its body is read at the pace of the service. */
export class FetchRequest extends IncomingMessage {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  #isReading = false;

  /** @param remoteAddress The address of the client. */
  constructor(request: Request, remoteAddress: string) {
    super(Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress }));
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

  /** Other code has read the body: what follows refuses it, and tells the embedder why. */
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
