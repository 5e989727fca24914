import { ShelflistError } from '../errors.ts';
import { Latest } from '../latest.ts';

/** Failed logins are counted per address, so that passwords cannot be tried out at the network's speed. */
export interface Attempts {
  /** @throws {ShelflistError} `too_many_attempts` with `Retry-After`, while the address has used up its tries. */
  check(address: string): void;
  /** Counts one failed login. */
  failed(address: string): void;
}

export interface AttemptsOptions {
  /** Failed logins that an address has at once. Default 20. */
  burst?: number;
  /** Seconds until one of them comes back. Default 3. */
  refillSeconds?: number;
  /** Addresses that are remembered in any case; those that failed last, and twice as many at the most. Default 100,000. */
  addresses?: number;
  /** A clock in milliseconds that nobody sets. */
  now?: () => number;
}

/**
 * One number an address: the moment at which all its tries will be back (the generic cell rate algorithm,
 * ITU-T I.371). An address whose moment has passed is as good as never seen.
 *
 * Who has more addresses than are remembered has each of them forgotten before its turn comes again, and so no limit. That
 * many may try 33,333 times a second without it, which is more than a process answers: there is nothing left to gain.
 */
export function createAttempts(options: AttemptsOptions = {}): Attempts {
  const { burst = 20, refillSeconds = 3, addresses = 100_000, now = () => performance.now() } = options;
  const refillMs = refillSeconds * 1000;
  const fullAgainAt = new Latest<string, number>(addresses);
  return {
    check(address) {
      const waitMs = (fullAgainAt.get(networkOf(address)) ?? 0) - now() - (burst - 1) * refillMs;
      if (waitMs <= 0) return;
      throw new ShelflistError('too_many_attempts', {
        headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
      });
    },
    failed(address) {
      const network = networkOf(address);
      const from = Math.max(fullAgainAt.get(network) ?? 0, now());
      fullAgainAt.set(network, from + refillMs);
    },
  };
}

/** Who has one address of IPv6 has its whole /64 (RFC 4291, section 2.5.1): those are one. An IPv4 address stands for itself. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...(tail === undefined ? [] : zeros), ...last].slice(0, 4).join(':');
}
