import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Scope } from '../support/temp.ts';

/** A proxy that can delay commands to a server. */
export interface SlowProxy {
  readonly port: number;
  /** Delays each command by this time from now on, even if its sender disconnects. */
  delayMs: number;
  /** The highest number of connections open at one time. */
  readonly mostConnections: number;
}

/** Starts a proxy in front of a server on this machine, at first without a delay. */
export async function startSlowProxy(context: Scope, targetPort: number): Promise<SlowProxy> {
  const sockets = new Set<Socket>();
  const proxy = { port: 0, delayMs: 0, mostConnections: 0 };
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    sockets.add(near);
    proxy.mostConnections = Math.max(proxy.mostConnections, sockets.size);
    let passed = Promise.resolve();
    near.on('data', (chunk) => {
      const due = proxy.delayMs === 0 ? undefined : setTimeout(proxy.delayMs, undefined, { ref: false });
      passed = passed.then(() => due).then(() => void far.write(chunk));
    });
    near.on('close', () => {
      sockets.delete(near);
      void passed.then(() => far.end());
    });
    far.on('data', (chunk) => near.write(chunk));
    far.on('close', () => near.destroy());
    for (const socket of [near, far]) socket.setNoDelay(true).on('error', () => undefined); // 'close' follows.
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  proxy.port = (server.address() as AddressInfo).port;
  return proxy;
}
