import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import process from 'node:process';
import { createServer, ShelflistError } from '../../src/index.ts';
import { credentials, secretToken } from '../support/service.ts';

/** What a test asks for: to start a service on a store, or to stop it. */
export type Order = { readonly databaseUrl: string } | 'stop';

/** The address of the service, nothing once it has stopped, or why it did not start. */
export type Report = { readonly url: string } | { readonly refusal: string } | 'stopped';

/** A process that starts one service after the other: a start of Node for each fault would take most of the time. */
let server: Awaited<ReturnType<typeof createServer>> | undefined;

async function follow(order: Order): Promise<Report> {
  if (order === 'stop') {
    const closed = new Promise((resolve) => server?.close(resolve));
    server?.closeAllConnections();
    await closed;
    return 'stopped';
  }
  try {
    server = await createServer({
      databaseUrl: order.databaseUrl,
      secretToken,
      authUsername: credentials.username,
      authPassword: credentials.password,
      logger: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  } catch (error) {
    // Anything else is a fault of the service, and ends this process.
    if (!(error instanceof ShelflistError)) throw error;
    return { refusal: error.message };
  }
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

process.on('message', (order: Order) => {
  void follow(order).then((report) => process.send?.(report));
});
