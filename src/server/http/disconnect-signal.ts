import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses of each connection to abort when it closes. One listener serves them all. */
const controllersOf = new WeakMap<Socket, Set<AbortController>>();

/** Whether the client can no longer receive the response. */
export function isDisconnected(response: ServerResponse): boolean {
  return response.destroyed || response.req.socket.destroyed;
}

/** Creates a signal that is aborted if the client disconnects before it has the whole response. */
export function disconnectSignal(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  if (isDisconnected(response)) {
    controller.abort();
    return controller.signal;
  }
  const { socket } = response.req;
  // A response that waits for an earlier one on its connection gets no event when the connection closes.
  const controllers = controllersOf.get(socket) ?? watch(socket);
  controllers.add(controller);
  response.once('close', () => {
    controllers.delete(controller);
    if (!response.writableFinished) controller.abort();
  });
  return controller.signal;
}

function watch(socket: Socket): Set<AbortController> {
  const controllers = new Set<AbortController>();
  controllersOf.set(socket, controllers);
  socket.once('close', () => {
    for (const controller of controllers) controller.abort();
  });
  return controllers;
}
