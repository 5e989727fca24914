import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Scope } from './temp.ts';

interface Tunnels {
  /** Its host and port. */
  readonly host: string;
  /** The requests for tunnels so far: the target, and `Proxy-Authorization`. */
  readonly asked: string[];
  /** Everything that clients have sent: to the proxy itself, and in tunnels. */
  bytes(): string;
  stop(): Promise<void>;
}

interface ProxyOptions {
  /** The `user:password` that it wants. */
  readonly login?: string;
  /** The status of its answers, in place of a tunnel. */
  readonly status?: number;
  /** Its own certificate, to be an HTTPS proxy. */
  readonly certificate?: { readonly cert: string; readonly key: string };
  /** The port of this machine to which all tunnels lead. */
  readonly port?: number;
}

/** Starts an HTTP proxy for tunnels (CONNECT) on this machine. */
export async function startProxy(
  scope: Scope,
  { login, status, certificate, port = 1 }: ProxyOptions = {},
): Promise<Tunnels> {
  const asked: string[] = [];
  const chunks: Buffer[] = [];
  const sockets = new Set<Duplex>();
  const wanted = login === undefined ? undefined : `Basic ${Buffer.from(login).toString('base64')}`;
  const server = certificate === undefined ? createServer() : createSecureServer(certificate);
  server.on('request', (_request, response) => {
    response.writeHead(400).end();
  });
  server.on('connection', (socket: Duplex) => {
    sockets.add(socket);
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  });
  server.on('connect', ({ url = '', headers }: IncomingMessage, socket: Duplex) => {
    const { 'proxy-authorization': authorization } = headers;
    asked.push([url, authorization ?? []].flat().join(' '));
    socket.on('error', () => undefined);
    if (wanted !== undefined && authorization !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic realm="x"\r\n\r\n');
      return;
    }
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const target = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      target.pipe(socket).pipe(target);
    });
    sockets.add(target.on('error', () => socket.destroy()));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: own } = server.address() as AddressInfo;
  const stop = async () => {
    if (!server.listening) return;
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  };
  scope.after(stop);
  return { host: `127.0.0.1:${own}`, asked, bytes: () => Buffer.concat(chunks).toString('latin1'), stop };
}
