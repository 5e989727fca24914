import { Buffer, isUtf8 } from 'node:buffer';
import type { Hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';
import { recoverBody } from './recovered-body.ts';
import { expectsContinue } from './request.ts';

/** The maximum body of a login. Logins need no token, so the limit is low. */
export const maxLoginBytes = 16 * 1024;

/** The maximum memory of unfinished bodies by kind. Logins have their own, so that strangers cannot block users. */
const maxHeldBytes = { login: 16 * 1024 * 1024, book: 128 * 1024 * 1024 } as const;

/** A kind of body, with limits of its own. */
export type BodyKind = keyof typeof maxHeldBytes;

interface Limits {
  readonly maxBytes: number;
  readonly budget: ByteBudget;
}

interface BodyOptions {
  readonly whenEmpty?: unknown;
  readonly hash?: Hash | undefined;
}

/** Reads request bodies, within a limit for each and for all together. */
export class BodyReader {
  readonly #limits: Readonly<Record<BodyKind, Limits>>;

  /**
   * @param limitBytes The maximum length of a body.
   * @param held The maximum memory of unfinished bodies by kind.
   */
  constructor(limitBytes: number, held: Readonly<Record<BodyKind, number>> = maxHeldBytes) {
    this.#limits = {
      login: { maxBytes: Math.min(limitBytes, maxLoginBytes), budget: new ByteBudget(held.login) },
      book: { maxBytes: limitBytes, budget: new ByteBudget(held.book) },
    };
  }

  /** The memory that unfinished bodies of a kind currently hold. */
  heldBytes(kind: BodyKind): number {
    return this.#limits[kind].budget.heldBytes;
  }

  /**
   * Reads a body as JSON. Returns `undefined` if it is not JSON. In an embedding app, a body parser may have read it first:
   * see {@link recoverBody}.
   *
   * @param options.whenEmpty The result for a body without any bytes.
   * @param options.hash Receives the bytes.
   * @throws {ShelflistError} `unsupported_encoding`; `body_too_large`; `unavailable`: unfinished bodies hold too much memory;
   * `bad_request`: the connection closed before the body was complete.
   */
  async readJson(
    request: IncomingMessage,
    response: ServerResponse,
    kind: BodyKind,
    { whenEmpty, hash }: BodyOptions = {},
  ): Promise<unknown> {
    const { maxBytes, budget } = this.#limits[kind];
    acceptBody(request, response, maxBytes);
    const parse = (body: Buffer) => {
      hash?.update(body);
      return body.length === 0 ? whenEmpty : parseJson(body);
    };
    if (isReadByOthers(request)) return parse(recover(request, maxBytes));
    const share = budget.open();
    try {
      return parse(await collect(request, maxBytes, share));
    } finally {
      share.release();
    }
  }
}

/** Checks the headers of a body before the client is asked for it. */
function acceptBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
  if (isEncoded(request)) throw new ShelflistError('unsupported_encoding');
  if ((declaredLength(request) ?? 0) > maxBytes) throw new ShelflistError('body_too_large');
  if (expectsContinue(request) && !isReadByOthers(request)) response.writeContinue();
}

/** `Content-Length`; `undefined` if the sender did not send it. */
function declaredLength({ headers: { 'content-length': length } }: IncomingMessage): number | undefined {
  return length === undefined ? undefined : Number(length);
}

function recover(request: IncomingMessage, maxBytes: number): Buffer {
  const body = recoverBody(request, declaredLength(request));
  if (body.length > maxBytes) throw new ShelflistError('body_too_large');
  return body;
}

/** The length of the pieces that {@link streamBody} yields. */
const pieceBytes = 16 * 1024;

/**
 * Reads a body as it arrives, in pieces long enough to be processed efficiently. A piece is valid until the next one is
 * requested. A body that another parser has read is recovered, as by {@link BodyReader.readJson}.
 *
 * @throws {ShelflistError} As {@link BodyReader.readJson} does, even after some pieces.
 */
export async function* streamBody(
  request: IncomingMessage,
  response: ServerResponse,
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  acceptBody(request, response, maxBytes);
  if (isReadByOthers(request)) {
    yield recover(request, maxBytes);
    return;
  }
  const piece = new GrowingBuffer(pieceBytes);
  let length = 0;
  try {
    // The connection stays open for the response, even if the caller stops reading.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > maxBytes) throw new ShelflistError('body_too_large');
      if (piece.length > 0 && piece.length + chunk.length > pieceBytes) {
        yield piece.view();
        piece.clear();
      }
      if (chunk.length < pieceBytes) piece.append(chunk);
      else yield chunk;
    }
  } catch (error) {
    throw error instanceof ShelflistError ? error : connectionEnded();
  }
  yield piece.view();
}

/** Whether the body is compressed, by either of two headers. */
function isEncoded({ headers }: IncomingMessage): boolean {
  const { 'content-encoding': content, 'transfer-encoding': transfer } = headers;
  if (content === undefined && transfer === undefined) return false;
  const codings = `${content ?? ''},${transfer ?? ''}`.toLowerCase().split(',');
  return codings.some((coding) => !['', 'identity', 'chunked'].includes(coding.trim()));
}

