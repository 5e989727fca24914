import { request as requestPlain, type IncomingMessage } from 'node:http';
import { Agent, request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Environment } from '../../config/environment.ts';
import { createProxies, isLoopback, isNetwork } from '../../lib/network.ts';

/**
 * The proxy that the environment names for an address: `HTTPS_PROXY`, unless `NO_PROXY` excludes the host. There is none for
 * `http://`, where a proxy could read the token, and none for this machine.
 */
export function proxyFor(url: string, env: Environment): string | undefined {
  return isSecure(url) && isOutside(url, env) ? env.https_proxy || env.HTTPS_PROXY || undefined : undefined;
}

function isSecure(url: string): boolean {
  return url.startsWith('https:');
}

/**
 * Whether an address is that of another machine, and `NO_PROXY` does not exclude it. That is `*`, or a list of hosts, domains and
 * networks, each with an optional port.
 */
function isOutside(url: string, env: Environment): boolean {
  const { hostname, port } = new URL(url);
  if (isLoopback(hostname)) return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  const excluded = (env.no_proxy || env.NO_PROXY || '').toLowerCase().split(/[\s,]+/);
  return !excluded.some((entry) => {
    if (entry === '*') return true;
    if (isNetwork(entry)) return createProxies([entry])(host);
    const [, domain = '', only] = /^(?:\*?\.)?(.*?)(?::([0-9]+))?$/.exec(entry) ?? [];
    if (domain === '' || (only !== undefined && only !== (port || (isSecure(url) ? '443' : '80'))))
      return false;
    return hostname === domain || hostname.endsWith(`.${domain}`);
  });
}

/** What the error of a failed connection adds about proxies; `undefined` if the environment names none for the address. */
export function noteOnProxy(url: string, env: Environment): string | undefined {
  if (proxyFor(url, env) !== undefined)
    return 'the connection goes through the proxy that HTTPS_PROXY names; to bypass it, add the host to NO_PROXY';
  const { http_proxy, HTTP_PROXY } = env;
  return !isSecure(url) && (http_proxy || HTTP_PROXY) && isOutside(url, env)
    ? 'HTTP_PROXY is not used, because that proxy could read the token; use an https:// address'
    : undefined;
}

/** What a request adds to its options for {@link createTunnelAgent}: Node does not pass its `signal` to agents. */
interface TunnelOptions {
  /** Aborted when nobody waits for the tunnel any more. */
  readonly stop?: AbortSignal | undefined;
}

/**
 * Creates an agent that reaches services through a proxy. In a tunnel (CONNECT; RFC 9110, section 9.3.6), it speaks TLS with the
 * service itself, so that the proxy sees the name of the service, but neither token nor books. Node's agents support no proxies
 * before 22.21 and 24.5.
 *
 * @throws {Error} `proxy` is not the address of an HTTP proxy. The message omits it, because it can contain a password.
 */
export function createTunnelAgent(proxy: string): Agent {
  const openTunnel = createTunnels(parseProxy(proxy));
  const agent = new Agent({ keepAlive: true });
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options: TunnelOptions & Parameters<typeof connect>[0], callback) => {
    openTunnel(authorityOf(options.host ?? '', options.port ?? 443), options.stop).then(
      (socket) => {
        const inTunnel = { ...options, socket };
        const secure = connect(inTunnel);
        if (secure) callback?.(null, secure);
      },
      (error: unknown) => callback?.(error as Error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

interface Proxy {
  readonly isSecure: boolean;
  readonly hostname: string;
  readonly port: string;
  readonly authorization: string | undefined;
}

/** @throws {Error} */
function parseProxy(text: string): Proxy {
  try {
    const url = new URL(text.includes('://') ? text : `http://${text}`);
    const { protocol, port, username, password } = url;
    if (!/^https?:$/.test(protocol)) throw new TypeError('another protocol');
    const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    return {
      isSecure: protocol === 'https:',
      hostname: url.hostname.replace(/^\[|\]$/g, ''),
      port: port || (protocol === 'https:' ? '443' : '80'),
      authorization: login === ':' ? undefined : `Basic ${Buffer.from(login).toString('base64')}`,
    };
  } catch {
    // Without the cause: its message contains the password.
    throw new Error('HTTPS_PROXY is not the address of an HTTP proxy, such as http://proxy.example:3128');
  }
}

/** How long a proxy may take to open a tunnel. */
const tunnelTimeoutMs = 15_000;

/** Creates the function that asks a proxy for a tunnel to `host:port`. It throws errors that name the proxy, without its password. */
function createTunnels({
  isSecure,
  hostname,
  port,
  authorization,
}: Proxy): (target: string, stop?: AbortSignal) => Promise<Duplex> {
  const address = authorityOf(hostname, port);
  const refusalOf = (target: string, status: number) =>
    status === 407
      ? `the proxy ${address} needs another login; write it into HTTPS_PROXY, as in http://USER:PASSWORD@${address}`
      : `the proxy ${address} refuses to connect to ${target} (${status})`;
  return (target, stop) =>
    new Promise((resolve, reject) => {
      const request = (isSecure ? requestSecure : requestPlain)({
        host: hostname,
        servername: isIP(hostname) === 0 ? hostname : '', // Default: the name in `Host`, which is that of the service.
        port,
        method: 'CONNECT',
        path: target,
        agent: false,
        ...(stop && { signal: stop }),
        headers: {
          Host: target,
          ...(authorization !== undefined && { 'Proxy-Authorization': authorization }),
        },
      });
      const timer = setTimeout(() => request.destroy(new Error('no answer')), tunnelTimeoutMs);
      request
        .on('connect', ({ statusCode = 0 }: IncomingMessage, socket: Duplex) => {
          clearTimeout(timer);
          if (statusCode >= 200 && statusCode < 300) {
            resolve(socket);
            return;
          }
          socket.destroy();
          reject(new Error(refusalOf(target, statusCode)));
        })
        .on('error', ({ code, message }: NodeJS.ErrnoException) => {
          clearTimeout(timer);
          reject(
            new Error(`cannot connect to the proxy ${address}: ${code ?? message}; correct HTTPS_PROXY`),
          );
        })
        .end();
    });
}

function authorityOf(host: string, port: string | number): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
