import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Scope } from '../support/temp.ts';

export type Direction = 'toServer' | 'toClient';

/** A proxy in front of a server that can delay commands, and hold the bytes of either direction back. */
export interface Proxy {
  readonly port: number;
  /** Delays each command by this time from now on, even if its sender disconnects. */
  delayMs: number;
  /** The highest number of connections open at one time. */
  readonly mostConnections: number;
  /**
   * Holds all bytes of some directions back, of new connections, too: a partition, after which what was sent arrives late. The
   * returned function ends it.
   */
  hold: (...directions: readonly Direction[]) => () => void;
}

/** Starts a proxy in front of a server on this machine, at first without a delay. */
export async function startProxy(context: Scope, targetPort: number): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const held: Record<Direction, Promise<unknown> | undefined> = { toServer: undefined, toClient: undefined };
  const proxy = {
    port: 0,
    delayMs: 0,
    mostConnections: 0,
    hold(...directions: readonly Direction[]) {
      const gate = new AbortController();
      const opened = once(gate.signal, 'abort');
      for (const direction of directions) held[direction] = opened;
      return () => {
        for (const direction of directions) if (held[direction] === opened) held[direction] = undefined;
        gate.abort();
      };
    },
  };
  const server = createServer((near) => {
    const far = connect(targetPort, '127.0.0.1');
    sockets.add(near);
    proxy.mostConnections = Math.max(proxy.mostConnections, sockets.size);
    const passed = { toServer: Promise.resolve(), toClient: Promise.resolve() };
    near.on('data', (chunk) => {
      const due = proxy.delayMs === 0 ? undefined : setTimeout(proxy.delayMs, undefined, { ref: false });
      passed.toServer = passed.toServer
        .then(() => due)
        .then(() => held.toServer)
        .then(() => void far.write(chunk));
    });
    near.on('close', () => {
      sockets.delete(near);
      void passed.toServer.then(() => far.end());
    });
    far.on('data', (chunk) => {
      passed.toClient = passed.toClient.then(() => held.toClient).then(() => void near.write(chunk));
    });
    far.on('close', () => void passed.toClient.then(() => near.destroy()));
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
