import { parseStoreAddress } from './address.ts';
import type { BookStore } from './store.ts';

/**
 * Opens the store that an address names; the store's driver is loaded here and not before.
 *
 * @param url `file:PATH`, `mongodb://…` or `mongodb+srv://…`, as in the setting `DATABASE_URL`.
 * @throws {TypeError} The address is none of these.
 * @throws {ShelflistError} `store_unusable`: it cannot be reached (within 5 s) or prepared; says what to do.
 *
 * @example
 * const store = await openStore('file:./data');
 * const book = await store.create({ title: 'Emma', author: 'Jane Austen', year: 1815 });
 * await store.close();
 */
export async function openStore(url: string): Promise<BookStore> {
  const address = readAddress(url);
  if (address.kind === 'embedded') {
    const { openEmbeddedStore } = await import('./embedded/store.ts');
    return openEmbeddedStore(address.path);
  }
  const { openMongoStore } = await import('./mongo/store.ts');
  return openMongoStore(address.url);
}

function readAddress(url: string) {
  try {
    return parseStoreAddress(url);
  } catch (error) {
    throw new TypeError(`the database address ${(error as TypeError).message}`, { cause: error });
  }
}
