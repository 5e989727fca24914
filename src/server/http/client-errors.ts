import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { wrap } from '../../catalogue/envelope.ts';
import { ShelflistError, type WireErrorCode } from '../../catalogue/errors.ts';
import type { Connections } from './connections.ts';
import { noSniff, noStore } from './headers.ts';

/** Our codes for errors of the parser (llhttp) and the timers (node:http). Others are `bad_request`. */
const wireCodes: Readonly<Record<string, WireErrorCode>> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** A refused client gets this long to read the response before the connection is cut. */
const lingerMs = 1000;

const refused = new WeakSet<Duplex>();

/**
 * Responds to malformed HTTP, which never becomes a request: writes an envelope to the connection and closes it. Responses
 * to earlier requests on the connection go first. A request that broke off after its response gets no second one.
 */
export function refuseConnection(socket: Duplex, code: string | undefined, connections: Connections): void {
  if (refused.has(socket)) return;
  refused.add(socket);
  socket.on('error', () => undefined); // The client may be gone.
  if (!socket.writable || code === 'ECONNRESET' || !connections.has(socket)) {
    socket.destroy();
    return;
  }
  const unfinished = connections.unfinished(socket);
  const earlier = connections.pending(socket);
  let waiting = earlier.length;
  const refuse = () => {
    if (unfinished?.headersSent === true) socket.destroy();
    // The client announced that no request would follow, so what follows gets no response.
    else if (code === 'HPE_CLOSED_CONNECTION') finish(socket);
    else finish(socket, rawEnvelope(wireCodes[code ?? ''] ?? 'bad_request'));
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

/** A whole HTTP response with the envelope of an error, which closes the connection. */
function rawEnvelope(code: WireErrorCode): string {
  const { status, wireMessage } = new ShelflistError(code);
  const text = wrap(status, wireMessage, null);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...noStore, ...noSniff }).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
