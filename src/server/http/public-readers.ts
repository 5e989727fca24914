import { setTimeout as delay } from 'node:timers/promises';
import { ShelflistError } from '../../catalogue/errors.ts';
import { RateLimit } from '../../lib/rate-limit.ts';
import { Semaphore } from '../../lib/semaphore.ts';

/** The maximum number of requests without a token that are handled at once. The others wait. */
const maxHandled = 2;

/** A refusal takes this long, so that a crawler that repeats at once does not cost more than one that was answered. */
const refusalMs = 1000;

/**
 * Limits the requests of readers without a token, per address. Those that wait are handled in the order of what their addresses
 * have asked of late: many crawlers do not slow down somebody who reads.
 */
export class PublicReaders {
  readonly #perMinute: number;
  readonly #limit: RateLimit;
  readonly #turns = new Semaphore(maxHandled);

  /** @param perMinute How many requests an address has in a minute, all at once or one after the other. */
  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#limit = new RateLimit({ burst: perMinute, refillSeconds: 60 / perMinute });
  }

  /**
   * Handles a request when it is its turn.
   *
   * @param address Empty if it is not known: then there is no limit, because it would be one for all readers.
   * @param weight As how many requests it counts.
   * @throws {ShelflistError} `too_many_requests` with `Retry-After`; and as `handle` does.
   */
  async run<Result>(
    address: string,
    handle: () => Promise<Result>,
    { signal, weight = 1 }: { readonly signal: AbortSignal; readonly weight?: number },
  ): Promise<Result> {
    if (address === '') return handle();
    const events = Math.min(weight, this.#perMinute);
    const seconds = this.#limit.waitSeconds(address, events);
    if (seconds !== undefined) {
      await delay(refusalMs, undefined, { signal });
      throw new ShelflistError('too_many_requests', { headers: { 'Retry-After': String(seconds) } });
    }
    const rank = this.#limit.used(address);
    this.#limit.count(address, events);
    return this.#turns.run(handle, signal, rank);
  }
}
