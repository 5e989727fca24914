import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';

/** The responses of each connection to abort when it closes. One listener serves them all. */
const controllersOf = new WeakMap<Socket, Set<AbortController>>();

/** Whether the client can no longer receive the response. */
export function isDisconnected(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/** Creates a signal that is aborted if the client disconnects before it has the whole response. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (isDisconnected(response)) {
    controller.abort();
    return controller.signal;
  }
  const { socket } = response.req;
  // A response that waits for an earlier one on its connection gets no event when the connection closes.
  const controllers = controllersOf.get(socket) ?? watch(socket);
  controllers.add(controller);
  response.once('close', () => {
    controllers.delete(controller);
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function watch(socket: Socket): Set<AbortController> {
  const controllers = new Set<AbortController>();
  controllersOf.set(socket, controllers);
  socket.once('close', () => {
    for (const controller of controllers) controller.abort();
  });
  return controllers;
}

/** The text around the pages of a body. */
export interface Frame {
  readonly head: string;
  readonly between: string;
  /** @param isEmpty Whether no page had content. */
  readonly foot: (isEmpty: boolean) => string;
}

/**
 * Writes pages in their frame while they arrive, and ends the response. A failure breaks the connection, so that the client
 * sees it. The next page is requested when the client has read the previous one.
 *
 * @param first The pages already read.
 * @param write Writes to the response, and waits until the client has read enough, or is gone.
 */
export async function writePages(
  response: ServerResponse,
  first: readonly string[],
  rest: AsyncIterator<string>,
  { head, between, foot }: Frame,
  write: (text: string) => Promise<void>,
): Promise<void> {
  let before = head;
  let count = 0;
  const writePage = async (page: string) => {
    if (page === '') return;
    await write(before + page);
    before = between;
    count++;
  };
  for (const page of first) await writePage(page);
  for (;;) {
    const page = await rest.next();
    if (page.done === true || isDisconnected(response)) break;
    await writePage(page.value);
  }
  response.end((count === 0 ? head : '') + foot(count === 0));
}

/** Writes, and waits until the client has read enough, or is gone. */
export async function writeText(response: ServerResponse, text: string | Buffer): Promise<void> {
  if (isDisconnected(response) || response.write(text)) return;
  const done = new AbortController();
  const { signal } = done;
  await Promise.race([
    once(response, 'drain', { signal }),
    once(response, 'close', { signal }),
    // A response that waits for an earlier one on its connection gets no event when the connection closes.
    once(response.req.socket, 'close', { signal }),
  ])
    .catch((error: unknown) => {
      if (!isDisconnected(response)) throw error as Error;
    })
    .finally(() => {
      done.abort();
    });
}

/** {@link writeText}; disconnects a client that reads nothing for too long. */
export async function writeOrDrop(
  response: ServerResponse,
  text: string | Buffer,
  maxStallMs: number,
): Promise<void> {
  const stall = setTimeout(() => {
    response.destroy();
    response.req.socket.destroy();
  }, maxStallMs);
  await writeText(response, text).finally(() => {
    clearTimeout(stall);
  });
}

interface UnreadBytesOptions {
  /** The maximum of unread bytes. Beyond it, long responses wait, and stalled clients are disconnected. Default 64 MiB. */
  readonly maxBytes?: number;
  /** Beyond that maximum, disconnects a client that reads nothing for this long. Default 2000. */
  readonly maxStallMs?: number;
}

/** A part of a response that its client has not read yet. */
interface Unread {
  readonly response: ServerResponse;
  readonly bytes: number;
  readonly since: number;
}

/** The slices in which long texts are sent: they distinguish a client that reads slowly from one that does not read. */
const sliceBytes = 64 * 1024;

/** Bounds the memory of responses that clients do not read. Bytes that responses share do not count. */
export class UnreadBytes {
  readonly #maxBytes: number;
  readonly #maxStallMs: number;
  /** In the order of their beginning. */
  readonly #unread = new Set<Unread>();
  #heldBytes = 0;
  /** The newest long response of each connection. */
  readonly #newest = new WeakMap<Socket, ServerResponse>();
  readonly #waiting = new Set<() => void>();
  #timer: NodeJS.Timeout | undefined;

  constructor({ maxBytes = 64 * 1024 * 1024, maxStallMs = 2000 }: UnreadBytesOptions = {}) {
    this.#maxBytes = maxBytes;
    this.#maxStallMs = maxStallMs;
  }

  /**
   * Waits until a long response may begin: after the previous one of its connection, and once clients have read enough of
   * the others.
   *
   * @throws The reason of the signal when it is aborted.
   */
  async turn(response: ServerResponse, signal: AbortSignal): Promise<void> {
    const { socket, httpVersionMajor } = response.req;
    if (httpVersionMajor < 2) {
      const previous = this.#newest.get(socket);
      this.#newest.set(socket, response);
      if (previous !== undefined && !isFinished(previous)) {
        await once(previous, 'close', { signal });
        await setImmediate(); // Lets requests of other connections pass.
      }
    }
    while (this.#heldBytes > this.#maxBytes) await this.#room(signal);
  }

  async #room(signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = () => {
        this.#waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
    signal.throwIfAborted();
  }

  /** Writes a text and ends the response. Resolves when the client has read most of it, or is gone. */
  async end(response: ServerResponse, text: string): Promise<void> {
    const bytes = Buffer.from(text);
    for (let start = 0; start < bytes.length && !isDisconnected(response); start += sliceBytes)
      await this.#hold(response, bytes.length - start, bytes.subarray(start, start + sliceBytes));
    response.end();
  }

  /** Writes a text, and waits until the client has read enough, or is gone. */
  write(response: ServerResponse, text: string): Promise<void> {
    return this.#hold(response, text.length, text);
  }

  async #hold(response: ServerResponse, bytes: number, chunk: string | Buffer): Promise<void> {
    const unread = { response, bytes, since: performance.now() };
    this.#unread.add(unread);
    this.#heldBytes += bytes;
    if (this.#heldBytes > this.#maxBytes) this.#timer ??= this.#watch();
    try {
      await writeText(response, chunk);
    } finally {
      this.#unread.delete(unread);
      this.#heldBytes -= bytes;
      if (this.#heldBytes <= this.#maxBytes) this.#relax();
    }
  }

  #relax(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    for (const wake of this.#waiting) wake();
  }

  #watch(): NodeJS.Timeout {
    return setInterval(() => {
      const latest = performance.now() - this.#maxStallMs;
      let excess = this.#heldBytes - this.#maxBytes;
      for (const { response, bytes, since } of this.#unread) {
        if (since > latest || excess <= 0) break;
        excess -= bytes;
        response.destroy();
        if (response.req.httpVersionMajor < 2) response.req.socket.destroy();
      }
    }, this.#maxStallMs / 4).unref();
  }
}

/** Whether a response is sent, or abandoned. In Deno, `closed` is undefined. */
export function isFinished(response: ServerResponse): boolean {
  return response.writableFinished || response.closed;
}

/** Whether a text is sent in slices. */
export function isLong(byteLength: number): boolean {
  return byteLength > sliceBytes;
}
