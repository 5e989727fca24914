import { isId, parseBookFields, type Book, type BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { maxBooksAtOnce } from '../../store/create-many.ts';
import type { BookStore } from '../../store/store.ts';
import type { Call } from '../call.ts';
import type { PageReader } from './page-reader.ts';

/** An element of the request: the id or the fields of a book, or neither. */
type Wanted = { readonly id: number } | { readonly fields: BookFields } | undefined;

/**
 * Finds the book of each element of a body; `null` without one.
 *
 * @throws {ShelflistError} `invalid_input`; `body_too_large`; and as the store does.
 */
export function lookUp(
  store: BookStore,
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
      const same = fields.length === 0 ? [] : await reader.run(() => store.findSame(fields, signal), signal);
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

/** A record that is not a book is none. */
async function getSound(store: BookStore, id: number): Promise<Readonly<Book> | undefined> {
  try {
    return await store.get(id);
  } catch (error) {
    if (error instanceof ShelflistError && error.code === 'store_damaged') return undefined;
    throw error;
  }
}
