import { ShelflistError } from '../catalogue/errors.ts';
import { RateLimit, type RateLimitOptions } from '../lib/rate-limit.ts';

/** Limits failed logins per address, so that passwords cannot be guessed at the speed of the network. */
export interface LoginRateLimit {
  /** @throws {ShelflistError} `too_many_attempts` with `Retry-After`: the address has exceeded the limit. */
  check(address: string): void;
  /** Counts a failed login. */
  failed(address: string): void;
}

/**
 * Allows 20 failed logins in a burst, then one every 3 seconds. A client with more addresses than are kept evades the limit. But
 * within the limit, that many addresses may log in 33,333 times a second, which is more than a process can answer.
 */
export function createLoginRateLimit(options: Partial<RateLimitOptions> = {}): LoginRateLimit {
  const limit = new RateLimit({ burst: 20, refillSeconds: 3, ...options });
  return {
    check(address) {
      const seconds = limit.waitSeconds(address);
      if (seconds === undefined) return;
      throw new ShelflistError('too_many_attempts', { headers: { 'Retry-After': String(seconds) } });
    },
    failed(address) {
      limit.count(address);
    },
  };
}
