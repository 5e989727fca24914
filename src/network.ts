import { BlockList, isIP } from 'node:net';

/** Whether it is an address or a range of them: `127.0.0.1`, `10.0.0.0/8`, `::1`, `fd00::/8`. */
export function isNetwork(text: unknown): boolean {
  if (typeof text !== 'string') return false;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || rest.length > 0) return false;
  return (
    bits === undefined || (/^(0|[1-9][0-9]{0,2})$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128))
  );
}

/** Tells whether an address is in one of these networks; it is written as `plainAddress` writes it. */
export function createNetworks(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => isIP(address) !== 0 && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

/**
 * An address as it is written once for all: IPv6 in its short form, and without the zone, which is of this machine only;
 * an IPv4 address that is mapped into IPv6 as itself, which is what a socket that listens on both calls it. What is no
 * address gives `undefined`.
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
