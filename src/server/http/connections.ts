import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The maximum number of requests in flight on a connection. Further ones wait, and the connection is paused. */
const maxPipelined = 16;

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

  /** @param start Starts the request of a response. */
  constructor(start: (response: ServerResponse) => void) {
    this.#start = start;
  }

  /** Adds an accepted connection. */
  opened(socket: Socket): void {
    const connection: Connection = { responses: [], backlog: [] };
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
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
    const { responses, backlog } = connection;
    removeFinished(responses);
    responses.push(response);
    if (responses.length <= maxPipelined && backlog.length === 0) {
      this.#start(response);
      return;
    }
    if (backlog.push(response) > 1) return;
    socket.pause();
    this.#startNext(socket, connection);
  }

  /** Starts requests of the backlog whenever the oldest response has been sent. Resumes the connection after the last. */
  #startNext(socket: Socket, connection: Connection): void {
    const { responses, backlog } = connection;
    if (socket.destroyed) return;
    removeFinished(responses);
    for (let started = responses.length - backlog.length; started < maxPipelined; started++) {
      const response = backlog.shift();
      if (response === undefined) break;
      this.#start(response);
    }
    if (backlog.length === 0) socket.resume();
    else {
      responses[0]?.once('close', () => {
        this.#startNext(socket, connection);
      });
    }
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

function unfinishedOf(responses: readonly ServerResponse[]): readonly ServerResponse[] {
  return responses.filter((response) => !isFinished(response));
}

/** Sent or abandoned. */
function isFinished(response: ServerResponse): boolean {
  return response.writableFinished || response.closed;
}
