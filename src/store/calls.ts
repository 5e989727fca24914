import { ShelflistError } from '../errors.ts';

/** The calls of one store from its opening to its end: none begins after `close`, and `close` waits for the rest. */
export class Calls {
  readonly #description: string;
  readonly #underWay = new Set<Promise<unknown>>();
  #closing: Promise<void> | undefined;

  /** @param description The store's own, for the error of a call that comes too late. */
  constructor(description: string) {
    this.#description = description;
  }

  /** What a call fails with that comes too late: `store_closed`; `undefined` as long as the store is open. */
  get tooLate(): ShelflistError | undefined {
    if (this.#closing === undefined) return undefined;
    return new ShelflistError('store_closed', { message: `${this.#description} is closed` });
  }

  /** Makes a call; what it fails with, unless it is ours already, becomes what `translate` gives. */
  async run<T>(
    call: () => Promise<T>,
    translate: (error: unknown) => ShelflistError | Promise<ShelflistError>,
  ): Promise<T> {
    const { tooLate } = this;
    if (tooLate !== undefined) throw tooLate;
    const result = call();
    this.#underWay.add(result);
    try {
      return await result;
    } catch (error) {
      throw error instanceof ShelflistError ? error : await translate(error);
    } finally {
      this.#underWay.delete(result);
    }
  }

  /** Waits for the calls under way, then lets go of what the store holds; the second time it only waits. */
  close(release: () => Promise<void>): Promise<void> {
    this.#closing ??= Promise.allSettled(this.#underWay).then(release);
    return this.#closing;
  }
}
