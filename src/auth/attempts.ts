import { ShelflistError } from '../errors.ts';

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
  /** Addresses remembered at the most; past it the longest unseen is forgotten. Default 10,000. */
  maxAddresses?: number;
  /** The clock, in milliseconds. */
  now?: () => number;
}

/**
 * One number an address: the moment at which all its tries will be back (the generic cell rate algorithm,
 * ITU-T I.371). An address whose moment has passed is as good as never seen.
 */
export function createAttempts(options: AttemptsOptions = {}): Attempts {
  const { burst = 20, refillSeconds = 3, maxAddresses = 10_000, now = Date.now } = options;
  const refillMs = refillSeconds * 1000;
  const fullAgainAt = new Map<string, number>();
  return {
    check(address) {
      const waitMs = (fullAgainAt.get(address) ?? 0) - now() - (burst - 1) * refillMs;
      if (waitMs <= 0) return;
      throw new ShelflistError('too_many_attempts', {
        headers: { 'Retry-After': String(Math.ceil(waitMs / 1000)) },
      });
    },
    failed(address) {
      const from = Math.max(fullAgainAt.get(address) ?? 0, now());
      fullAgainAt.delete(address); // Set again at the end: a Map keeps the order, the first is the longest unseen.
      fullAgainAt.set(address, from + refillMs);
      if (fullAgainAt.size <= maxAddresses) return;
      for (const oldest of fullAgainAt.keys()) {
        fullAgainAt.delete(oldest);
        break;
      }
    },
  };
}
