import { GenerationalCache } from './generational-cache.ts';

export interface RateLimitOptions {
  /** How many events may happen at once. */
  readonly burst: number;
  /** The seconds after which one more event is allowed. */
  readonly refillSeconds: number;
  /** The number of newest addresses that are always kept; at most twice as many are. Default 100,000. */
  readonly minAddresses?: number | undefined;
  /** A monotonic clock in milliseconds. */
  readonly now?: (() => number) | undefined;
}

/**
 * Limits events per address. Keeps one number for each: the time at which its whole burst is available again (the generic cell
 * rate algorithm, ITU-T I.371). A client that changes between more addresses than are kept evades the limit.
 */
export class RateLimit {
  readonly #burst: number;
  readonly #refillMs: number;
  readonly #now: () => number;
  readonly #fullAgainAt: GenerationalCache<string, number>;

  constructor({
    burst,
    refillSeconds,
    minAddresses = 100_000,
    now = () => performance.now(),
  }: RateLimitOptions) {
    this.#burst = burst;
    this.#refillMs = refillSeconds * 1000;
    this.#now = now;
    this.#fullAgainAt = new GenerationalCache(minAddresses);
  }

  /** The events of an address that are counted now: those not yet regained, from 0 to the burst. */
  used(address: string): number {
    const fullAgainAt = this.#fullAgainAt.get(networkOf(address)) ?? 0;
    return Math.max(0, fullAgainAt - this.#now()) / this.#refillMs;
  }

  /** The whole seconds until the address may have this many events; `undefined` if it may now. */
  waitSeconds(address: string, events = 1): number | undefined {
    const waitMs = (this.used(address) - this.#burst + events) * this.#refillMs;
    return waitMs <= 0 ? undefined : Math.ceil(waitMs / 1000);
  }

  count(address: string, events = 1): void {
    const network = networkOf(address);
    const from = Math.max(this.#fullAgainAt.get(network) ?? 0, this.#now());
    this.#fullAgainAt.set(network, from + events * this.#refillMs);
  }
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