/** Whether the body is NDJSON: `application/x-ndjson`, with any parameters. */
export function isNdjson(request: IncomingMessage): boolean {
  return mediaTypeOf(request) === 'application/x-ndjson';
}

/** The media type of a body, in lower case, without parameters; empty if there is none. */
export function mediaTypeOf({ headers: { 'content-type': contentType = '' } }: IncomingMessage): string {
  return contentType.replace(/;.*/s, '').trim().toLowerCase();
}

function connectionEnded(): ShelflistError {
  return new ShelflistError('bad_request', { message: 'the connection closed before the body was complete' });
}

/** A body that is arriving. */
interface Unfinished {
  readonly buffer: GrowingBuffer;
  /** A body that arrived as one chunk, which is not copied. */
  whole?: Buffer;
  resolve(body: Buffer): void;
  reject(error: ShelflistError): void;
}

function collect(request: IncomingMessage, maxBytes: number, share: BudgetShare): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A closed request emits no further event.
    if (request.destroyed) {
      reject(connectionEnded());
      return;
    }
    const declared = declaredLength(request) ?? Infinity;
    // Cleared at the end to release the body: the request may be referenced while its connection is open.
    let body: Unfinished | undefined = {
      buffer: new GrowingBuffer(Math.min(declared, maxBytes)),
      resolve,
      reject,
    };
    const fail = (error: ShelflistError) => {
      request.off('data', onData);
      body?.reject(error);
      body = undefined;
    };
    const onData = (chunk: Buffer) => {
      if (body === undefined) return;
      const { buffer } = body;
      const length = buffer.length + chunk.length;
      if (length > maxBytes) fail(new ShelflistError('body_too_large'));
      else if (chunk.length === declared) body.whole = chunk;
      else if (share.growTo(buffer.capacityFor(length))) buffer.append(chunk);
      else fail(tooManyBodies());
    };
    const onClose = () => {
      if (!request.readableEnded) fail(connectionEnded());
    };
    request.on('data', onData);
    request.on('end', () => {
      const done = body;
      body = undefined;
      done?.resolve(done.whole ?? done.buffer.view());
    });
    request.on('close', onClose).on('error', onClose);
  });
}

function tooManyBodies(): ShelflistError {
  return new ShelflistError('unavailable', {
    message: 'request bodies in progress take too much memory',
  });
}

/** Parses JSON in UTF-8 (RFC 8259). Returns `undefined` for anything else. */
function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An unread body is received up to this length, so that its sender sees the response. */
const maxDiscardBytes = 16 * 1024 * 1024;

/** Discards the rest of a refused body. Cuts off a sender that does not end. */
export function discardRest(request: IncomingMessage): void {
  let length = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > maxDiscardBytes) request.destroy();
  });
  request.resume();
}

/** Whether other code has started to read the body. */
function isReadByOthers(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableEnded;
}

/** Bounds the memory that several holders take together. */
export class ByteBudget {
  readonly maxBytes: number;
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.maxBytes = maxBytes;
  }

  /** The bytes that all shares hold now. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** Opens an empty share. Its holder must release it in every case. */
  open(): BudgetShare {
    let bytes = 0;
    return {
      growTo: (wanted) => {
        const more = Math.max(0, wanted - bytes);
        if (this.#heldBytes + more > this.maxBytes) return false;
        this.#heldBytes += more;
        bytes += more;
        return true;
      },
      release: () => {
        this.#heldBytes -= bytes;
        bytes = 0;
      },
    };
  }
}

/** One holder's share of a {@link ByteBudget}. */
interface BudgetShare {
  /** Raises the share to this many bytes. Returns `false`, and changes nothing, if the budget is too small. */
  growTo(bytes: number): boolean;
  /** Releases all its bytes. The share can be used again. */
  release(): void;
}

const minCapacity = 1024;

/**
 * Appends chunks to one buffer, which doubles when it is full. A list of short chunks would take many times the memory
 * of their bytes.
 */
class GrowingBuffer {
  readonly #maxBytes: number;
  #bytes = Buffer.alloc(0);
  #length = 0;

  /** @param maxBytes The maximum that will be appended; no more is allocated. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get length(): number {
    return this.#length;
  }

  /** The memory needed to hold this many bytes. */
  capacityFor(length: number): number {
    const { length: capacity } = this.#bytes;
    if (length <= capacity) return capacity;
    return Math.max(length, Math.min(this.#maxBytes, Math.max(minCapacity, 2 * capacity)));
  }

  append(chunk: Uint8Array): void {
    const length = this.#length + chunk.length;
    const capacity = this.capacityFor(length);
    if (capacity > this.#bytes.length) {
      // Not from Node's pool: a slice would keep the whole pool alive.
      const larger = Buffer.allocUnsafeSlow(capacity);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    this.#bytes.set(chunk, this.#length);
    this.#length = length;
  }

  /** The bytes so far, as a view that is valid until the next call of {@link append} or {@link clear}. */
  view(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  /** Discards the bytes, and keeps the memory for reuse. */
  clear(): void {
    this.#length = 0;
  }
}
