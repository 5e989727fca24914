import { newBatch } from '../../catalogue/batch.ts';
import { parseBookFields, type BookFields } from '../../catalogue/book.ts';
import type { Imported } from '../../catalogue/envelope.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { Semaphore } from '../../lib/semaphore.ts';
import { maxBooksAtOnce } from '../../store/contract/create.ts';
import type { Origin } from '../../store/contract/history.ts';
import type { CompleteStore, Created } from '../../store/contract/store.ts';
import type { Element } from '../http/bulk-body.ts';
import type { Call } from '../http/call.ts';
import type { Reply } from '../http/reply.ts';
import { batchParameter, idempotencyKeyParameter } from '../openapi/parameters.ts';
import { ref } from '../openapi/schemas.ts';
import { repeatErrors, replayed, type RepeatableRequest, type Repeats } from './repeats.ts';
import type { Route } from './route.ts';

/** `POST /books`. */
export function importRoute(store: CompleteStore, repeats: Repeats): Route {
  const importer = new Importer(store);
  return {
    method: 'POST',
    path: '/books',
    action: 'create',
    status: 200,
    message: 'Books imported',
    operation: {
      id: 'importBooks',
      tag: 'books',
      summary: 'Create many books',
      description:
        'A JSON array or NDJSON with at most 100,000 elements. The service stores nothing before it has read the ' +
        'whole body. It lists elements that are not books in `rejected`. After a 503, some books may be stored.',
      parameters: [batchParameter, idempotencyKeyParameter],
      body: {
        'application/json': { type: 'array', items: ref('BookFields') },
        'application/x-ndjson': {
          type: 'string',
          description: 'One book (`BookFields`) per line. Empty lines are skipped.',
          examples: [
            '{"title":"Emma","author":"Jane Austen","year":1815}\n{"title":"Gilgamesh","year":-1750}\n',
          ],
        },
      },
      data: ref('Imported'),
      headers: ['Idempotency-Replayed'],
      errors: repeatErrors,
    },
    handle: (call) => repeats.run(call, '/books', (request) => importer.import(call, request)),
  };
}

/** The maximum number of elements in a body. Even a short book takes memory. */
const maxElements = 100_000;
/** The maximum number of rejected elements. A body with more is refused as a whole. */
const maxRejected = 10_000;

/** The maximum number of imports that write at once: while one chunk is written, the next is prepared. */
const maxStoring = 2;

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
    const { batch = newBatch(), user } = call.origin;
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
      let isReplay = true;
      // The key of an empty list is remembered, too: it has a batch.
      for (let start = 0; start === 0 || start < books.length; start += maxBooksAtOnce) {
        const created = await this.#create(
          books.slice(start, start + maxBooksAtOnce),
          { batch: imported.batch, user },
          start,
          request,
        );
        imported.ids.push(...created.ids);
        imported.batch = created.batch ?? imported.batch;
        isReplay &&= created.isReplay;
      }
      return { data: imported, ...(isReplay && replayed) };
    };
    return call.readElements(visit, store, request?.hash);
  }

  #create(
    books: readonly BookFields[],
    origin: Origin,
    start: number,
    request: RepeatableRequest | undefined,
  ): Promise<Created> {
    const repeat = request?.keyOf(start / maxBooksAtOnce);
    return this.#storing.run(() => this.#store.createMany(books, { ...origin, repeat }));
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
