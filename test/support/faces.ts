import http, { type Server } from 'node:http';
import process from 'node:process';
import { getRequestListener } from '@hono/node-server';
import {
  createFetchHandler,
  createHandler,
  createServer,
  type HandlerConfig,
  type ServerConfig,
} from '../../src/index.ts';

/**
 * The ways to embed the service. A test file runs with another one by importing it after setting `SERVICE_FACE`, as
 * `test/http/specification-fetch.slow.test.ts` does.
 */
const faces: Readonly<Record<string, (config: ServerConfig) => Promise<Server>>> = {
  server: createServer,
  handler: async (config) => {
    const handler = await createHandler(config);
    return closeWith(http.createServer(handler), handler);
  },
  fetch: async (config) => {
    const handler = await createFetchHandler(config as HandlerConfig<object, Request>);
    const listener = getRequestListener((request, { incoming }) =>
      handler(request, { remoteAddress: incoming.socket.remoteAddress ?? '' }),
    );
    return closeWith(
      http.createServer((request, response) => void listener(request, response)),
      handler,
    );
  },
};

/** Whether the service has a server of its own, and not one of an embedder. */
export const isOwnServer = process.env.SERVICE_FACE === undefined;

/** Creates a server with the service. */
export function createFace(config: ServerConfig): Promise<Server> {
  const create = faces[process.env.SERVICE_FACE ?? 'server'];
  if (create === undefined) throw new Error('SERVICE_FACE is server, handler or fetch');
  return create(config);
}

/** The server closes a service that is mounted in it, too. */
function closeWith(server: Server, handler: { close(): Promise<void> }): Server {
  const close = server.close.bind(server);
  server.close = (callback) =>
    close((error) => {
      void handler.close().then(() => callback?.(error), callback);
    });
  return server;
}
