import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/**
 * What a connection waits for, in the order of its requests. Those that are over leave with the next request: to be told
 * of the end of each would cost more than to look.
 */
type Answers = ServerResponse[];

/** Which connections are open, and which answers each of them still waits for. */
export class Connections {
  readonly #open = new Map<Duplex, Answers>();

  /** A connection was accepted. */
  opened(socket: Socket): void {
    this.#open.set(socket, []);
    socket.once('close', () => this.#open.delete(socket));
  }

  /** A request arrived; `response` is to answer it. */
  began(response: ServerResponse): void {
    const answers = this.#open.get(response.req.socket);
    if (answers === undefined) return;
    const waiting = answers.findIndex((answer) => !isOver(answer));
    answers.splice(0, waiting === -1 ? answers.length : waiting);
    answers.push(response);
  }

  /** The answers, not yet sent, to requests that have arrived whole. */
  pending(socket: Duplex): readonly ServerResponse[] {
    return waitingOf(this.#open.get(socket) ?? []).filter((response) => response.req.complete);
  }

  /** The answer, sent or not, to a request that has not arrived whole. */
  unfinished(socket: Duplex): ServerResponse | undefined {
    const newest = this.#open.get(socket)?.at(-1);
    return newest?.req.complete === false ? newest : undefined;
  }

  /** Whether a connection waits for an answer, or the rest of one, that is still to be made: its reader has taken all there is. */
  isOurTurn(socket: Duplex): boolean {
    return socket.writableLength === 0 && waitingOf(this.#open.get(socket) ?? []).length > 0;
  }

  /** Whether no other answer follows on the same connection, as far as is known now. */
  isLast(response: ServerResponse): boolean {
    const newest = this.#open.get(response.req.socket)?.at(-1);
    return newest === undefined || newest === response;
  }

  /** Cuts the connections that wait for no answer, and ends the others after their last one. */
  closeWaiting(): void {
    for (const [socket, answers] of this.#open) {
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

function waitingOf(answers: Answers): readonly ServerResponse[] {
  return answers.filter((answer) => !isOver(answer));
}

/** Sent, or given up. */
function isOver(answer: ServerResponse): boolean {
  return answer.writableFinished || answer.closed;
}
