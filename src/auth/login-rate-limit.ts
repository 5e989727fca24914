import { ShelflistError } from '../catalogue/errors.ts';
import { GenerationalCache } from '../lib/generational-cache.ts';

/** Limits failed logins per address, so that passwords cannot be guessed at the speed of the network. */
export interface LoginRateLimit {
  /** @throws {ShelflistError} `too_many_attempts` with `Retry-After`: the address has exceeded the limit. */
  check(address: string): void;
  /** Counts a failed login. */
  failed(address: string): void;
}

interface LoginRateLimitOptions {
  /** The number of failed logins in a burst. Default 20. */
  burst?: number;
  /** The seconds until one more is allowed. Default 3. */
  refillSeconds?: number;
  /** The number of newest addresses that are always kept; at most twice as many are. Default 100,000. */
  minAddresses?: number;
  /** A monotonic clock in milliseconds. */
  now?: () => number;
}

/**
 * Keeps one number per address: the time at which its whole burst is available again (the generic cell rate algorithm,
 * ITU-T I.371).
 *
 * A client with more addresses than are kept evades the limit. But within the limit, that many addresses may log in 33,333
 * times a second, which is more than a process can answer.
 */
export function createLoginRateLimit(options: LoginRateLimitOptions = {}): LoginRateLimit {
  const { burst = 20, refillSeconds = 3, minAddresses = 100_000, now = () => performance.now() } = options;
  const refillMs = refillSeconds * 1000;
  const fullAgainAt = new GenerationalCache<string, number>(minAddresses);
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

/** The /64 of an IPv6 address, because one client has all of it (RFC 4291, section 2.5.1); an IPv4 address unchanged. */
function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address;
  const [head = '', tail] = address.split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - first.length - last.length).fill('0');
  return [...first, ...(tail === undefined ? [] : zeros), ...last].slice(0, 4).join(':');
}
