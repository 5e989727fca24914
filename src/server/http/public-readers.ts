import { setTimeout as delay } from 'node:timers/promises';
import { ShelflistError } from '../../catalogue/errors.ts';
import { RateLimit } from '../../lib/rate-limit.ts';
import { Semaphore } from '../../lib/semaphore.ts';

/** The maximum number of documents that are made at once. The others wait. With 4, a request of the API took three times as long. */
const maxDocuments = 2;

/** A document counts as this many requests: a browser asks for one per visit, a crawler for thousands. */
const documentWeight = 10;

/** The delay, added to its arrival time in the queue, of a document for an address over its limit. It bounds how long others overtake it. */
const maxLaterMs = 5000;

/** A refusal takes this long, so that a crawler that tries again at once costs no more than one that gets an answer. */
const refusalMs = 1000;

/** Limits the requests of readers without a token, by address, so that crawlers do not slow readers down. */
export class PublicReaders {
  readonly #perMinute: number;
  readonly #now: () => number;
  readonly #limit: RateLimit;
  readonly #documents = new Semaphore(maxDocuments);

  /**
   * @param perMinute How many requests an address may send at once, and how many it regains per minute.
   * @param now A monotonic clock in milliseconds.
   */
  constructor(perMinute: number, now = () => performance.now()) {
    this.#perMinute = perMinute;
    this.#now = now;
    this.#limit = new RateLimit({ burst: perMinute, refillSeconds: 60 / perMinute, now });
  }

  /**
   * Counts a request.
   *
   * @param address Empty if it is not known: it then has no limit, because all readers would share it.
   * @throws {ShelflistError} `too_many_requests` with `Retry-After`.
   */
  async admit(address: string, signal: AbortSignal, weight = 1): Promise<void> {
    if (address === '') return;
    const events = Math.min(weight, this.#perMinute);
    const seconds = this.#limit.waitSeconds(address, events);
    if (seconds !== undefined) {
      await delay(refusalMs, undefined, { signal });
      throw new ShelflistError('too_many_requests', { retryAfter: seconds });
    }
    this.#limit.count(address, events);
  }

  /**
   * Counts a document, and makes it when a slot is free. Waiting ones are made in the order of their arrival; each counts
   * as later, the more requests of its address are counted.
   *
   * @throws As {@link admit} and `make` do.
   */
  async makeDocument<Result>(
    address: string,
    signal: AbortSignal,
    make: () => Promise<Result>,
  ): Promise<Result> {
    const rank = this.#now() + (this.#limit.used(address) / this.#perMinute) * maxLaterMs;
    await this.admit(address, signal, documentWeight);
    return this.#documents.run(make, signal, rank);
  }
}
