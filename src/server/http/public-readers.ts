import { ShelflistError } from '../../catalogue/errors.ts';
import { RateLimit } from '../../lib/rate-limit.ts';
import { Semaphore } from '../../lib/semaphore.ts';

/** The maximum number of requests without a token that are handled at once. The others wait. */
const maxHandled = 2;

/**
 * Limits the requests of readers without a token, per address. Those that wait are handled in the order of what their addresses
 * have asked of late: many crawlers do not slow down somebody who reads.
 */
export class PublicReaders {
  readonly #limit: RateLimit;
  readonly #turns = new Semaphore(maxHandled);

  /** @param perMinute How many requests an address has in a minute, all at once or one after the other. */
  constructor(perMinute: number) {
    this.#limit = new RateLimit({ burst: perMinute, refillSeconds: 60 / perMinute });
  }

  /**
   * Handles a request when it is its turn.
   *
   * @param address Empty if it is not known: then there is no limit, because it would be one for all readers.
   * @throws {ShelflistError} `too_many_requests` with `Retry-After`; and as `handle` does.
   */
  async run<Result>(address: string, handle: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    if (address === '') return handle();
    const seconds = this.#limit.waitSeconds(address);
    if (seconds !== undefined)
      throw new ShelflistError('too_many_requests', { headers: { 'Retry-After': String(seconds) } });
    const rank = this.#limit.used(address);
    this.#limit.count(address);
    return this.#turns.run(handle, signal, rank);
  }
}
