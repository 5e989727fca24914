import { newBatchId } from '../../catalogue/batch.ts';
import { parseBookFields, type BookFields } from '../../catalogue/book.ts';
import type { Imported } from '../../api/envelope.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { maxBooksAtOnce } from '../../store/contract/create.ts';
import type { Attribution } from '../../store/contract/history.ts';
import type { CompleteStore, Created, CreateManyOptions } from '../../store/contract/store.ts';
import type { Element } from '../http/bulk-body.ts';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import { replayed, type RepeatableRequest, type IdempotencyKeys } from './idempotency-keys.ts';
import { route, type Route } from './route.ts';

/** `POST /books`. */
export function importRoute(store: CompleteStore, repeats: IdempotencyKeys): Route {
  const importer = new Importer(store);
  return route('importBooks', {
    document: {
      tag: 'books',
      summary: 'Create many books',
      description:
        'A JSON array or NDJSON with at most 100,000 elements. The service stores nothing before it has read the ' +
        'whole body. It lists elements that are not books in `rejected`. After a 503, some books may be stored.',
      body: {
        'application/x-ndjson': {
          type: 'string',
          description: 'One book (`BookFields`) per line. Empty lines are skipped.',
          examples: [
            '{"title":"Emma","author":"Jane Austen","year":1815}\n{"title":"Gilgamesh","year":-1750}\n',
          ],
        },
      },
      headers: ['Idempotency-Replayed'],
    },
    handle: (call) => repeats.run(call, '/books', (request) => importer.import(call, request)),
  });
}

/** The maximum number of elements in a body. Even a short book takes memory. */
const maxElements = 100_000;
/** The maximum number of rejected elements. A body with more is refused as a whole. */
const maxRejected = 10_000;

/** The maximum number of chunks of all imports that are written at once: while one is written, the next is prepared. */
const maxStoring = 2;
/** The maximum number of chunks of an import in flight. */
const maxOnTheirWay = 2;

class Importer {
  readonly #store: CompleteStore;
  readonly #storing = new Semaphore(maxStoring);

  constructor(store: CompleteStore) {
    this.#store = store;
  }

  /**
   * Stores the books of a body, in chunks that other requests can come between. It stores nothing before it has read the
   * whole body, so a refused request stores nothing. A repeat stores the chunks that the first attempt did not.
   *
   * @throws {ShelflistError} `invalid_input`; `body_too_large`; `key_reused`; `unavailable`: some books may be stored and
   * others not.
   */
  import(call: Pick<Call, 'origin' | 'readElements'>, request?: RepeatableRequest): Promise<Reply> {
    const books: BookFields[] = [];
    const { batch = newBatchId(), user } = call.origin;
    const imported: Imported = { ids: [], rejected: [], batch };
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
    const store = async () => {
      const isReplay = await this.#createAll(books, imported, user, request);
      return { data: imported, ...(isReplay && replayed) };
    };
    return call.readElements(visit, store, request?.hash);
  }

  /**
   * Creates the books in chunks, in order. Two are in flight if the store calls `onPrepared`.
   *
   * @param imported Receives the ids, and the batch of a repeat.
   * @returns Whether all of it is a repeat.
   */
  async #createAll(
    books: readonly BookFields[],
    imported: Imported,
    user: Attribution['user'],
    request: RepeatableRequest | undefined,
  ): Promise<boolean> {
    const chunks: Promise<Created>[] = [];
    try {
      // The key of an empty list is remembered, too: it has a batch.
      for (let start = 0; start === 0 || start < books.length; start += maxBooksAtOnce) {
        await chunks.at(-maxOnTheirWay);
        const options: CreateManyOptions = {
          batch: imported.batch,
          user,
          idempotencyKey: request?.keyOf(chunks.length),
          after: chunks.at(-1),
        };
        const { created, prepared } = this.#create(books.slice(start, start + maxBooksAtOnce), options);
        chunks.push(created);
        const done = await Promise.race([created, prepared]);
        imported.batch = done?.batch ?? imported.batch;
      }
      const all = await Promise.all(chunks);
      imported.ids.push(...all.flatMap(({ ids }) => ids));
      const isReplay = all.every((chunk) => chunk.isReplay);
      // Another service may have stored a chunk after this one had prepared it.
      if (isReplay) imported.batch = all[0]?.batch ?? imported.batch;
      return isReplay;
    } finally {
      await Promise.allSettled(chunks); // Nothing is stored after the answer.
    }
  }

  #create(
    books: readonly BookFields[],
    options: CreateManyOptions,
  ): { readonly created: Promise<Created>; readonly prepared: Promise<undefined> } {
    let onPrepared = (): void => undefined;
    const prepared = new Promise<undefined>((resolve) => {
      onPrepared = () => {
        resolve(undefined);
      };
    });
    const created = this.#storing.run(() => this.#store.createMany(books, { ...options, onPrepared }));
    return { created, prepared };
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
