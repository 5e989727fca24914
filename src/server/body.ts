import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ShelflistError } from '../errors.ts';
import { ByteBudget, type BudgetShare } from '../lib/byte-budget.ts';
import { GrowingBuffer } from '../lib/growing-buffer.ts';
import { isReadByOthers, recoverBody } from './parsed-body.ts';
import { expectsContinue } from './target.ts';

/** The longest body of a login: a name and a password. Logins need no token, so the limit is low. */
export const maxLoginBytes = 16 * 1024;

/** The maximum that unfinished bodies of one kind hold in total. Logins have their own: strangers must not block others. */
const maxHeldBytes = { login: 16 * 1024 * 1024, book: 128 * 1024 * 1024 } as const;

/** The kinds of bodies, by their limits. */
export type BodyKind = keyof typeof maxHeldBytes;

interface Bound {
  readonly maxBytes: number;
  readonly budget: ByteBudget;
}

/** Reads the bodies of a service, within a limit for each and for all together. */
export class BodyReader {
  readonly #bounds: Readonly<Record<BodyKind, Bound>>;

  /**
   * @param limitBytes The maximum length of a body.
   * @param held The maximum that the unfinished bodies of each kind hold in total.
   */
  constructor(limitBytes: number, held: Readonly<Record<BodyKind, number>> = maxHeldBytes) {
    this.#bounds = {
      login: { maxBytes: Math.min(limitBytes, maxLoginBytes), budget: new ByteBudget(held.login) },
      book: { maxBytes: limitBytes, budget: new ByteBudget(held.book) },
    };
  }

  /** The memory that unfinished bodies of a kind currently hold. */
  heldBytes(kind: BodyKind): number {
    return this.#bounds[kind].budget.heldBytes;
  }

  /**
   * The JSON value of a request's body; `undefined` when it is not JSON. In an embedding app, a body
   * parser may have read it first: see {@link recoverBody}.
   *
   * @throws {ShelflistError} `unsupported_encoding`; `body_too_large`; `unavailable`, when unfinished bodies hold too much
   * memory; or `bad_request` when the connection ends before the body does.
   */
  async readJson(request: IncomingMessage, response: ServerResponse, kind: BodyKind): Promise<unknown> {
    const { maxBytes, budget } = this.#bounds[kind];
    acceptBody(request, response, maxBytes);
    if (isReadByOthers(request)) return parseJson(recover(request, maxBytes));
    const share = budget.open();
    try {
      return parseJson(await collect(request, maxBytes, share));
    } finally {
      share.release();
    }
  }
}

/** What the headers say of a body is known before it is asked for. */
function acceptBody(request: IncomingMessage, response: ServerResponse, maxBytes: number): void {
  if (isEncoded(request)) throw new ShelflistError('unsupported_encoding');
  if (declaredLength(request, 0) > maxBytes) throw new ShelflistError('body_too_large');
  if (expectsContinue(request) && !isReadByOthers(request)) response.writeContinue();
}

function declaredLength({ headers }: IncomingMessage, otherwise: number): number {
  return Number(headers['content-length'] ?? otherwise);
}

function recover(request: IncomingMessage, maxBytes: number): Buffer {
  const body = recoverBody(request);
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
    // The connection stays: whoever stops reading has an answer to send on it.
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

/** Whether the body is compressed, by either of the two headers that can say so. */
function isEncoded({ headers }: IncomingMessage): boolean {
  const { 'content-encoding': content, 'transfer-encoding': transfer } = headers;
  if (content === undefined && transfer === undefined) return false;
  const codings = `${content ?? ''},${transfer ?? ''}`.toLowerCase().split(',');
  return codings.some((coding) => !['', 'identity', 'chunked'].includes(coding.trim()));
}

/** Whether a body says that it is NDJSON: `application/x-ndjson`, whatever parameters follow. */
export function isNdjson({ headers }: IncomingMessage): boolean {
  return /^application\/x-ndjson\s*(;|$)/i.test(headers['content-type'] ?? '');
}

function connectionEnded(): ShelflistError {
  return new ShelflistError('bad_request', { message: 'the connection ended before the body did' });
}

/** A body while it arrives. */
interface Unfinished {
  readonly buffer: GrowingBuffer;
  /** A body that came as one chunk; it is not copied. */
  whole?: Buffer;
  resolve(body: Buffer): void;
  reject(error: ShelflistError): void;
}

function collect(request: IncomingMessage, maxBytes: number, share: BudgetShare): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A sender that is gone already sends no event any more.
    if (request.destroyed) {
      reject(connectionEnded());
      return;
    }
    const declared = declaredLength(request, Infinity);
    // Let go of at the end, with the body: the request may be known as long as its connection is open.
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

/** The JSON value of a body in UTF-8; `undefined` when it is not UTF-8 or not JSON (RFC 8259). */
export function parseJson(body: Buffer): unknown {
  if (!isUtf8(body)) return undefined;
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** A body that nobody will read is taken off the wire up to here, so that its sender sees the answer. */
const discardLimitBytes = 16 * 1024 * 1024;

/** Lets the rest of a refused body pass unread; a sender that does not end is cut off. */
export function discardRest(request: IncomingMessage): void {
  let length = 0;
  request.on('error', () => undefined);
  request.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length > discardLimitBytes) request.destroy();
  });
  request.resume();
}
