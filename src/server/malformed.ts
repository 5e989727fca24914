import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { wrap } from '../envelope.ts';
import { ShelflistError, type WireErrorCode } from '../errors.ts';
import type { Connections } from './connections.ts';
import { notSniffed, notStored } from './headers.ts';

/** Which of our errors stands for a parser's (llhttp) or a timer's (node:http) error code. */
function errorCode(code: string | undefined): WireErrorCode {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return 'headers_too_large';
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return 'body_too_large';
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return 'request_timeout';
    default:
      return 'bad_request';
  }
}

/** How long a refused sender may take to read its answer, before the connection is cut. */
const lingerMs = 1000;

const refused = new WeakSet<Duplex>();

/**
 * Answers what never became a request: writes an envelope onto the bare connection and closes it. Answers to
 * earlier, whole requests on it go first. A request that ended half-way and has its answer gets no second one.
 */
export function refuseConnection(socket: Duplex, code: string | undefined, connections: Connections): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  socket.on('error', () => undefined); // The sender may be gone: there is nobody to tell.
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const unfinished = connections.unfinished(socket);
  const earlier = connections.pending(socket);
  let waiting = earlier.length;
  const refuse = () => {
    if (unfinished?.headersSent === true) socket.destroy();
    // What follows a request that was the last one by its own word has no answer.
    else if (code === 'HPE_CLOSED_CONNECTION') finish(socket);
    else finish(socket, rawEnvelope(errorCode(code)));
  };
  if (waiting === 0) refuse();
  for (const response of earlier) {
    response.once('close', () => {
      if (--waiting === 0) refuse();
    });
  }
}

function finish(socket: Duplex, text?: string): void {
  socket.end(text);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once('close', () => {
    clearTimeout(timer);
  });
}

/** A whole HTTP response that carries an error's envelope and ends the connection. */
function rawEnvelope(code: WireErrorCode): string {
  const { status, wireMessage } = new ShelflistError(code);
  const text = wrap(status, wireMessage, null);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...notStored, ...notSniffed }).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
