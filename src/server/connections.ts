import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** The maximum number of requests of a connection in flight. Further ones wait, and the connection is not read. */
const maxPipelined = 16;

interface Connection {
  /**
   * The answers in flight, in the order of their requests. Finished ones are removed at the next request: a listener for the
   * end of each would cost more.
   */
  readonly answers: ServerResponse[];
  /** The answers to waiting requests, which had arrived before the connection was paused. */
  readonly backlog: ServerResponse[];
}

/** Which connections are open, and which answers each of them still waits for. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();
  readonly #start: (response: ServerResponse) => void;

  /** @param start Starts the request that belongs to a response. */
  constructor(start: (response: ServerResponse) => void) {
    this.#start = start;
  }

  /** A connection was accepted. */
  opened(socket: Socket): void {
    const connection: Connection = { answers: [], backlog: [] };
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
    // Reading or discarding the body of an earlier request resumes the connection.
    socket.on('resume', () => {
      if (connection.backlog.length > 0) socket.pause();
    });
  }

  /** Starts the request of `response`, now or as soon as its connection has few enough requests in flight. */
  began(response: ServerResponse): void {
    const { socket } = response.req;
    const connection = this.#open.get(socket);
    if (connection === undefined) {
      this.#start(response);
      return;
    }
    const { answers, backlog } = connection;
    forgetAnswered(answers);
    answers.push(response);
    if (answers.length <= maxPipelined && backlog.length === 0) {
      this.#start(response);
      return;
    }
    if (backlog.push(response) > 1) return;
    socket.pause();
    this.#startNext(socket, connection);
  }

  /** Starts a request of the backlog whenever the oldest answer has been sent; resumes reading when none is left. */
  #startNext(socket: Socket, connection: Connection): void {
    const { answers, backlog } = connection;
    if (socket.destroyed) return;
    forgetAnswered(answers);
    for (let started = answers.length - backlog.length; started < maxPipelined; started++) {
      const response = backlog.shift();
      if (response === undefined) break;
      this.#start(response);
    }
    if (backlog.length === 0) socket.resume();
    else {
      answers[0]?.once('close', () => {
        this.#startNext(socket, connection);
      });
    }
  }

  /** The answers, not yet sent, to requests that have arrived whole. */
  pending(socket: Duplex): readonly ServerResponse[] {
    return waitingOf(this.#open.get(socket)?.answers ?? []).filter((response) => response.req.complete);
  }

  /** The answer, sent or not, to a request that has not arrived whole. */
  unfinished(socket: Duplex): ServerResponse | undefined {
    const newest = this.#open.get(socket)?.answers.at(-1);
    return newest?.req.complete === false ? newest : undefined;
  }

  /** Whether a connection waits for an answer, or the rest of one, that is still to be made: its reader has taken all there is. */
  isOurTurn(socket: Duplex): boolean {
    return socket.writableLength === 0 && waitingOf(this.#open.get(socket)?.answers ?? []).length > 0;
  }

  /** Whether no other answer follows on the same connection, as far as is known now. */
  isLast(response: ServerResponse): boolean {
    const newest = this.#open.get(response.req.socket)?.answers.at(-1);
    return newest === undefined || newest === response;
  }

  /** Cuts the connections that wait for no answer, and ends the others after their last one. */
  closeWaiting(): void {
    for (const [socket, { answers }] of this.#open) {
      const waiting = waitingOf(answers);
      if (waiting.length === 0) socket.destroy();
      for (const response of waiting) {
        response.once('close', () => {
          if (waitingOf(answers).length === 0) socket.end();
        });
      }
    }
  }
}

function forgetAnswered(answers: ServerResponse[]): void {
  const waiting = answers.findIndex((answer) => !isOver(answer));
  answers.splice(0, waiting === -1 ? answers.length : waiting);
}

function waitingOf(answers: readonly ServerResponse[]): readonly ServerResponse[] {
  return answers.filter((answer) => !isOver(answer));
}

/** Sent, or given up. */
function isOver(answer: ServerResponse): boolean {
  return answer.writableFinished || answer.closed;
}
