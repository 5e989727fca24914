import { Buffer, isUtf8 } from 'node:buffer';
import type { Hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';
import { ByteBudget, type BudgetShare, GrowingBuffer } from '../../lib/bytes.ts';
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
export function isNdjson({ headers }: IncomingMessage): boolean {
  return /^application\/x-ndjson\s*(;|$)/i.test(headers['content-type'] ?? '');
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

/** A request after body parsers have read it. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown };

/** Whether other code has started to read the body. */
function isReadByOthers(request: IncomingMessage): boolean {
  return request.readableDidRead || request.readableEnded;
}

/**
 * Recovers the bytes of a body that a parser of the embedding app has read, from `request.body`. They are
 * exact if the parser kept bytes or text, else equivalent JSON.
 *
 * @throws {ShelflistError} `internal`, with advice for the embedder, if the result may differ from what was sent.
 */
function recoverBody(request: ParsedRequest): Buffer {
  if (!request.readableEnded) throw refuse('it is still being read');
  const declared = declaredLength(request);
  if (declared === 0 || (declared === undefined && !isFramed(request))) return Buffer.alloc(0);
  const { body } = request;
  if (body === undefined) throw refuse('it is not in request.body');
  const bytes =
    body instanceof Uint8Array ? Buffer.from(body.buffer, body.byteOffset, body.length) : undefined;
  if (bytes === undefined && typeof body !== 'string') return fromValue(request, body, declared);
  const recovered = bytes ?? fromText(request, body as string);
  if (declared !== undefined && recovered.length !== declared)
    throw refuse('the length of request.body differs from the length sent');
  return recovered;
}

/** Whether a request without `Content-Length` may have a body. */
function isFramed({ headers, httpVersionMajor }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || httpVersionMajor >= 2;
}

/** Accepts text unless decoding may have changed it: U+FFFD replaces bytes that are not UTF-8. */
function fromText({ headers }: IncomingMessage, text: string): Buffer {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8';
  const isUtf8 = /^utf-?8$/i.test(charset) || /^[\0-\x7f]*$/.test(text);
  if (!isUtf8 || text.includes('\ufffd'))
    throw refuse('it was decoded into text that may differ from what was sent');
  return Buffer.from(text);
}

/** Some parsers return `{}` for an empty or unreadable body. A longer body than this is not empty. */
const maxEmptyObjectBytes = '{}\r\n'.length;

/** Without a JSON `Content-Type`, an object may come from a form, a multipart body or anything else. */
function fromValue({ headers }: IncomingMessage, value: unknown, declared: number | undefined): Buffer {
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(headers['content-type'] ?? ''))
    throw refuse('it was parsed as a type other than JSON');
  const text = stringify(value);
  if (text.includes('\ufffd')) throw refuse('it was decoded into text that may differ from what was sent');
  if (text === '{}' && (declared ?? Infinity) > maxEmptyObjectBytes)
    throw refuse('it was parsed into an empty object, which may not be what was sent');
  return Buffer.from(text);
}

function stringify(value: unknown): string {
  try {
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) return text;
  } catch {
    // Nested too deeply, or not a JSON value.
  }
  throw refuse('it was parsed into a value that is not JSON');
}

function refuse(reason: string): ShelflistError {
  return new ShelflistError('internal', {
    message:
      `cannot recover the request body, which other code has read: ${reason}; mount shelflist before body parsers, ` +
      `or keep the bytes with express.raw({ type: '*/*' })`,
  });
}
