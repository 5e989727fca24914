import { newBatch } from '../../catalogue/batch.ts';
import { parseBookFields, type BookFields } from '../../catalogue/book.ts';
import type { Imported } from '../../catalogue/envelope.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import type { BookStore } from '../../store/store.ts';
import type { Element } from '../http/bulk-body.ts';
import type { Call } from '../call.ts';

/** The maximum number of elements in a body. Even a short book takes memory. */
const maxElements = 100_000;
/** The maximum number of rejected elements. A body with more is refused as a whole. */
const maxRejected = 10_000;

/** The maximum size of a batch. Larger batches would delay other requests. */
const maxBatch = 1000;
/** The maximum number of imports that write at once: while one batch is written, the next is prepared. */
const maxStoring = 2;

/** Stores the books of bulk bodies. */
export class Importer {
  readonly #store: BookStore;
  readonly #storing = new Semaphore(maxStoring);

  constructor(store: BookStore) {
    this.#store = store;
  }

  /**
   * Stores the books of a body. It stores nothing before it has read the whole body, so a refused request stores nothing.
   *
   * @throws {ShelflistError} `invalid_input`; `body_too_large`; `unavailable`: some books may be stored and others not.
   */
  import(call: Pick<Call, 'batch' | 'readElements'>): Promise<Imported> {
    const books: BookFields[] = [];
    const batch = call.batch ?? newBatch();
    const imported: Imported = { ids: [], rejected: [], import: batch };
    const visit = (element: Element) => {
      const parsed = 'reason' in element ? element.reason : parseBook(element.value);
      if (typeof parsed !== 'string') books.push(parsed);
      else if (imported.rejected.push({ line: element.line, message: parsed }) > maxRejected)
        throw new ShelflistError('invalid_input', {
          message: `more than ${maxRejected} elements are not books`,
        });
      if (books.length + imported.rejected.length > maxElements)
        throw new ShelflistError('body_too_large', {
          message: `too many books: send at most ${maxElements} at once`,
        });
    };
    return call.readElements(visit, async () => {
      for (let start = 0; start < books.length; start += maxBatch) {
        const part = books.slice(start, start + maxBatch);
        imported.ids.push(...(await this.#storing.run(() => this.#create(part, batch))));
      }
      return imported;
    });
  }

  /** Concurrent creates share a commit (SQLite), or a counter update and a round trip (MongoDB). */
  async #create(books: readonly BookFields[], batch: string): Promise<number[]> {
    const stored = await Promise.all(books.map((fields) => this.#store.create(fields, { batch })));
    return stored.map(({ id }) => id);
  }
}

/** The fields of a book, or the reason why the value is not a book. */
function parseBook(value: unknown): BookFields | string {
  try {
    return parseBookFields(value);
  } catch (error) {
    if (error instanceof ShelflistError) return error.message;
    throw error;
  }
}
