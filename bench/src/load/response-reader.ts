/** The expected part: bytes of known length, the size of a chunk, or the empty line after the last chunk. */
type Part = 'head' | 'bytes' | 'chunk size' | 'end';

/**
 * Finds the ends of responses: it reads the head and skips the body. It supports what the servers of this benchmark
 * send (no trailers, no body after a 304), and calls `onEnd` with the status.
 */
export class ResponseReader {
  readonly #onEnd: (status: number) => void;
  #part: Part = 'head';
  #rest: Buffer | undefined;
  #status = 0;
  #left = 0;
  #isChunked = false;

  constructor(onEnd: (status: number) => void) {
    this.#onEnd = onEnd;
  }

  /** Reads the next bytes; the buffer may be reused afterwards. */
  read(bytes: Buffer): void {
    let chunk = bytes;
    if (this.#rest !== undefined) {
      chunk = Buffer.concat([this.#rest, bytes]);
      this.#rest = undefined;
    }
    let at = 0;
    while (at < chunk.length) {
      if (this.#part === 'bytes') {
        const taken = Math.min(this.#left, chunk.length - at);
        at += taken;
        this.#left -= taken;
        if (this.#left > 0) return;
        if (this.#isChunked) this.#part = 'chunk size';
        else this.#finish();
        continue;
      }
      const separator = this.#part === 'head' ? '\r\n\r\n' : '\r\n';
      const end = chunk.indexOf(separator, at, 'latin1');
      if (end === -1) {
        this.#rest = Buffer.from(chunk.subarray(at));
        return;
      }
      const text = chunk.toString('latin1', at, end);
      at = end + separator.length;
      if (this.#part === 'head') this.#readHead(text);
      else if (this.#part === 'chunk size') this.#readChunkSize(text);
      else this.#finish();
    }
  }

  #readHead(head: string): void {
    this.#status = Number(head.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
    this.#isChunked = length === undefined && this.#status !== 304;
    if (this.#isChunked) {
      this.#part = 'chunk size';
      return;
    }
    this.#left = this.#status === 304 ? 0 : Number(length);
    this.#part = 'bytes';
    if (this.#left === 0) this.#finish();
  }

  #readChunkSize(text: string): void {
    const size = Number.parseInt(text, 16);
    // The line end after a chunk is skipped, too.
    this.#left = size + 2;
    this.#part = size === 0 ? 'end' : 'bytes';
  }

  #finish(): void {
    this.#part = 'head';
    this.#onEnd(this.#status);
  }
}
