import { parseBookFields, type BookFields } from '../book.ts';
import { ShelflistError } from '../errors.ts';
import { Semaphore } from '../lib/semaphore.ts';
import type { BookStore } from '../store/store.ts';
import type { Element } from './elements.ts';
import type { Call } from './route.ts';

/** The result of an import: the ids of the stored books, in order, and the reason for each rejected one. */
export interface Imported {
  ids: number[];
  rejected: { line: number; message: string }[];
}

/** The maximum number of elements in a body. Even a short book takes memory. */
export const maxElements = 100_000;
/** A body with more rejected elements was not meant to be books. */
const maxRejected = 10_000;

/** The number of books per batch: larger batches would delay other requests. */
const booksAtOnce = 1000;
/** The number of imports that write at once: while one batch is written, the next is ready. */
const maxStoring = 2;

/** Stores the books of bulk bodies. */
export class Importer {
  readonly #store: BookStore;
  readonly #storing = new Semaphore(maxStoring);

  constructor(store: BookStore) {
    this.#store = store;
  }

  /**
   * Stores the books of a body. Nothing is stored before the whole body has been read and is valid: a refused request has
   * stored nothing.
   *
   * @throws {ShelflistError} `invalid_input`; `body_too_large`; `unavailable`: some books may be stored and others not.
   */
  import(call: Pick<Call, 'readElements'>): Promise<Imported> {
    const books: BookFields[] = [];
    const imported: Imported = { ids: [], rejected: [] };
    const visit = (element: Element) => {
      const parsed = 'reason' in element ? element.reason : parseBook(element.value);
      if (typeof parsed !== 'string') books.push(parsed);
      else if (imported.rejected.push({ line: element.line, message: parsed }) > maxRejected)
        throw new ShelflistError('invalid_input', {
          message: `more than ${maxRejected} elements are not books`,
        });
      if (books.length + imported.rejected.length > maxElements)
        throw new ShelflistError('body_too_large', { message: `send at most ${maxElements} books at once` });
    };
    return call.readElements(visit, async () => {
      for (let start = 0; start < books.length; start += booksAtOnce) {
        const batch = books.slice(start, start + booksAtOnce);
        imported.ids.push(...(await this.#storing.run(() => this.#create(batch))));
      }
      return imported;
    });
  }

  /** Concurrent creates share a commit (SQLite), or a counter update and a round trip (MongoDB). */
  async #create(batch: readonly BookFields[]): Promise<number[]> {
    const stored = await Promise.all(batch.map((fields) => this.#store.create(fields)));
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
