import { isId, parseBookFields, type Book, type BookFields } from '../../catalogue/book.ts';
import { ShelflistError } from '../../catalogue/errors.ts';
import { scheduler, type PrioritySignal } from '../../lib/scheduler.ts';
import { maxBooksAtOnce } from '../../store/contract/create.ts';
import { createPage } from '../../store/contract/page.ts';
import type { CompleteStore } from '../../store/contract/store.ts';
import type { Call } from '../http/call.ts';
import { JsonText } from '../../lib/json-text.ts';
import { getSound } from '../../derived/get-sound.ts';
import type { ReadQueue } from '../../derived/read-queue.ts';
import { route, type ReaderFor, type Route } from './route.ts';

/** `POST /books/lookup`. */
export function lookUpRoute(store: CompleteStore, readerFor: ReaderFor): Route {
  return route('lookUpBooks', {
    document: {
      tag: 'books',
      summary: 'Find the books of a list',
      description:
        `For each of at most ${maxBooksAtOnce} elements, the book with its id; without an id, the book with the same title, ` +
        'author and year, ignoring case, accents, spacing and punctuation. Of several, an equal one comes first, then the one ' +
        'with the lowest id. `null` if there is none, or if the element is neither. If the books exceed about a million characters ' +
        'in total, the response is 413: look up fewer at once. A single book is never too long.',
      body: {
        'application/x-ndjson': { type: 'string', description: 'One element (`Wanted`) per line.' },
      },
    },
    handle: async (call) => ({ data: await lookUp(store, readerFor(call), call) }),
  });
}

/** The number of elements looked up together: as many books as fit into memory at their maximum length; more after nothing was found. */
const readAtOnce = { first: 50, most: 250 };

/** An element of the request: the id or the fields of a book, or neither. */
type LookupItem = { readonly id: number } | { readonly fields: BookFields } | undefined;

/**
 * Finds the book of each element of a body, as JSON; `null` without one. The response is at most as long as a page of books.
 *
 * @throws {ShelflistError} `invalid_input`; `body_too_large`; and as the store does.
 */
function lookUp(
  store: CompleteStore,
  reader: ReadQueue,
  call: Pick<Call, 'signal' | 'readElements'>,
): Promise<JsonText> {
  const wanted: LookupItem[] = [];
  const { signal } = call;
  return call.readElements(
    (element) => {
      wanted.push('value' in element ? parseWanted(element.value) : undefined);
      if (wanted.length > maxBooksAtOnce) throw tooMuch(`more than ${maxBooksAtOnce} elements`);
    },
    async () => {
      const page = createPage();
      const found: (Readonly<Book> | null)[] = [];
      for (let start = 0, size = readAtOnce.first; start < wanted.length;) {
        const some = wanted.slice(start, start + size);
        const books = await reader.run((own) => find(store, some, own), signal);
        start += some.length;
        size = books.every((book) => book === null) ? readAtOnce.most : readAtOnce.first;
        for (const book of books) {
          if (book !== null && page.isFull) throw tooMuch('the books found are too long for one response');
          if (book !== null) page.add(book);
          found.push(book);
        }
      }
      return scheduler.run(() => new JsonText(JSON.stringify(found)), signal);
    },
  );
}

function tooMuch(message: string): ShelflistError {
  return new ShelflistError('body_too_large', { message: `${message}; look up fewer at once` });
}

async function find(
  store: CompleteStore,
  wanted: readonly LookupItem[],
  signal: PrioritySignal,
): Promise<(Readonly<Book> | null)[]> {
  const fields = wanted.flatMap((each) => (each !== undefined && 'fields' in each ? [each.fields] : []));
  const same = (fields.length === 0 ? [] : await store.findDuplicatesOf(fields, { signal })).values();
  return Promise.all(
    wanted.map(async (each) => {
      if (each === undefined) return null;
      return ('id' in each ? await getSound(store, each.id) : same.next().value) ?? null;
    }),
  );
}

function parseWanted(value: unknown): LookupItem {
  if (typeof value === 'object' && value !== null && 'id' in value)
    return isId(value.id) ? { id: value.id } : undefined;
  try {
    return { fields: parseBookFields(value) };
  } catch (error) {
    if (error instanceof ShelflistError) return undefined;
    throw error;
  }
}
