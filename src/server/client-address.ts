import type { IncomingMessage } from 'node:http';
import { createNetworks, plainAddress } from '../network.ts';

/** The address that a request is from. */
export type ClientAddress = (request: IncomingMessage) => string;

/**
 * A proxy's own address is that of all who come through it: where it is trusted, it says for whom it asks. What is not
 * from a trusted proxy is never believed, because anybody can send such a header: of its entries each was added by
 * whoever the next one to the right names, so it is read from the right, only as far as trusted proxies go.
 */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  if (trustedProxies.length === 0) return connectionAddress;
  const isTrusted = createNetworks(trustedProxies);
  return (request) => {
    let address = connectionAddress(request);
    const entries = String(request.headers['x-forwarded-for'] ?? '').split(','); // Several lines are joined by Node.
    while (isTrusted(address)) {
      const forwarded = readEntry(entries.pop());
      if (forwarded === undefined) break; // A trusted proxy writes no rubbish: from here on it is the client's own.
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
function readEntry(entry = ''): string | undefined {
  const [, inBrackets, v4, other] =
    /^(?:\[([^\]]*)\](?::[0-9]{1,5})?|([0-9.]+):[0-9]{1,5}|(.*))$/s.exec(entry.trim()) ?? [];
  if (inBrackets !== undefined && !inBrackets.includes(':')) return undefined;
  return plainAddress(inBrackets ?? v4 ?? other ?? '');
}
