import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

interface Connection {
  /** The answers it waits for, in the order of their requests. */
  readonly pending: Set<ServerResponse>;
  /** The answer to the newest request. */
  newest?: ServerResponse;
}

/** Which connections are open, and which answers each of them still waits for. */
export class Connections {
  readonly #open = new Map<Duplex, Connection>();

  /** A connection was accepted. */
  opened(socket: Socket): void {
    this.#open.set(socket, { pending: new Set() });
    socket.once('close', () => this.#open.delete(socket));
  }

  /** A request arrived; `response` is to answer it. */
  began(response: ServerResponse): void {
    const connection = this.#open.get(response.req.socket);
    if (connection === undefined) return;
    connection.pending.add(response);
    connection.newest = response;
    response.once('close', () => connection.pending.delete(response));
  }

  /** The answers, not yet sent, to requests that have arrived whole. */
  pending(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#open.get(socket)?.pending ?? [])].filter((response) => response.req.complete);
  }

  /** The answer, sent or not, to a request that has not arrived whole. */
  unfinished(socket: Duplex): ServerResponse | undefined {
    const newest = this.#open.get(socket)?.newest;
    return newest?.req.complete === false ? newest : undefined;
  }

  /** Whether no other answer follows on the same connection, as far as is known now. */
  isLast(response: ServerResponse): boolean {
    const newest = this.#open.get(response.req.socket)?.newest;
    return newest === undefined || newest === response;
  }

  /** Cuts the connections that wait for no answer, and ends the others after their last one. */
  closeWaiting(): void {
    for (const [socket, { pending }] of this.#open) {
      if (pending.size === 0) socket.destroy();
      for (const response of pending) {
        response.once('close', () => {
          if (pending.size === 0) socket.end();
        });
      }
    }
  }
}
