import { RateLimit, type RateLimitOptions } from '../lib/rate-limit.ts';

/** The seconds until an address may log in again; `undefined`: it may now. */
type Wait = number | undefined;

/** Limits failed logins per address, so that passwords cannot be guessed at the speed of the network. */
export interface LoginRateLimit {
  /** Counts nothing. */
  wait(address: string): Wait | Promise<Wait>;
  /** Counts a failed login, unless the address must wait already. Check and count are one step, also for several processes. */
  fail(address: string): Wait | Promise<Wait>;
}

/**
 * Allows 20 failed logins in a burst, then one every 3 seconds. A client with more addresses than are kept evades the limit. But
 * within the limit, that many addresses may log in 33,333 times a second, which is more than a process can answer.
 */
export function createLoginRateLimit(options: Partial<RateLimitOptions> = {}) {
  const limit = new RateLimit({ burst: 20, refillSeconds: 3, ...options });
  const wait = (address: string): Wait => limit.waitSeconds(address);
  return {
    wait,
    fail(address: string): Wait {
      const seconds = wait(address);
      if (seconds === undefined) limit.count(address);
      return seconds;
    },
  } satisfies LoginRateLimit;
}
