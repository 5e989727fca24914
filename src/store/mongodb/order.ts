// The state of the order by title, which all services of a database share.
import { MongoServerError, type Collection } from 'mongodb';
import { orderName, plainOrder, type TitleOrder } from '../../catalogue/title-order.ts';
import type { CounterDocument } from './schema.ts';

interface OrderDocument extends CounterDocument {
  order?: TitleOrder;
}

const documentId = { _id: 'title_order' };
/** How old the state may be that a call uses. */
const maxAgeMs = 2000;

/** The state as this process knows it. */
export class SharedOrder {
  readonly #counters: Collection<OrderDocument>;
  #now = plainOrder;
  #readAt = -Infinity;

  constructor(counters: Collection<CounterDocument>) {
    this.#counters = counters;
  }

  /** What was read last: `refresh` comes first in each call that uses it. */
  get now(): TitleOrder {
    return this.#now;
  }

  /** A part of the version of the catalogue: a listing in another order is another one. */
  get version(): string {
    const name = orderName(this.#now);
    return name === undefined ? '' : `.${this.#now.slot}${name}`;
  }

  /** Reads the state, if the last one is older than {@link maxAgeMs}. */
  async refresh(maxMs = maxAgeMs): Promise<TitleOrder> {
    const begun = performance.now();
    if (begun - this.#readAt < maxMs) return this.#now;
    const found = (await this.#counters.findOne(documentId))?.order;
    // Nothing removes the order alone, so the collection is gone. Books must not get the keys of another order.
    if (found === undefined && this.#now !== plainOrder) throw new Error('the order of titles is missing');
    this.#now = found ?? plainOrder;
    this.#readAt = begun;
    return this.#now;
  }

  /** Replaces a state; `false` if another service was faster. */
  async replace(before: TitleOrder, after: TitleOrder): Promise<boolean> {
    const isFirst = before === plainOrder;
    const filter = { ...documentId, ...(isFirst ? { order: { $exists: false } } : { order: before }) };
    const update = { $set: { order: after, seq: 0 } };
    const { modifiedCount, upsertedCount } = await this.#counters
      .updateOne(filter, update, { upsert: isFirst })
      .catch((error: unknown) => {
        const duplicateKey = 11000; // The document is there by now.
        if (error instanceof MongoServerError && error.code === duplicateKey)
          return { modifiedCount: 0, upsertedCount: 0 };
        throw error;
      });
    await this.refresh(0);
    return modifiedCount + upsertedCount > 0;
  }
}
