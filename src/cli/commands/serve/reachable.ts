import { networkInterfaces } from 'node:os';
import { isLoopback } from '../../../lib/network.ts';

/** What to say about the ways in which other machines reach a service; nothing if they do not. */
export function describeReach(url: string, interfaces = networkInterfaces()): string[] {
  const { hostname, protocol } = new URL(url);
  if (isLoopback(hostname)) return [];
  const families = { '0.0.0.0': ['IPv4'], '[::]': ['IPv4', 'IPv6'] }[hostname] ?? [];
  const addresses = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    // An address with a scope is that of a link, which a browser cannot open.
    .filter(({ internal, family, scopeid }) => !internal && families.includes(family) && !scopeid)
    .map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address));
  const reachable = addresses.map((address) => `from other machines:  ${url.replace(hostname, address)}`);
  if (protocol === 'https:') return reachable;
  return [
    ...reachable,
    'this is plain HTTP: the network can read passwords and books',
    'for HTTPS, set TLS_CERT and TLS_KEY, or put a proxy before it',
  ];
}
