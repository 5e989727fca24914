import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { wrap } from '../../api/envelope.ts';
import { wireErrorOf, type WireErrorCode } from '../../catalogue/errors.ts';
import { noSniff, noStore } from './reply.ts';
import { isFinished } from './writing.ts';

/** The maximum number of requests in flight on a connection. Further ones wait, and the connection is paused. */
const maxPipelined = 16;
/** On a connection with more unsent bytes than this, no further request is begun. */
const maxUnsentBytes = 64 * 1024;
/** The maximum number of waiting requests on all connections. Then, a connection on which many wait is cut off. */
const maxWaiting = 16 * 1024;

interface Connection {
  /**
   * The responses in flight, in order. Finished ones are removed at the next request, because a listener for each would
   * cost more.
   */
  readonly responses: ServerResponse[];
  /** The responses to waiting requests, which had arrived before the connection was paused. */
  readonly backlog: ServerResponse[];
}

/** Tracks the open connections and their responses in flight. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();
  readonly #start: (response: ServerResponse) => void;
  /** The length of all backlogs. */
  #waiting = 0;

  /** @param start Starts the request of a response. */
  constructor(start: (response: ServerResponse) => void) {
    this.#start = start;
  }

  opened(socket: Socket): void {
    const connection: Connection = { responses: [], backlog: [] };
    this.#open.set(socket, connection);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#drop(connection);
    });
    // Reading or discarding the body of an earlier request resumes the connection.
    socket.on('resume', () => {
      if (connection.backlog.length > 0) socket.pause();
    });
  }

  /** Whether a connection can carry requests: one whose TLS handshake failed cannot. */
  has(socket: Duplex): boolean {
    return this.#open.has(socket);
  }

  /** Starts the request of a response, now or when its connection has few enough requests in flight. */
  began(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.#open.get(socket);
    if (connection === undefined) {
      this.#start(response);
      return;
    }
    if (socket.destroyed) return; // The parser continues with buffered data.
    const { responses, backlog } = connection;
    removeFinished(responses);
    responses.push(response);
    if (responses.length === 1) {
      this.#start(response);
      return;
    }
    this.#waiting++;
    if (backlog.push(response) === 1) {
      socket.pause();
      this.#startLater(socket, connection);
    } else if (this.#waiting > maxWaiting && backlog.length > maxPipelined) {
      this.#drop(connection);
      socket.destroy();
    }
  }

  #drop({ backlog }: Connection): void {
    this.#waiting -= backlog.length;
    backlog.length = 0;
  }

  /** Starts a request of the backlog in each turn of the event loop, so that connections take turns. */
  #startLater(socket: Socket, connection: Connection): void {
    setImmediate(() => {
      const { responses, backlog } = connection;
      if (socket.destroyed) return;
      removeFinished(responses);
      if (responses.length - backlog.length >= maxPipelined || unsentBytes(responses) > maxUnsentBytes) {
        responses[0]?.once('close', () => {
          this.#startLater(socket, connection);
        });
        return;
      }
      const response = backlog.shift();
      if (response === undefined) return;
      this.#waiting--;
      this.#start(response);
      if (backlog.length > 0) this.#startLater(socket, connection);
      else socket.resume();
    });
  }

  /** The unsent responses to complete requests. */
  pending(socket: Duplex): readonly ServerResponse[] {
    return unfinishedOf(this.#open.get(socket)?.responses ?? []).filter((response) => response.req.complete);
  }

  /** The response, sent or not, to an incomplete request. */
  unfinished(socket: Duplex): ServerResponse | undefined {
    const newest = this.#open.get(socket)?.responses.at(-1);
    return newest?.req.complete === false ? newest : undefined;
  }

  /** Whether the client waits for the service: it has taken all data of a response that is not finished. */
  isWaiting(socket: Duplex): boolean {
    return socket.writableLength === 0 && unfinishedOf(this.#open.get(socket)?.responses ?? []).length > 0;
  }

  /** Whether no further request has arrived on the same connection. */
  isLast(response: ServerResponse): boolean {
    const newest = this.#open.get(response.req.socket)?.responses.at(-1);
    return newest === undefined || newest === response;
  }

  /** Closes idle connections now, and the others after their last response. */
  closeIdle(): void {
    for (const [socket, { responses }] of this.#open) {
      const unfinished = unfinishedOf(responses);
      if (unfinished.length === 0) socket.destroy();
      for (const response of unfinished) {
        response.once('close', () => {
          if (unfinishedOf(responses).length === 0) socket.end();
        });
      }
    }
  }
}

function removeFinished(responses: ServerResponse[]): void {
  const first = responses.findIndex((response) => !isFinished(response));
  responses.splice(0, first === -1 ? responses.length : first);
}

/** One of the responses has the connection; its length includes the bytes that wait there. */
function unsentBytes(responses: readonly ServerResponse[]): number {
  return responses.reduce((sum, response) => sum + response.writableLength, 0);
}

function unfinishedOf(responses: readonly ServerResponse[]): readonly ServerResponse[] {
  return responses.filter((response) => !isFinished(response));
}

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
    // The client announced that no request would follow: the rest gets no response.
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
  const { status, message } = wireErrorOf(code);
  const text = wrap(status, message, null);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    ...Object.entries({ ...noStore, ...noSniff }).map(([name, value]) => `${name}: ${value}`),
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(text)}`,
    'Connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${text}`;
}
