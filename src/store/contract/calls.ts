// Counts the calls in flight of any store, and refuses those after its close.
import { ShelflistError } from '../../catalogue/errors.ts';
import { InFlight } from '../../lib/in-flight.ts';

/** The calls of one store: none begins after `close`, and `close` waits for those in flight. */
export class StoreCalls {
  readonly #description: string;
  readonly #inFlight = new InFlight();
  #closing: Promise<void> | undefined;

  /** @param description The description of the store, for the error of a call after `close`. */
  constructor(description: string) {
    this.#description = description;
  }

  /** The error of a call after `close`: `store_closed`; `undefined` while the store is open. */
  get closedError(): ShelflistError | undefined {
    if (this.#closing === undefined) return undefined;
    return new ShelflistError('store_closed', { message: `${this.#description} is closed` });
  }

  /** Makes a call. `translate` turns its error into a `ShelflistError`. */
  async run<T>(
    call: () => Promise<T>,
    translate: (error: unknown) => ShelflistError | Promise<ShelflistError>,
  ): Promise<T> {
    const { closedError } = this;
    if (closedError !== undefined) throw closedError;
    const generation = this.#inFlight.begin();
    try {
      return await call();
    } catch (error) {
      throw await translate(error);
    } finally {
      this.#inFlight.end(generation);
    }
  }

  /** Waits for the calls in flight, then runs `release`, once. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= this.#inFlight.settled().then(release);
    return this.#closing;
  }
}
