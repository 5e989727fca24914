import type { IncomingMessage } from 'node:http';
import { createNetworks, plainAddress } from '../../lib/ip-range.ts';

/** Returns the address of the client that sent a request. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * Finds the client behind trusted proxies by `X-Forwarded-For`. Anyone can send this header, so it is read from the right:
 * each entry was added by the host that the entry to its right names. Reading stops at the first untrusted host.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return connectionAddress;
  const isTrusted = createNetworks(trustedProxies);
  return (request) => {
    let address = connectionAddress(request);
    const entries = String(request.headers['x-forwarded-for'] ?? '').split(','); // Node joins several lines.
    while (isTrusted(address)) {
      const forwarded = parseEntry(entries.pop());
      if (forwarded === undefined) break; // Trusted proxies send valid entries, so the client sent this one.
      address = forwarded;
    }
    return address;
  };
}

function connectionAddress({ socket }: IncomingMessage): string {
  const { remoteAddress = '' } = socket;
  return plainAddress(remoteAddress) ?? remoteAddress;
}

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:4711`. */
function parseEntry(entry = ''): string | undefined {
  const [, inBrackets, v4, other] =
    /^(?:\[([^\]]*)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}|(.*))$/s.exec(entry.trim()) ?? [];
  if (inBrackets !== undefined && !inBrackets.includes(':')) return undefined;
  return plainAddress(inBrackets ?? v4 ?? other ?? '');
}
