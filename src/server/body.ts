import { isUtf8 } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ShelflistError } from '../errors.ts';
import { isContinue } from './target.ts';

/**
 * Reads a whole body into memory, at most `limitBytes` of it.
 *
 * @throws {ShelflistError} `unsupported_encoding`, `body_too_large`, or `bad_request` when the connection ends
 * before the body does.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): Promise<Buffer> {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new ShelflistError('unsupported_encoding');
  }
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) throw new ShelflistError('body_too_large');
  if (request.readableEnded) {
    throw new Error('the body was read before shelflist got the request: mount it in front of body parsers');
  }
  if (isContinue(request.headers.expect ?? '')) response.writeContinue();
  return collect(request, limitBytes);
}

function collect(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer) => {
      length += chunk.length;
      if (length > limitBytes) {
        stop();
        reject(new ShelflistError('body_too_large'));
      } else chunks.push(chunk);
    };
    const onEnd = () => {
      stop();
      resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks, length));
    };
    const onClose = () => {
      stop();
      reject(new ShelflistError('bad_request', { message: 'the connection ended before the body did' }));
    };
    const stop = () => {
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
    };
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
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
