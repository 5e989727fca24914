import { once } from 'node:events';
import { lstat } from 'node:fs/promises';
import { BlockList, connect, createServer, isIP } from 'node:net';
import { dirname, isAbsolute } from 'node:path';

/**
 * Whether a value is the origin of web pages as browsers send it (RFC 6454): `https://books.example:8443`. A `*` is refused,
 * because it would be part of a name, not a wildcard.
 */
export function isOrigin(text: unknown): boolean {
  if (typeof text !== 'string' || !/^https?:\/\/[^*]+$/.test(text)) return false;
  return URL.canParse(text) && new URL(text).origin === text;
}

/** Whether a host name or address, with or without the brackets of a URL, is that of this machine alone. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || /^\[?::1\]?$/.test(host) || /^127\.\d+\.\d+\.\d+$/.test(host);
}

/** Whether a program listens there. Other problems, such as an invalid address, are found when the service listens. */
export async function isTaken(host: string, port: number): Promise<boolean> {
  const server = createServer();
  try {
    server.listen({ host, port, exclusive: true });
    await once(server, 'listening');
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
  } finally {
    server.close();
  }
}

/**
 * Finds what is at the path of a unix socket: `stale` is a socket that no program listens on any more, and `file` is not a
 * socket.
 *
 * @throws An error of the file system, such as that of a missing folder.
 */
export async function findSocketState(path: string): Promise<'free' | 'stale' | 'taken' | 'file'> {
  if (process.platform === 'win32') return 'free'; // A named pipe ends with its program.
  const found = await lstat(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return lstat(dirname(path)).then(() => undefined); // Otherwise, `listen` would report a missing folder as EACCES.
  });
  if (found === undefined) return 'free';
  if (!found.isSocket()) return 'file';
  const socket = connect(path);
  try {
    await once(socket, 'connect');
    return 'taken';
  } catch (error) {
    // Any other error, such as that of a full queue, means that a program listens.
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'stale' : 'taken';
  } finally {
    socket.destroy();
  }
}

/** Whether a program listens on the socket, or if there is none, on the port. */
export async function isPlaceTaken(host: string, port: number, socket: string | undefined): Promise<boolean> {
  if (socket === undefined) return port !== 0 && (await isTaken(host, port));
  return (await findSocketState(socket).catch(() => undefined)) === 'taken';
}

/** Systems limit the path of a socket: macOS to 103 bytes, the others to more. */
const maxSocketPathBytes = 100;

/** Whether a value can be the path of a unix socket. It is absolute: no shell expands `~`, and commands change folders. */
export function isSocketPath(value: unknown): value is string {
  if (typeof value !== 'string' || value.includes('\0')) return false;
  return isAbsolute(value) && Buffer.byteLength(value) <= maxSocketPathBytes;
}

/** Whether a value is a host name or an address, without a scheme, brackets or a port. */
export function isHost(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  return isIP(value) !== 0 || /^(?=.{1,253}$)[\p{L}\p{N}_-]+(\.[\p{L}\p{N}_-]+)*\.?$/u.test(value);
}

/** Whether a value is the path that a service is mounted under: empty, or `/catalogue`. */
export function isPathPrefix(value: unknown): value is string {
  return typeof value === 'string' && /^(\/[^/?#\s]+)*$/.test(value);
}

/** The other end of a connection over a unix socket, instead of an address. */
export const unixPeer = 'unix';

/** Whether a value names proxies: an address, a range of addresses, or `unix`, for everybody who can connect to the unix socket. */
export function isProxy(value: unknown): boolean {
  return value === unixPeer || isNetwork(value);
}

/** Whether a value is an address or a range of addresses: `127.0.0.1`, `10.0.0.0/8`, `::1`, `fd00::/8`. */
export function isNetwork(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return (
    bits === undefined || (/^(0|[1-9][0-9]{0,2})$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** Returns whether an address, as {@link plainAddress} writes it, or {@link unixPeer}, is one of these proxies. */
export function createProxies(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of proxies.filter((each) => each !== unixPeer)) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => {
    const version = isIP(address);
    if (version === 0) return address === unixPeer && proxies.includes(unixPeer);
    return list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
}

/**
 * The canonical form of an address: IPv6 in its short form without the zone, and IPv4 mapped into IPv6 as IPv4. Returns
 * `undefined` for other text.
 */
export function plainAddress(text: string): string | undefined {
  const [address = ''] = text.split('%', 1);
  const version = isIP(address);
  if (version !== 6) return version === 4 ? address : undefined;
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [, high = '', low = ''] = /^::ffff:([0-9a-f]+):([0-9a-f]+)$/.exec(short) ?? [];
  if (high === '') return short;
  return [high, low].flatMap((part) => [parseInt(part, 16) >> 8, parseInt(part, 16) & 255]).join('.');
}
