import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The pending answers of a connection that are to be aborted when it ends; one listener serves them all. */
const underWay = new WeakMap<Socket, Set<AbortController>>();

/** Whether the client can no longer receive the answer. */
export function isAbandoned(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/** Makes a signal that is aborted if the client disconnects before it has the whole answer. */
export function abandonedSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (isAbandoned(response)) {
    controller.abort();
    return controller.signal;
  }
  const { socket } = response.req;
  // An answer that waits for an earlier one on its connection gets no event when the connection ends.
  const waiting = underWay.get(socket) ?? watch(socket);
  waiting.add(controller);
  response.once('close', () => {
    waiting.delete(controller);
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function watch(socket: Socket): Set<AbortController> {
  const waiting = new Set<AbortController>();
  underWay.set(socket, waiting);
  socket.once('close', () => {
    for (const controller of waiting) controller.abort();
  });
  return waiting;
}
