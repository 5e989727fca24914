import { Buffer } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { ShelflistError } from '../../catalogue/errors.ts';

/** A request after body parsers have read it. */
type ParsedRequest = IncomingMessage & { readonly body?: unknown };

/**
 * Recovers the bytes of a body that a parser of the embedding app has read, from `request.body`. They are
 * exact if the parser kept bytes or text, else equivalent JSON.
 *
 * @throws {ShelflistError} `internal`, with advice for the embedder, if the result may differ from what was sent.
 */
export function recoverBody(request: ParsedRequest, declared: number | undefined): Buffer {
  if (!request.readableEnded) throw refuse('it is still being read');
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
