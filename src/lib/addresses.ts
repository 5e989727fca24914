import { networkInterfaces } from 'node:os';
import { isLoopback } from './network.ts';

/** The addresses that listen on every address of the machine, with the families of these. */
const everywhere: Readonly<Record<string, readonly string[]>> = {
  '0.0.0.0': ['IPv4'],
  '[::]': ['IPv4', 'IPv6'],
};

/** Whether an address of a service is that of a unix socket: `unix:/run/shelflist.sock`. */
export function isSocketUrl(url: string): boolean {
  return url.startsWith('unix:');
}

/** Whether an address of a service stands for every address of its machine. */
export function isEverywhere(url: string): boolean {
  return new URL(url).hostname in everywhere;
}

/** The addresses at which other machines reach a service; none if it listens for this machine alone. */
export function addressesForOthers(url: string, interfaces = networkInterfaces()): string[] {
  const { hostname } = new URL(url);
  if (isSocketUrl(url) || isLoopback(hostname)) return [];
  const families = everywhere[hostname];
  if (families === undefined) return [url];
  return (
    Object.values(interfaces)
      .flatMap((each) => each ?? [])
      // An address with a scope is that of a link, which a browser cannot open.
      .filter(({ internal, family, scopeid }) => !internal && families.includes(family) && !scopeid)
      .map(({ address, family }) => url.replace(hostname, family === 'IPv6' ? `[${address}]` : address))
  );
}
