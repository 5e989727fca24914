import { Buffer, isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ShelflistError } from '../errors.ts';
import { expectsContinue } from './target.ts';

/**
 * Reads a whole body into memory, at most `limitBytes` of it.
 *
 * @throws {ShelflistError} `unsupported_encoding`, `body_too_large`, or `bad_request` when the connection ends
 * before the body does.
 */
function readBody(request: IncomingMessage, response: ServerResponse, limitBytes: number): Promise<Buffer> {
  acceptBody(request, response, limitBytes);
  return collect(request, limitBytes);
}

/** What the headers say of a body is known before it is asked for. */
function acceptBody(request: IncomingMessage, response: ServerResponse, limitBytes: number): void {
  if (isEncoded(request)) throw new ShelflistError('unsupported_encoding');
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new ShelflistError('body_too_large');
  if (expectsContinue(request)) response.writeContinue();
}

/**
 * Reads a body as it comes. In a server that is not ours, a body parser may have come first: what it has made of the
 * body is written out again.
 *
 * @throws {ShelflistError} As {@link readBody} does, also in the middle.
 */
export async function* streamBody(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  limitBytes: number,
): AsyncGenerator<Uint8Array> {
  if (request.readableEnded) {
    yield rewriteBody(request.body);
    return;
  }
  acceptBody(request, response, limitBytes);
  let length = 0;
  try {
    // The connection stays: whoever stops reading has an answer to send on it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > limitBytes) throw new ShelflistError('body_too_large');
      yield chunk;
    }
  } catch (error) {
    throw error instanceof ShelflistError ? error : connectionEnded();
  }
}

function rewriteBody(body: unknown): Buffer {
  if (body === undefined)
    throw new Error('the body was read before shelflist got the request, and is not in request.body');
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
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

function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    // A sender that is gone already sends no event any more.
    if (request.destroyed) {
      reject(connectionEnded());
      return;
    }
    // Let go of at the end, with the body: the request may be known as long as its connection is open.
    let waiting: { chunks: Buffer[]; resolve: typeof resolve; reject: typeof reject } | undefined;
    waiting = { chunks: [], resolve, reject };
    let length = 0;
    const fail = (error: ShelflistError) => {
      waiting?.reject(error);
      waiting = undefined;
    };
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      waiting?.chunks.push(chunk);
      if (length <= limitBytes) return;
      request.off('data', onData);
      fail(new ShelflistError('body_too_large'));
    };
    const onClose = () => {
      if (!request.readableEnded) fail(connectionEnded());
    };
    request.on('data', onData);
    request.on('end', () => {
      const { chunks = [], resolve: pass } = waiting ?? {};
      waiting = undefined;
      pass?.(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks));
    });
    request.on('close', onClose).on('error', onClose);
  });
}

/**
 * The JSON value of a request's body; `undefined` when it is not JSON. In a server that is not ours, a body
 * parser may have come first: what it has made of the body (`request.body`, as Express has it) is taken as it is.
 *
 * @throws {ShelflistError} As {@link readBody} does.
 */
export async function readJson(
  request: IncomingMessage & { body?: unknown },
  response: ServerResponse,
  limitBytes: number,
): Promise<unknown> {
  if (!request.readableEnded) return parseJson(await readBody(request, response, limitBytes));
  if (request.body !== undefined) return request.body;
  throw new Error('the body was read before shelflist got the request, and is not in request.body');
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
