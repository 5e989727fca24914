import { isId, parseBookFields, type Book, type BookFields } from '../../catalogue/book.ts';
import { hasCode, ShelflistError } from '../../catalogue/errors.ts';
import { maxBooksAtOnce } from '../../store/contract/create.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import { ref } from '../openapi/schemas.ts';
import type { PageReader, ReaderFor } from './page-reader.ts';
import type { Route } from './route.ts';

/** `POST /books/lookup`. */
export function lookUpRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  return {
    method: 'POST',
    path: '/books/lookup',
    action: 'list',
    status: 200,
    message: 'Books retrieved successfully',
    operation: {
      id: 'lookUpBooks',
      tag: 'books',
      summary: 'Find the books of a list',
      description:
        `For each of at most ${maxBooksAtOnce} elements, the book with its id; without an id, the book with the same title, ` +
        'author and year, ignoring case, accents, spacing and punctuation. Of several, an equal one comes first, then the one ' +
        'with the lowest id. `null` if there is none, or if the element is neither.',
      body: {
        'application/json': { type: 'array', items: ref('Wanted'), maxItems: maxBooksAtOnce },
        'application/x-ndjson': { type: 'string', description: 'One element (`Wanted`) per line.' },
      },
      data: { type: 'array', items: { anyOf: [ref('Book'), { type: 'null' }] } },
      errors: ['invalid_input', 'unavailable'],
    },
    handle: async (call) => ({ data: await lookUp(store, readerFor(call), call) }),
  };
}

/** An element of the request: the id or the fields of a book, or neither. */
type Wanted = { readonly id: number } | { readonly fields: BookFields } | undefined;

/**
 * Finds the book of each element of a body; `null` without one.
 *
 * @throws {ShelflistError} `invalid_input`; `body_too_large`; and as the store does.
 */
function lookUp(
  store: CompleteStore,
  reader: PageReader,
  call: Pick<Call, 'signal' | 'readElements'>,
): Promise<(Readonly<Book> | null)[]> {
  const wanted: Wanted[] = [];
  const { signal } = call;
  return call.readElements(
    (element) => {
      wanted.push('value' in element ? parseWanted(element.value) : undefined);
      if (wanted.length > maxBooksAtOnce)
        throw new ShelflistError('body_too_large', {
          message: `look up at most ${maxBooksAtOnce} books at once`,
        });
    },
    async () => {
      const fields = wanted.flatMap((each) => (each !== undefined && 'fields' in each ? [each.fields] : []));
      const same =
        fields.length === 0 ? [] : await reader.run(() => store.findSame(fields, { signal }), signal);
      const found = same.values();
      return Promise.all(
        wanted.map(async (each) => {
          if (each === undefined) return null;
          return ('id' in each ? await getSound(store, each.id) : found.next().value) ?? null;
        }),
      );
    },
  );
}

function parseWanted(value: unknown): Wanted {
  if (typeof value === 'object' && value !== null && 'id' in value)
    return isId(value.id) ? { id: value.id } : undefined;
  try {
    return { fields: parseBookFields(value) };
  } catch (error) {
    if (error instanceof ShelflistError) return undefined;
    throw error;
  }
}

/** Treats a damaged record as missing. */
async function getSound(store: CompleteStore, id: number): Promise<Readonly<Book> | undefined> {
  try {
    return await store.get(id);
  } catch (error) {
    if (hasCode(error, 'store_damaged')) return undefined;
    throw error;
  }
}
