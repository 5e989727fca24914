import { isPosition } from '../../catalogue/changes.ts';
import { coalesce } from '../../lib/coalesce.ts';
import type { ChangeEvents } from '../../store/contract/events.ts';
import type { CompleteStore } from '../../store/contract/store.ts';

/** How often the store is asked for changes, and how long the pause after a failure is, in milliseconds. */
const defaultPollMs = 100;
const retryMs = 500;

/** Asks a store for its changes, by any process, again and again. */
export class EventPoller {
  /** Asks now. Resolves when every change acknowledged before the call has been announced. */
  readonly refresh: () => Promise<void>;
  readonly #store: CompleteStore;
  readonly #announce: (page: ChangeEvents) => void;
  readonly #pollMs: number;
  readonly #keepsAlive: boolean;
  /** The position after the last announcement; `undefined` before the first poll. */
  #position: string | undefined;
  #timer: NodeJS.Timeout | undefined;

  /**
   * @param announce Must not throw.
   * @param options `keepsAlive`: the process does not end while it polls. Default true.
   */
  constructor(
    store: CompleteStore,
    announce: (page: ChangeEvents) => void,
    { pollMs = defaultPollMs, keepsAlive = true }: { pollMs?: number | undefined; keepsAlive?: boolean } = {},
  ) {
    this.#store = store;
    this.#announce = announce;
    this.#pollMs = pollMs;
    this.#keepsAlive = keepsAlive;
    this.refresh = coalesce(() => this.#poll());
  }

  get position(): string | undefined {
    return this.#position;
  }

  /** Asks regularly from now on. */
  start(): void {
    if (this.#timer === undefined) this.#schedule(this.#pollMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Stops, and begins with the changes after the next poll when it is started again. */
  reset(): void {
    this.stop();
    this.#position = undefined;
  }

  async #poll(): Promise<void> {
    const isFirst = this.#position === undefined;
    for (let isCurrent = false; !isCurrent;) {
      const page = checkPositions(await this.#store.events({ since: this.#position }));
      this.#position = page.position;
      if (!isFirst) this.#announce(page);
      isCurrent = isFirst || page.isCurrent;
    }
  }

  #schedule(delayMs: number): void {
    const timer = setTimeout(() => {
      const next = (nextMs: number) => {
        if (this.#timer === timer) this.#schedule(nextMs); // It may have been stopped meanwhile.
      };
      this.refresh().then(
        () => {
          next(this.#pollMs);
        },
        () => {
          next(retryMs); // The log has the failures of requests.
        },
      );
    }, delayMs);
    if (!this.#keepsAlive) timer.unref();
    this.#timer = timer;
  }
}

/** Checks the positions of a third-party store: they become part of formatted text. */
export function checkPositions(page: ChangeEvents): ChangeEvents {
  if (![page, ...(page.events ?? [])].every(({ position }) => isPosition(position)))
    throw new Error('the store gave a position with characters other than letters, digits and -._');
  return page;
}
