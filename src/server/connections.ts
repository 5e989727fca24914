import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** Which connections are open, and which answers each of them still waits for. */
export class Connections {
  readonly #open = new Map<Duplex, Set<ServerResponse>>();

  /** A connection was accepted. */
  opened(socket: Socket): void {
    this.#open.set(socket, new Set());
    socket.once('close', () => this.#open.delete(socket));
  }

  /** A request arrived; `response` is to answer it. */
  began(response: ServerResponse): void {
    const pending = this.#open.get(response.req.socket);
    if (pending === undefined) return;
    pending.add(response);
    response.once('close', () => pending.delete(response));
  }

  /** The answers that a connection waits for, in the order of their requests. */
  pending(socket: Duplex): readonly ServerResponse[] {
    return [...(this.#open.get(socket) ?? [])];
  }

  /** Cuts the connections that wait for no answer; those that do, end with it once it says `Connection: close`. */
  closeWaiting(): void {
    for (const [socket, pending] of this.#open) {
      if (pending.size === 0) socket.destroy();
      else
        for (const response of pending)
          response.once('close', () => {
            socket.end();
          });
    }
  }
}
